/**
 * Explorations of gateways that give no answer, die, or stop taking the key, or whose fault is easily counted for something
 * else. Each draws no more than it needs: `npm run explore` and `test/golden/explore.test.ts` have long ones.
 */
import { describe, expect, it } from 'vitest';
import { answerAfter } from '../../../test/kit/answer-after.ts';
import { exploreFor, FIXED, seeded } from '../../../test/kit/explored.ts';
import { brokenClauses } from '../../../test/kit/real-run.ts';
import { textReply } from '../../gateway/answer.ts';
import type { Call } from '../../gateway/call.ts';
import { put } from '../../gateway/change.ts';
import { errorAnswer, refuseIf } from '../../gateway/change-answer.ts';
import { hasNumber, isChat, isPlain, isStream } from '../../gateway/call-tests.ts';
import type { Modifier } from '../../gateway/index.ts';

const says =
  (pattern: RegExp) =>
  (call: Call): boolean =>
    isChat(call) && pattern.test(JSON.stringify(call.body['messages'] ?? ''));

const hangUp = (test: (call: Call) => boolean): Modifier => ({
  title: 'x',
  only: test,
  before: () => ({ kind: 'hang-up', how: 'close' }),
});

const refuseWith = (status: number, only: (call: Call) => boolean): Modifier => ({
  title: 'x',
  only,
  before: () => errorAnswer(status),
});

