/** Whole runs of both ends: a correct relay conforms, and a relay with a fault is found for the right reason. */
import { describe, expect, it } from 'vitest';
import { runRelay, startRelayUpstream } from '../src/relay/run-relay.ts';
import type { JsonMap, RelayModifier } from '../src/selftest/relays/relay-modifier.ts';
import { errorAnswer, jsonAnswer, RELAY_KEYS, startSmallRelay } from '../src/selftest/relays/small-relay.ts';
import { DEFAULT_SETTINGS } from '../src/settings.ts';

const RECOVERY = 1_000;

async function check(modifier: RelayModifier, ...only: readonly string[]) {
  const relaySettings = { ...DEFAULT_SETTINGS.relay, recovery: RECOVERY };
  const settings = {
    ...DEFAULT_SETTINGS,
    relay: relaySettings,
    only: only.map((name) => `relay/${name}`),
    baseUrl: '',
  };
  const keys = { full: RELAY_KEYS.full, second: RELAY_KEYS.second };
  const started = await startRelayUpstream(settings, keys, 0);
  const relay = await startSmallRelay({ upstreamUrl: started.upstream.url, modifiers: [modifier] });
  try {
    return await runRelay({ ...settings, baseUrl: relay.baseUrl }, keys, started);
  } finally {
    await relay.close();
  }
}

async function brokenIn(modifier: RelayModifier, ...only: readonly string[]) {
  const { cases } = await check(modifier, ...only);
  const broken = cases.flatMap(({ expectations }) =>
    expectations.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ clause }) => clause),
  );
  return [...new Set(broken)].toSorted();
}

describe('A correct relay', () => {
  it('conforms in every must clause, within 250 calls', { timeout: 90_000 }, async () => {
    const report = await check({});
    const wrong = report.cases.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    expect(wrong.map(({ id, verdict }) => [id, verdict])).toEqual([]);
    expect([report.outcome.name, report.ending.kind, report.subject]).toEqual(['conforms', 'complete', 'relay']);
    expect(report.cost.used.requests).toBeLessThanOrEqual(250);
  });

  it('has both ends in its report, with the key of neither', async () => {
    const report = await check({}, 'plain');
    const [plain] = report.cases;
    expect(plain?.relay).toEqual({ front: ['relay/plain'], upstream: ['relay/plain@1'] });
    const upstream = report.exchanges.find(({ id }) => id === 'relay/plain@1');
    expect(upstream?.side).toBe('upstream');
    expect(plain?.repeat).toContain('--only relay/plain --out none');
    for (const key of Object.values(RELAY_KEYS)) expect(JSON.stringify(report)).not.toContain(key);
  });
});

type Chunk = { readonly choices: readonly { readonly delta: { readonly content?: string } }[] };

describe('A legal relay', () => {
  const retold = (chunk: JsonMap): JsonMap => ({ ...chunk, id: `other-${Math.random()}`, provider: 'x' });

  it.each<[string, RelayModifier]>([
    [
      'adds fields and headers, and renames ids',
      {
        reply: retold,
        chunk: (chunk) => [retold(chunk)],
        answerHeaders: (headers) => ({ ...headers, 'X-Served-By': 'x' }),
        requestHeaders: (headers) => ({ ...headers, 'X-Request-Id': '1' }),
      },
    ],
    [
      'sends text parts and max_completion_tokens',
      {
        request: ({ max_tokens: limit, messages, ...rest }) => ({
          ...rest,
          ...(limit !== undefined && { max_completion_tokens: limit }),
          messages: (messages as readonly { readonly content: string }[]).map((message) => ({
            ...message,
            content: [{ type: 'text', text: message.content }],
          })),
        }),
      },
    ],
    ['retries once before output, and cuts broken streams', { attempts: 2, midStream: 'cut' }],
    [
      'drops the end of a choice that nobody asked for',
      {
        chunk: (chunk) =>
          (chunk['choices'] as readonly JsonMap[]).some(
            ({ index, delta, finish_reason: end }) =>
              index === 1 && (end !== null || (delta as JsonMap)['role'] !== undefined),
          )
            ? []
            : [chunk],
      },
    ],
    ['coalesces chunks, and closes broken streams', { holdBack: 300, midStream: 'close' }],
  ])('that %s is left alone', { timeout: 60_000 }, async (_title, modifier) => {
    const only = ['plain*', 'stream*', 'forward*', 'break*', 'fail-5*', 'fail-reset*', 'fail-c*'];
    expect(await brokenIn(modifier, ...only)).toEqual([]);
  });
});

