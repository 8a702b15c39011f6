/** One call at a time: what became of it, and which clauses it breaks. */

import { describe, expect, it } from 'vitest';
import {
  COMPLETION,
  failedAttempt,
  failure,
  modelsExchange,
  plainExchange,
  streamExchange,
} from '../../../test/kit/exchanges.ts';
import { completion, ERROR, type GivenCall, judging } from '../../../test/kit/load-calls.ts';
import { DONE, GOOD, ROLE, say } from '../../../test/kit/streams.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formatActual } from '../../verdict/actual.ts';
import { CallRegistry, replyPieces } from './calls.ts';
import type { LoadTallyName } from './tally.ts';

type Row = readonly [title: string, Exchange, GivenCall, outcome: string, broken: readonly LoadTallyName[]];

it.each<Row>([
  ['A reply', plainExchange({ json: COMPLETION }), {}, 'answered', []],
  ['A stream', streamExchange({ events: GOOD }), { kind: 'stream' }, 'answered', []],
  ['429 with the error body', plainExchange({ status: 429, json: ERROR }), {}, 'rejected', []],
  ['503 to a value out of range', plainExchange({ status: 503, json: ERROR }), { kind: 'refusal' }, 'rejected', []],
  ...[402, 403, 408].map((status): Row => [
    String(status),
    plainExchange({ status, json: ERROR }),
    {},
    'failed',
    ['failed'],
  ]),
  ['408 to a value out of range', plainExchange({ status: 408, json: ERROR }), { kind: 'refusal' }, 'failed', []],
  [
    '401 to a value out of range',
    plainExchange({ status: 401, json: ERROR }),
    { kind: 'refusal' },
    'failed',
    ['valid-key'],
  ],
  ['502', plainExchange({ status: 502, json: ERROR }), {}, 'failed', ['failed']],
  ['502 during a restart', plainExchange({ status: 502, json: ERROR }), { allowsFailures: true }, 'failed', []],
  ['A closed connection', plainExchange({ failure: failure('closed') }), {}, 'failed', ['failed']],
  [
    'A closed connection during a restart',
    plainExchange({ failure: failure('closed') }),
    { allowsFailures: true },
    'failed',
    [],
  ],
  ['A time-out', plainExchange({ failure: failure('timeout') }), {}, 'unanswered', []],
  [
    'Headers and nothing else',
    streamExchange({ text: '', end: { kind: 'limit', limit: 'idle-timeout' } }),
    {},
    'unanswered',
    [],
  ],
  ['A cut body', plainExchange({ text: '{"id":', end: { kind: 'cut', detail: '' } }), {}, 'broken', ['broken-off']],
  [
    'A cut stream during a restart',
    streamExchange({ events: [ROLE], end: { kind: 'cut', detail: '' } }),
    { allowsFailures: true },
    'broken',
    ['broken-off'],
  ],
  [
    'A stalled stream',
    streamExchange({ events: [ROLE, ...say('Hi')], end: { kind: 'limit', limit: 'idle-timeout' } }),
    {},
    'broken',
    ['broken-off'],
  ],
  [
    'A stream that was still sending when its time was up',
    streamExchange({ events: [ROLE, ...say('Hi')], end: { kind: 'limit', limit: 'timeout' } }),
    { kind: 'stream' },
    'limit',
    [],
  ],
  ...(['timeout', 'idle-timeout'] as const).flatMap((limit) =>
    [[], [ROLE]].map((events): Row => [
      `A slow reader whose reply ended by ${limit}, with ${events.length} events`,
      streamExchange({ events, end: { kind: 'limit', limit } }),
      { kind: 'slow-reader' },
      'left',
      [],
    ]),
  ),
  [
    'A slow reader whose stream was cut',
    streamExchange({ events: [ROLE], end: { kind: 'cut', detail: '' } }),
    { kind: 'slow-reader' },
    'left',
    [],
  ],
  ['An error event', streamExchange({ events: [ROLE, ERROR] }), {}, 'broken', ['broken-off']],
  [
    'An error event during a restart',
    streamExchange({ events: [ROLE, ERROR] }),
    { allowsFailures: true },
    'failed',
    [],
  ],
  ['A page for a reply', plainExchange({ text: '<html>' }), {}, 'broken', ['broken-off']],
  ['An event that is not JSON', streamExchange({ events: [ROLE, '{"cho', DONE] }), {}, 'broken', ['broken-off']],
  ['A limit of ours', plainExchange({ text: '{', end: { kind: 'limit', limit: 'max-total' } }), {}, 'limit', []],
  [
    'A client that left',
    streamExchange({ events: [ROLE], end: { kind: 'aborted', why: 'interrupted' } }),
    { hasLeft: true },
    'left',
    [],
  ],
  ['401 to a valid key', plainExchange({ status: 401, json: ERROR }), {}, 'broken', ['valid-key']],
  ['401 to an unknown key', plainExchange({ status: 401, json: ERROR }), { kind: 'unknown-key' }, 'answered', []],
  [
    'A completion for an unknown key',
    plainExchange({ json: COMPLETION }),
    { kind: 'unknown-key' },
    'broken',
    ['unknown-key'],
  ],
  ...[400, 402, 404, 302].map((status): Row => [
    `${status} to an unknown key`,
    plainExchange({ status, json: ERROR }),
    { kind: 'unknown-key' },
    'broken',
    ['unknown-key'],
  ]),
  ...[403, 408].map((status): Row => [
    `${status} to an unknown key`,
    plainExchange({ status, json: ERROR }),
    { kind: 'unknown-key' },
    'failed',
    [],
  ]),
  ...(['unknown-key', 'refusal'] as const).flatMap((kind): readonly Row[] => [
    [`429 to ${kind}`, plainExchange({ status: 429, json: ERROR }), { kind }, 'rejected', []],
    [`502 to ${kind}`, plainExchange({ status: 502, json: ERROR }), { kind }, 'failed', [`${kind}-failed`]],
    [
      `502 to ${kind} during a restart`,
      plainExchange({ status: 502, json: ERROR }),
      { kind, allowsFailures: true },
      'failed',
      [],
    ],
    [
      `A closed connection for ${kind}`,
      plainExchange({ failure: failure('closed') }),
      { kind },
      'failed',
      [`${kind}-failed`],
    ],
    [`A time-out of ${kind}`, plainExchange({ failure: failure('timeout') }), { kind }, 'unanswered', []],
  ]),
  [
    'A 200 that is cut, for an unknown key',
    plainExchange({ text: '{"id":', end: { kind: 'cut', detail: '' } }),
    { kind: 'unknown-key' },
    'broken',
    ['unknown-key'],
  ],
  ['400 to a value out of range', plainExchange({ status: 400, json: ERROR }), { kind: 'refusal' }, 'answered', []],
  [
    'A completion for a value out of range',
    plainExchange({ json: COMPLETION }),
    { kind: 'refusal' },
    'broken',
    ['refusal'],
  ],
])('%s', (...[, exchange, options, outcome, clauses]) => {
  const { judge, broken } = judging();
  expect(judge(exchange, options).outcome).toBe(outcome);
  expect(broken()).toEqual(clauses);
});