describe('A connection that is closed', { timeout: 60_000 }, () => {
  it('on valid and invalid requests alike is no answer: not judged, and shrunk without the violation', async () => {
    const { report } = await exploreFor({ modifiers: [hangUp(says(/"system"/))] }, seeded(2));
    expect(brokenClauses(report)).toEqual([]);
    expect(report.outcome.exit).toBe(3);
    const findings = report.explore?.findings ?? [];
    expect(findings.map(({ silence, isShrunk }) => [silence, isShrunk])).toEqual([['closed', true]]);
    const body = report.exchanges.find(({ id }) => id === findings[0]?.exchange)?.body ?? '';
    expect(Object.keys(JSON.parse(body) as object).toSorted()).toEqual(['max_tokens', 'messages', 'model']);
  });

  it('on violations alone is an error without a body', async () => {
    const { report } = await exploreFor({ fault: 'transport-limits-reset' }, seeded(19));
    expect(brokenClauses(report)).toEqual(['errors.json']);
    expect(report.outcome.exit).toBe(1);
    expect(report.explore?.findings.flatMap(({ difference }) => difference)).toMatchObject([
      { pointer: '/temperature' },
    ]);
  });

  it('on every violation is one finding without a difference, and leaves their clauses open', async () => {
    const { report } = await exploreFor({ fault: 'transport-refusal-hangs-up' }, 12);
    expect(brokenClauses(report)).toEqual(['errors.json']);
    expect(report.explore?.findings.map(({ difference }) => difference)).toEqual([[]]);
    const refusals = report.cases.filter(({ id }) => id.startsWith('explore/refused['));
    expect(refusals.length).toBeGreaterThan(2);
    expect(refusals.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
  });
});

describe('A key', { timeout: 60_000 }, () => {
  it.each([
    [401, 5],
    [402, 8],
  ])(
    'that is refused with %d from call %d on ends the run, which is not judged from there on',
    async (status, calls) => {
      const { report } = await exploreFor({ modifiers: [answerAfter(calls, errorAnswer(status))] }, 6);
      expect(report.ending).toEqual({ kind: 'key-ended', status });
      expect(brokenClauses(report)).toEqual([]);
      expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
      expect(report.explore?.findings).toEqual([]);
    },
  );

  const page = textReply(200, 'text/html', '<!doctype html><html><title>Sign in</title></html>');

  it('that leads to a login page from some call on ends the run as well', async () => {
    const { report } = await exploreFor({ modifiers: [answerAfter(5, page)] }, 6);
    expect(report.ending).toEqual({ kind: 'key-ended', status: 200 });
    expect([brokenClauses(report), report.outcome.exit, report.explore?.findings]).toEqual([[], 3, []]);
  });

  it('that leads to a page for some requests breaks the contract', async () => {
    const some: Modifier = { title: 'x', only: says(/"system"/), before: () => page };
    const { report } = await exploreFor({ modifiers: [some] }, seeded(3));
    expect([report.ending.kind, report.outcome.exit]).toEqual(['complete', 1]);
  });

  it('that only some requests are refused for breaks the contract', async () => {
    const { report } = await exploreFor({ modifiers: [refuseWith(402, says(/"system"/))] }, seeded(3));
    expect(report.ending.kind).toBe('complete');
    expect(brokenClauses(report)).toContain('message.roles');
    expect(report.outcome.exit).toBe(1);
  });
});

it('Draws in flight when the gateway dies are named with their paths', { timeout: 60_000 }, async () => {
  let isDead = false;
  const dies = hangUp((call) => (isDead ||= says(/"system"/)(call)));
  const { report } = await exploreFor({ modifiers: [dies] }, 6, { concurrency: 1 });
  const { ending } = report;
  if (ending.kind !== 'stopped-answering') throw new Error(`ended with ${ending.kind}`);
  const [path = ''] = ending.drawn?.paths ?? [];
  expect(ending.suspects).toEqual([`explore/${path}`]);
  expect(ending.drawn?.seed).toBe(report.provenance.seed);
  isDead = false;
  const again = await exploreFor({ modifiers: [dies] }, path);
  expect(again.report.ending.kind).toBe('stopped-answering');
});

describe('An exploration', { timeout: 60_000 }, () => {
  it('still sends violations at --max-completions, and never exceeds it', async () => {
    const { report } = await exploreFor({ fault: 'param-temperature-above-accepted' }, 60, { maxCompletions: 6 });
    expect(report.ending).toMatchObject({ kind: 'budget', setting: 'max-completions' });
    expect(report.cost.used.completions).toBe(6);
    expect(brokenClauses(report)).toEqual(['limits.temperature']);
    expect(report.outcome.exit).toBe(1);
  });

  it('that may ask nothing again reports a 5xx that stayed as drawn', async () => {
    const explore = { requests: FIXED + 3, completions: 295, shrinkCompletions: 0 };
    const { report } = await exploreFor({ modifiers: [refuseWith(500, says(/"system"/))] }, 3, { explore });
    expect(report.outcome.exit).toBe(1);
    expect(report.explore?.findings.map(({ isShrunk }) => isShrunk)).toContain(false);
  });

  it('of a gateway without streams blames nothing that is special about a drawn stream', async () => {
    const { report } = await exploreFor({ modifiers: [refuseWith(400, isStream)] }, 7);
    expect(brokenClauses(report)).toEqual(['stream.answers']);
    const levels = { 'stream.answers': 'observe' } as const;
    const observed = await exploreFor({ modifiers: [refuseWith(400, isStream)] }, 7, { levels });
    expect(brokenClauses(observed.report)).toEqual([]);
  });

  it('finds no reason in a request that is refused every other time', async () => {
    let turn = 0;
    const { report } = await exploreFor(
      { modifiers: [refuseWith(400, (call) => isPlain(call) && (turn += 1) % 2 === 0)] },
      12,
    );
    const findings = report.explore?.findings ?? [];
    expect(findings.flatMap(({ difference }) => difference)).toEqual([]);
    expect(brokenClauses(report)).toEqual(['endpoint.chat-answers']);
    expect(findings.every(({ intermittent, neighbour }) => intermittent && neighbour === undefined)).toBe(true);
  });
});

/** As a proxy does that leaves the limits to its upstream, and then fails at what that says. */
const refusalLost: Modifier = {
  title: 'x',
  refusal: (reason) =>
    /^(model|messages|body)-/.test(reason.rule)
      ? reason
      : { ...reason, status: 502, code: 'upstream_error', message: 'Error processing upstream provider response' },
  answer: (reply, call) =>
    reply.status === 502 && isStream(call)
      ? textReply(200, 'text/event-stream', 'data: {"error":{"message":"failed"}}\n\n')
      : reply,
};

it('A violation that its upstream refuses is one finding if it is a 5xx, and one if it is an error in a stream', async () => {
  const { report } = await exploreFor({ modifiers: [refusalLost] }, 100);
  const findings = report.explore?.findings ?? [];
  expect(findings.map(({ difference, isShrunk, draws }) => [difference, isShrunk, draws > 3])).toEqual([
    [[], true, true],
    [[], true, true],
  ]);
}, 60_000);

it('Three faults that show in different ways are three findings, of which the last is as small as the first', async () => {
  const faults: readonly Modifier[] = [
    { refuse: hasNumber('temperature', (value) => value > 1) },
    { refuse: refuseIf(says(/\p{Script=Hebrew}/u), 500) },
    { only: (call) => isStream(call) && 'top_p' in call.body, chunks: (all) => all.map(put('/id', 7)) },
  ];
  const { report } = await exploreFor({ modifiers: faults }, 100);
  const findings = report.explore?.findings ?? [];
  const places = findings.map(({ isShrunk, difference, beside = [] }) => [
    isShrunk,
    [...difference, ...beside].map(({ pointer }) => pointer).toSorted(),
  ]);
  expect(places).toHaveLength(3);
  expect(places).toEqual(
    expect.arrayContaining([
      [true, ['/temperature']],
      [true, ['/messages/0/content']],
      [true, ['/stream', '/top_p']],
    ]),
  );
}, 60_000);

it('A connection that is dropped on its second call each time is not judged, and shown as a sequence', async () => {
  const dropped = hangUp((call) => isChat(call) && call.previous?.place === 1);
  const { report } = await exploreFor({ modifiers: [dropped] }, seeded(8));
  expect([report.outcome.exit, brokenClauses(report)]).toEqual([3, []]);
  expect(report.explore?.findings.map(({ silence, length }) => [silence, length])).toEqual([['closed', 2]]);
}, 60_000);