describe('A relay that', () => {
  it.each<[string, RelayModifier, readonly string[], readonly string[]]>([
    [
      'turns a truncated stream into a proper end',
      { midStream: 'proper-end' },
      ['break-cut'],
      ['relay.mid-stream-failure'],
    ],
    [
      'calls again after output',
      { retriesAfterOutput: true },
      ['break-once'],
      ['relay.mid-stream-failure', 'relay.second-call', 'relay.text'],
    ],
    ['holds a stream back', { holdBack: Infinity }, ['stream-pieces'], ['relay.pieces']],
    [
      'drops max_tokens',
      { request: (body) => ({ ...body, max_tokens: undefined }) },
      ['forward-max-tokens'],
      ['relay.token-limit'],
    ],
    [
      'trims messages',
      { request: (body) => JSON.parse(JSON.stringify(body).replaceAll(/(\\n|\\t| )+"/g, '"')) as typeof body },
      ['forward-white-space'],
      ['relay.messages'],
    ],
    [
      "sends the client's key on",
      { requestHeaders: (headers, { key }) => ({ ...headers, Authorization: `Bearer ${key}` }) },
      ['client-key'],
      ['relay.client-key'],
    ],
    [
      "shows the upstream's key",
      { answerHeaders: (headers) => ({ ...headers, 'X-Debug': RELAY_KEYS.upstream }) },
      ['upstream-key'],
      ['relay.upstream-key'],
    ],
    [
      'turns errors into text',
      {
        failure: () =>
          jsonAnswer(200, {
            choices: [{ index: 0, message: { role: 'assistant', content: 'Sorry!' }, finish_reason: 'stop' }],
          }),
      },
      ['fail-500'],
      ['relay.failure-known'],
    ],
    ['turns errors into an empty 200', { failure: () => jsonAnswer(200, {}) }, ['fail-500'], ['relay.failure-known']],
    [
      'answers failures with HTML',
      { failure: () => ({ status: 502, headers: {}, body: '<h1>502</h1>' }) },
      ['fail-reset'],
      ['relay.failure-form'],
    ],
    [
      'drops Retry-After',
      { failure: () => errorAnswer(429, 'x', 'y') },
      ['fail-429-retry-after'],
      ['relay.retry-after'],
    ],
    [
      'mixes replies',
      {
        reply(body, { memory }) {
          const last = memory.get('last') ?? body;
          memory.set('last', body);
          return last as typeof body;
        },
      },
      ['parallel'],
      ['relay.own-reply'],
    ],
    [
      'invents usage',
      { reply: (body) => ({ ...body, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }) },
      ['plain-no-usage'],
      ['relay.usage'],
    ],
    [
      'drops the last piece',
      { chunk: (chunk) => ((chunk as unknown as Chunk).choices[0]?.delta.content?.endsWith('here.') ? [] : [chunk]) },
      ['stream'],
      ['relay.text'],
    ],
    [
      'decodes every read on its own',
      {
        async *readEvents(bytes) {
          let rest = '';
          for await (const part of bytes) {
            rest += Buffer.from(part).toString();
            const blocks = rest.split('\n\n');
            rest = blocks.pop() ?? '';
            for (const block of blocks) yield { name: '', data: block.replace('data: ', '') };
          }
        },
      },
      ['stream-cut-anywhere'],
      ['relay.text'],
    ],
    [
      'sends only the last message',
      { request: (body) => ({ ...body, messages: (body['messages'] as readonly unknown[]).slice(-1) }) },
      ['forward-roles', 'forward-same-role'],
      ['relay.messages'],
    ],
    [
      'caches across keys',
      {
        shortcut: ({ body, memory }) => memory.get(JSON.stringify(body)) as ReturnType<typeof jsonAnswer> | undefined,
        reply(reply, { body, memory }) {
          memory.set(JSON.stringify(body), jsonAnswer(200, reply));
          return reply;
        },
      },
      ['second-key'],
      ['relay.other-key'],
    ],
  ])('%s is found', { timeout: 30_000 }, async (_title, modifier, only, clauses) => {
    expect(await brokenIn(modifier, ...only)).toEqual(clauses);
  });

  it('never calls its upstream ends the run with what to set', async () => {
    const report = await check({ shortcut: () => errorAnswer(404, 'model_not_found', 'No such model.') });
    expect(report.ending).toMatchObject({ kind: 'no-upstream-call', model: 'small-relay', status: 404, others: [] });
    expect(report.outcome.exit).toBe(3);
  });

  it('dies in the middle is not accused of what it was asked later', async () => {
    let isDead = false;
    const report = await check(
      {
        shortcut({ body }) {
          isDead ||= JSON.stringify(body).includes('The third message');
          return isDead ? errorAnswer(503, 'gone', 'Gone.') : undefined;
        },
      },
      'forward-*',
    );
    expect([report.ending.kind, report.outcome.exit]).toEqual(['not-recovered', 3]);
    expect(report.counts.cases.fail).toBe(0);
  });

  it('is dead after a failure proves nothing', async () => {
    let isDead = false;
    const report = await check(
      {
        shortcut: () => (isDead ? errorAnswer(503, 'cooling_down', 'Wait.') : undefined),
        failure(_failure, _call, usual) {
          isDead = true;
          return usual;
        },
      },
      'fail-500',
      'fail-503',
    ).catch((error: unknown) => error);
    expect(report).toMatchObject({ ending: { kind: 'not-recovered', after: 'relay/fail-500' }, outcome: { exit: 3 } });
  });
});