describe('The word of another call', () => {
  it('breaks own-reply if the calls overlapped', () => {
    const { judge, broken, other } = judging();
    expect(judge(plainExchange({ json: completion(`It is ${other.word}.`) })).outcome).toBe('broken');
    expect(broken()).toEqual(['own-reply']);
  });

  it('counts long after its client disconnected, also in what another client that left had read', () => {
    const { judge, broken, other, registry } = judging();
    registry.end(other, true);
    const later = streamExchange({ events: [ROLE, ...say(other.word)], end: { kind: 'aborted', why: 'interrupted' } });
    expect(judge(later, { hasLeft: true }).outcome).toBe('broken');
    expect(broken()).toEqual(['own-reply']);
  });

  it('is fine if that call had ended before', () => {
    const registry = new CallRegistry(1);
    const earlier = registry.open('earlier', 'short');
    registry.end(earlier, false);
    const own = registry.open('own', 'short');
    expect(own.from).toBeGreaterThanOrEqual(earlier.to ?? Infinity);
  });
});

describe('With the scripted upstream', () => {
  it('the text has to be whole and unaltered', () => {
    const { judge, broken, known } = judging();
    const text = replyPieces(known.word, 'short').join('');
    expect(judge(plainExchange({ json: completion(text) }), { hasUpstream: true }).outcome).toBe('answered');
    expect(broken()).toEqual([]);
    expect(judge(plainExchange({ json: completion(text.slice(0, -3)) }), { hasUpstream: true }).outcome).toBe('broken');
    expect(broken()).toEqual(['text']);
  });

  it('a client that left is judged by the part that it read', () => {
    const { judge, broken, known } = judging();
    const left = (text: string) =>
      streamExchange({ events: [ROLE, ...say(text)], end: { kind: 'aborted', why: 'interrupted' } });
    expect(judge(left(known.word), { hasLeft: true, hasUpstream: true }).outcome).toBe('left');
    expect(broken()).toEqual([]);
    expect(judge(left(`x${known.word}`), { hasLeft: true, hasUpstream: true }).outcome).toBe('broken');
    expect(broken()).toEqual(['text']);
  });
});

