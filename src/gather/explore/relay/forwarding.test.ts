/** Both ends of drawn requests: each comparison is seen to hold and to fail. */
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { Traffic } from '../../../exchange/traffic.ts';
import type { JsonObject } from '../../../json.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../settings.ts';
import { judgeForwarding } from './forwarding.ts';

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:9/v1' };
const SENT = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Say 🌊.' },
  ],
  max_tokens: 20,
  temperature: 0.7,
};
const [MARK, OTHER] = ['bcdfghjklmnpqr', 'zxwvtsrqpnmlkj'];

function exchange(id: string, body: JsonObject, text: string, cause?: string): Exchange {
  const reply = {
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 21, completion_tokens: 3, total_tokens: 24 },
  };
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(reply)));
  const answer = {
    status: 200,
    headers: [['content-type', 'application/json']],
    body: { bytes, end: { kind: 'complete' } },
    headersAt: 1,
    endAt: 2,
  };
  return {
    id,
    step: id,
    seeks: 'any',
    ...(cause !== undefined && { side: 'upstream', cause }),
    request: { endpoint: 'chat', mode: 'plain', method: 'POST', path: '/', headers: [], body: JSON.stringify(body) },
    attempts: [{ sentAt: 0, pause: 0, outcome: { kind: 'answer', answer }, secretsSeen: [] }],
  } as unknown as Exchange;
}

/** The clauses that are broken if this arrives, and this comes back. `earlier`: another request of the run. */
function brokenBy(arrived: JsonObject | undefined, text = `${MARK} is it.`, earlier?: JsonObject): readonly string[] {
  const front = exchange('explore/2', SENT, text);
  const calls = [
    ...(arrived ? [exchange('explore/2@1', arrived, `${MARK} is it.`, 'explore/2')] : []),
    ...(earlier ? [exchange('explore/1@1', earlier, `${OTHER} is it.`, 'explore/1')] : []),
  ];
  const exchanges = [...(earlier ? [exchange('explore/1', earlier, `${OTHER} is it.`)] : []), front];
  const traffic = { exchanges, bindings: {}, ending: { kind: 'complete' }, notices: [] } as unknown as Traffic;
  const ends = {
    callsOf: ({ id }: Exchange) => calls.filter(({ cause }) => cause === id),
    soFar: () => traffic,
  };
  return judgeForwarding([front], ends, SETTINGS).flatMap(({ clause, verdict }) =>
    verdict === 'fail' || verdict === 'warn' ? [clause] : [],
  );
}

describe('A request that arrives', () => {
  const parts = SENT.messages.map(({ role, content }) => ({ role, content: [{ type: 'text', text: content }] }));
  it.each([
    ['as it was sent', SENT],
    ['with another model and further fields', { ...SENT, model: 'inner', user: 'x' }],
    [
      'as text parts, with a smaller limit under its newer name',
      { ...SENT, messages: parts, max_tokens: null, max_completion_tokens: 10 },
    ],
    ['in single precision', { ...SENT, temperature: Math.fround(0.7) }],
  ])('%s breaks nothing', (_how, arrived) => {
    expect(brokenBy(arrived)).toEqual([]);
  });

  const [system, user] = SENT.messages;
  it.each([
    ['relay.messages', { ...SENT, messages: [system, { role: 'user', content: 'Say ??.' }] }],
    ['relay.message-list', { ...SENT, messages: [user, system] }],
    ['relay.roles', { ...SENT, messages: [{ ...system, role: 'user' }, user] }],
    ['relay.token-limit', { ...SENT, max_tokens: 64 }],
    ['relay.sampling', { ...SENT, temperature: 1 }],
  ])('with a difference breaks %s', (clause, arrived) => {
    expect(brokenBy(arrived as JsonObject)).toEqual([clause]);
  });
});

describe('A reply', () => {
  const other = { ...SENT, temperature: 1.5 };
  it("that is not the upstream's breaks relay.text", () => {
    expect(brokenBy(SENT, `${MARK} is`)).toEqual(['relay.text']);
  });

  it('to another request breaks relay.own-reply, with a call or without', () => {
    expect(brokenBy(SENT, `${OTHER} is it.`, other)).toEqual(['relay.own-reply']);
    expect(brokenBy(undefined, `${OTHER} is it.`, other)).toEqual(['relay.own-reply']);
  });

  it('from a cache breaks nothing: to the same question, or from before the run', () => {
    expect(brokenBy(undefined, `${OTHER} is it.`, { ...SENT, x_wirecheck_note: 1 })).toEqual([]);
    expect(brokenBy(undefined, `${OTHER} is it.`, undefined)).toEqual([]);
  });

  it('without a call and without a mark is invented', () => {
    expect(brokenBy(undefined, 'Hello!', other)).toEqual(['relay.text']);
  });
});

it('Without any call, the gateway did not call its upstream, unless the run ended first', () => {
  const reasonsAfter = (ending: Traffic['ending']) => {
    const traffic = { exchanges: [], bindings: {}, ending, notices: [] } as unknown as Traffic;
    const verdicts = judgeForwarding([], { callsOf: () => [], soFar: () => traffic }, SETTINGS);
    return [...new Set(verdicts.flatMap(({ clause, reason }) => (clause === 'relay.model' ? [] : reason?.kind)))];
  };
  expect(reasonsAfter({ kind: 'complete' })).toEqual(['relay-not-forwarded']);
  expect(reasonsAfter({ kind: 'interrupted' })).toEqual(['run-ended']);
  expect(reasonsAfter({ kind: 'budget', setting: 'max-time' })).toEqual(['run-ended']);
});

it('Models are compared only where the user named two', () => {
  const traffic = { exchanges: [], bindings: {}, ending: { kind: 'complete' }, notices: [] } as unknown as Traffic;
  const reasonWith = (...upstreamModel: readonly string[]) =>
    judgeForwarding(
      [],
      { callsOf: () => [], soFar: () => traffic },
      {
        ...SETTINGS,
        relay: { ...SETTINGS.relay, upstreamModel },
      },
    ).find(({ clause }) => clause === 'relay.model')?.reason;
  expect(reasonWith('m1')).toEqual({ kind: 'needs', settings: ['upstream-model'] });
  expect(reasonWith('m1', 'm2')).toEqual({ kind: 'relay-not-forwarded' });
});