describe('A list', () => {
  const list = (id: string, key: 'full' | 'restricted', ...models: readonly string[]) =>
    modelsExchange({ id, json: { object: 'list', data: models.map((model) => ({ id: model })) }, request: { key } });

  it('that lacks a model which the lists before and after have is broken', () => {
    const { judge, lists, tallies } = judging();
    lists.setControl(list('a', 'full', 'm', 'n', 'gone'), 'before');
    judge(list('b', 'full', 'm'), { kind: 'list' });
    judge(list('c', 'full', 'm', 'n'), { kind: 'list' });
    lists.setControl(list('d', 'full', 'm', 'n', 'new'), 'after');
    lists.end();
    expect([tallies.list.judged, tallies.list.broken]).toEqual([2, 1]);
  });

  it('with a model that only the other key may call is broken', () => {
    const { judge, lists, broken } = judging();
    lists.setControl(list('a', 'full', 'm', 'n'), 'before');
    lists.setControl(list('b', 'restricted', 'm'), 'before');
    expect(judge(list('c', 'restricted', 'm', 'new'), { kind: 'list' }).outcome).toBe('answered');
    expect(judge(list('d', 'restricted', 'm', 'n'), { kind: 'list' }).outcome).toBe('broken');
    expect(broken()).toEqual(['list-of-other-key']);
  });
});

describe('With the scripted upstream, the end and the token counts of a reply are compared', () => {
  it.each([
    [{ finish: 'stop', tokens: 4, isSent: true }, []],
    [{ finish: 'length', tokens: 4, isSent: true }, ['finish-reason']],
    [{ finish: 'stop', tokens: 5, isSent: true }, ['usage']],
    [{ finish: 'stop', tokens: 4, isSent: false }, ['usage']],
  ] as const)('%j', ({ finish, tokens, isSent }, expected) => {
    const { judge, broken, known } = judging();
    if (isSent) known.behind.usageSent = true;
    const usage = { prompt_tokens: 12, completion_tokens: tokens, total_tokens: 12 + tokens };
    const content = replyPieces(known.word, 'short').join('');
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }];
    const { outcome } = judge(plainExchange({ json: { ...COMPLETION, choices, usage } }), { hasUpstream: true });
    expect(outcome).toBe('answered');
    expect(broken()).toEqual(expected);
  });
});

it.each([
  [['closed', 'closed'], { kind: 'hang-up', times: 2 }],
  [['closed', 'refused'], { kind: 'connection-refused' }],
] as const)('A call whose connections were %j is shown by the last one', (kinds, actual) => {
  const { judge, tallies } = judging();
  const attempts = kinds.map((kind) => failedAttempt(failure(kind)));
  judge({ ...plainExchange(), attempts });
  expect(tallies.failed.findings).toMatchObject([{ actualType: 'closed', actual }]);
});

it('A 5xx after a request met the close of an idle connection says so', () => {
  const { judge, known, tallies } = judging();
  known.behind.metIdleClose = true;
  expect(judge(plainExchange({ status: 502, json: ERROR }), { hasUpstream: true }).outcome).toBe('failed');
  const [finding] = tallies.failed.findings;
  expect(finding).toMatchObject({ actualType: 'closed', actual: { status: 502, afterIdleClose: true } });
  expect(formatActual(finding!.actual)).toContain('an idle connection that the scripted upstream was closing');
});

describe('A request that reached the upstream', () => {
  const sent = { model: 'small', messages: [{ role: 'user', content: 'Say ab.' }], max_tokens: 16 };
  const exchange = plainExchange({ json: COMPLETION, sent });
  const judgedAs = (given: GivenCall, ...arrived: readonly object[]) => {
    const { judge, broken, known } = judging(['small', 'large=inner']);
    known.behind.arrived = arrived.map((body) => JSON.stringify(body));
    return [judge(exchange, given).outcome, broken()];
  };
  const judged = (...arrived: readonly object[]) => judgedAs({}, ...arrived);

  it('is right as text parts, with more text around it, a smaller limit and a name of its own', () => {
    const content = [{ type: 'text', text: 'Say ab.' }];
    const { max_tokens: _limit, ...other } = sent;
    const parts = { ...other, model: 'x', messages: [{ role: 'user', content }], max_completion_tokens: 8 };
    const longer = { ...sent, messages: [{ role: 'user', content: 'Be brief. Say ab.' }] };
    expect([judged(), judged(parts), judged(longer)]).toEqual([1, 2, 3].map(() => ['answered', []]));
  });

  it('breaks a clause without its text or its limit, in any of its calls', () => {
    const cut = { ...sent, messages: [{ role: 'user', content: 'Say a' }] };
    expect(judged(sent, cut)).toEqual(['broken', ['messages']]);
    expect(judged({ ...sent, max_tokens: 17 }, sent)).toEqual(['broken', ['token-limit']]);
    expect(judgedAs({ hasLeft: true }, cut)).toEqual(['broken', ['messages']]);
  });

  it('is not compared in its limit if it has a value that should not arrive at all', () => {
    const raised = { ...sent, max_tokens: 17 };
    const refused = { kind: 'refusal' } as const;
    expect(judgedAs(refused, raised)).toEqual(['broken', ['refusal']]);
    expect(judgedAs(refused, { ...raised, messages: [] })).toEqual(['broken', ['messages', 'refusal']]);
  });

  it('may have any number of names, of which a bounded number is remembered', () => {
    const { judge, tallies, known, arrivedAs } = judging(['small', 'tiny']);
    const look = (model: string, arrived: string) => {
      known.behind.arrived = [JSON.stringify({ ...sent, model: arrived })];
      judge(plainExchange({ json: COMPLETION, sent: { ...sent, model } }));
    };
    for (let at = 0; at < 1_100; at++) look('small', `made-up-${at}`);
    look('tiny', 'made-up-0');
    expect([arrivedAs.size, tallies.model.judged, tallies.model.broken]).toEqual([1_000, 1_101, 1]);
  });

  it('breaks a clause under the name of another model', () => {
    const { judge, tallies, known } = judging(['small', 'large=inner', 'tiny']);
    const look = (model: string, arrived: string) => {
      known.behind.arrived = [JSON.stringify({ ...sent, model: arrived })];
      judge(plainExchange({ json: COMPLETION, sent: { ...sent, model } }));
      return tallies.model.findings.map(({ expected }) => expected);
    };
    expect([look('small', 'a'), look('large', 'inner'), look('small', 'b'), look('other', 'a')].flat()).toEqual([]);
    expect(look('large', 'a')).toMatchObject([{ kind: 'upstream-model' }]);
    expect(tallies.model).toMatchObject({ judged: 4, broken: 1 });
    expect(judging(['small', 'tiny']).judge(exchange).outcome).toBe('answered');
  });
});
