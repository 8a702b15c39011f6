import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Call } from './call.ts';
import { type FaultId, type Modifier, type VariantId, FAULTS, KEYS, startGateway, VARIANTS } from './index.ts';
import { isObject } from './json.ts';
import { MODELS, RateLimit } from './access.ts';
import { jsonReply } from './answer.ts';
import { respond } from './respond.ts';

const isFault = (id: string): id is FaultId => Object.hasOwn(FAULTS, id);
const isVariant = (id: string): id is VariantId => Object.hasOwn(VARIANTS, id);
const FAULT_IDS = Object.keys(FAULTS).filter(isFault);
const VARIANT_IDS = Object.keys(VARIANTS).filter(isVariant);
const CHAT = { model: 'sea-large', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 3 };

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly query?: string;
  readonly times?: number;
}

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const chat = (edit: object = {}, more: Sent = {}): Sent => ({
  path: '/chat/completions',
  method: 'POST',
  headers: { ...bearer(KEYS.full), 'content-type': 'application/json', 'accept-encoding': 'gzip, deflate, br' },
  body: { ...CHAT, ...edit },
  ...more,
});
const models = (more: Sent = {}): Sent => ({ path: '/models', method: 'GET', headers: bearer(KEYS.full), ...more });
const message = (edit: object): object => ({ messages: [{ role: 'user', content: 'Hi', ...edit }] });
const roles = (...names: string[]): object => ({ messages: names.map((role) => ({ role, content: 'Hi' })) });

/** The same body with another order of keys, white space, escapes and decimals. */
function respell(body: object): string {
  const reversed = Object.fromEntries(Object.entries(body).toReversed());
  const text = JSON.stringify(reversed, null, 2).replaceAll(/: 1\b/g, ': 1.0');
  return `\n${text.replace('Hi', String.raw`\u0048i \ud83c\udf0a`)}`;
}

/** One request for everything that a modifier may look at. */
const BATTERY: readonly Sent[] = [
  models(),
  models({ query: 'limit=1' }),
  models({ headers: { ...bearer(KEYS.full), origin: 'https://page.example' } }),
  models({ query: `key=${KEYS.full}`, headers: {} }),
  models({ method: 'HEAD' }),
  models({ method: 'DELETE' }),
  models({ path: '/elsewhere' }),
  ...[
    KEYS.restricted,
    KEYS.revoked,
    KEYS.expired,
    `${KEYS.full}x`,
    `${KEYS.full}-zzz`,
    KEYS.full.slice(0, -1),
    'sk-service-unknown0123456789',
    'abc',
  ].map((key) => models({ headers: bearer(key) })),
  ...['', 'Bearer ', `Basic ${KEYS.full}`, KEYS.full, `bearer ${KEYS.full}`].map((authorization) =>
    models({ headers: { authorization } }),
  ),
  models({ headers: { 'x-api-key': KEYS.full } }),
  ...[KEYS.full.toUpperCase(), `${KEYS.full.slice(0, -1)}x`, 'sk-service-', `${KEYS.full} x`].map((key) =>
    models({ headers: bearer(key) }),
  ),
  models({ headers: { authorization: `x Bearer ${KEYS.full}` } }),
  models({ headers: { authorization: `Bearer x ${KEYS.full}` } }),
  models({ headers: { authorization: `Basic ${Buffer.from(`:${KEYS.full}`).toString('base64')}` } }),
  models({ headers: { authorization: 'Bearer pk-live-q7Zt3mKx9LwB2vRfYd8HsNc4' } }),
  chat({}, { times: 3 }),
  chat({ stream: true }, { times: 3 }),
  chat({ stream: true, max_tokens: 0 }),
  chat({ stream: true, max_tokens: 64 }),
  chat({ max_tokens: undefined }),
  chat({ stream: false }),
  ...['prompt_cache_key', 'seed', 'stream_options', 'reasoning_effort', 'parallel_tool_calls'].map((field) =>
    chat({ [field]: 1 }),
  ),
  chat({ Temperature: 3 }),
  chat({ stream: true, stream_options: { include_usage: true } }),
  chat({}, { headers: {} }),
  chat({ stream: true }, { headers: {} }),
  chat({}, { headers: bearer(`${KEYS.full}x`) }),
  chat({}, { body: '{', headers: {} }),
  chat({}, { headers: bearer(KEYS.restricted) }),
  chat({}, { headers: bearer(KEYS.exhausted) }),
  chat({ stream: true }, { headers: bearer(KEYS.restricted) }),
  chat({ model: 'sea-small', stream: true }, { headers: bearer(KEYS.restricted) }),
  chat({ stream: true }, { headers: bearer(KEYS.exhausted) }),
  chat({ stream: true }, { headers: bearer(KEYS.revoked) }),
  chat({}, { body: JSON.stringify({ x: 'x'.repeat(4 * 1024 * 1024) }) }),
  chat({}, { headers: bearer(KEYS.limited), times: 4 }),
  chat({}, { headers: { ...bearer(KEYS.full), 'content-type': 'application/json; charset=utf-8' } }),
  chat({}, { headers: { ...bearer(KEYS.full), accept: 'text/event-stream' } }),
  ...[
    '',
    '{',
    '{"max_tokens": 1}',
    '[]',
    '5',
    `${JSON.stringify(CHAT)} garbage`,
    '{"model":"sea-large",}',
    '/* */{}',
  ].map((body) => chat({}, { body })),
  chat({ stream: true }, { headers: { ...bearer(KEYS.full), accept: 'application/json' } }),
  chat({ model: 'sea-none' }, { headers: {} }),
  chat({}, { body: '', headers: {} }),
  chat({}, { query: `api_key=${KEYS.full}`, headers: {} }),
  ...['Bearer ', 'Bearer abc', `Bearer ${KEYS.full.slice(0, -1)}`, `Basic ${KEYS.full}`, KEYS.full].map(
    (authorization) => chat({}, { headers: { authorization } }),
  ),
  ...[{}, { temperature: 1 }, { top_p: 1 }, { stream: true }, { stream: true, top_p: 1 }].map((edit) =>
    chat({}, { body: respell({ ...CHAT, ...edit }) }),
  ),
  chat({}, { body: JSON.stringify(CHAT).replace('max', String.raw`\u006dax`) }),
  chat({ temperature: 2.000_000_1 }),
  chat({ top_p: 1 }, { headers: { ...bearer(KEYS.full), 'content-type': 'application/json; charset=utf-8' } }),
  chat({}, { headers: { AUTHORIZATION: `Bearer ${KEYS.full}`, 'CONTENT-TYPE': 'application/json' } }),
  ...[
    { model: undefined },
    { model: 5 },
    { model: 'sea-none' },
    { model: 'sea-old' },
    { messages: undefined },
    { messages: 'Hi' },
    { messages: ['Hi'] },
    { messages: [] },
    message({ role: undefined }),
    message({ role: 5 }),
    message({ role: 'robot' }),
    message({ content: undefined }),
    message({ content: 5 }),
    message({ content: '' }),
    message({ content: '海' }),
    message({ content: 'long '.repeat(2000) }),
    message({ name: 'x' }),
    roles('system', 'user'),
    roles('user', 'assistant', 'user'),
    roles('system', 'user', 'assistant', 'user', 'user'),
    roles('user', 'user'),
    roles('user', 'robot'),
    message({ content: 'the sea '.repeat(3_000) }),
    { ...message({ content: 'the sea '.repeat(3_000) }), stream: true },
    roles('user', 'assistant'),
    roles('user', 'assistant', 'assistant', 'user'),
    roles('system'),
    { messages: [null] },
    { messages: [{ role: 'user', content: 'Hi' }, { role: 'user' }] },
    { messages: [{ role: 'user', content: 'Hi' }, { content: 'Hi' }] },
    ...['"', '\\', '\n', '<'].map((content) => message({ content })),
    { ...roles('system', 'user'), stream: true },
    { ...roles('user', 'assistant', 'user'), stream: true },
    ...[{ temperature: -0.1 }, { top_p: -0.1 }, { temperature: 1 }, { top_p: 0.5 }].map((edit) => ({
      ...edit,
      stream: true,
    })),
    { stream: true, max_tokens: undefined },
    { stop: ['x'] },
    { tools: [] },
    { temperature: 0.7 },
    { user: 'x' },
    ...[1, 0, -1, 1.5, '1', null].map((value) => ({ max_tokens: value })),
    ...[0, 2, 2.1, -1, '1', 1e301].map((value) => ({ temperature: value })),
    ...[0, 1, 1.1, -0.1, '1'].map((value) => ({ top_p: value })),
    { temperature: 1, top_p: 1 },
    { stream: 'true' },
  ].map((edit) => chat(edit)),
];

/** Every answer of a gateway with these modifiers, without a socket, one after the other as it is asked for. */
function* answersOf(modifiers: readonly Modifier[]): Generator<string> {
  const basePath = modifiers[0]?.basePath ?? '/v1';
  const deployment = {
    modifiers,
    keys: { ...KEYS, ...modifiers[0]?.keys },
    models: modifiers[0]?.models?.(MODELS) ?? MODELS,
    eventGapMs: modifiers[0]?.eventGapMs ?? 3,
    seed: 1,
    rateLimit: new RateLimit(),
  };
  const ordinals = new Map<string, number>();
  let number = 0;
  for (const sent of BATTERY) {
    for (let attempt = 1; attempt <= (sent.times ?? 1); attempt++) {
      number += 1;
      const call = callOf(sent, { number, attempt, basePath });
      const kind = `${call.endpoint} ${call.streamed}`;
      ordinals.set(kind, (ordinals.get(kind) ?? 0) + 1);
      const answer = respond({ ...call, ordinal: ordinals.get(kind) ?? 1 }, deployment);
      yield JSON.stringify([basePath, answer]);
    }
  }
}

function callOf(
  sent: Sent,
  { number, attempt, basePath }: { number: number; attempt: number; basePath: string },
): Call {
  const { method = 'GET', path = '/', body, query = '' } = sent;
  // As Node gives them.
  const headers = Object.fromEntries(
    Object.entries(sent.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { text, parsed } = textOf(body);
  const fields = isObject(parsed) ? parsed : {};
  return {
    number,
    ordinal: 0,
    attempt,
    method,
    path: basePath + path,
    query: new URLSearchParams(query),
    headers,
    headerNames: Object.keys(sent.headers ?? {}),
    endpoint: path === '/models' ? 'models' : path === '/chat/completions' ? 'chat' : 'other',
    streamed: fields['stream'] === true,
    bearer: /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1],
    text,
    tooLarge: false,
    parsed,
    body: fields,
    underWay: ['Say lukitobeza.'],
    earlier: 'Say bezalukito.',
    cached: number > 1 ? jsonReply(200, { id: 'cached' }) : undefined,
    idleMs: number === 1 ? 0 : 1_000,
    previous: number === 1 ? undefined : { place: number - 1, streamed: number > 2, status: number > 2 ? 200 : 400 },
  };
}

/** Read once: the battery has megabytes. */
const texts = new Map<unknown, { readonly text: string; readonly parsed: unknown }>();

function textOf(body: unknown): { readonly text: string; readonly parsed: unknown } {
  const known = texts.get(body);
  if (known) return known;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  texts.set(body, { text, parsed });
  return { text, parsed };
}

describe('each modifier changes an answer', () => {
  // Answers carry the time of their making.
  let usual: readonly string[];
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    usual = [...answersOf([])];
  });
  afterAll(() => vi.useRealTimers());
  function isUsual(answers: Iterable<string>): boolean {
    let at = 0;
    for (const answer of answers) if (answer !== usual[at++]) return false;
    return at === usual.length;
  }
  const modifiers = [...Object.entries<Modifier>(FAULTS), ...Object.entries<Modifier>(VARIANTS)];

  it.each(modifiers)('%s', (_id, modifier) => {
    expect(isUsual(answersOf([modifier]))).toBe(false);
  });

  it('and without one the answers are always the same', () => {
    expect(isUsual(answersOf([]))).toBe(true);
  });
});

describe('each modifier serves over a socket', () => {
  const starts = [
    ...FAULT_IDS.map((fault) => [fault, { fault }] as const),
    ...VARIANT_IDS.map((variant) => [variant, { variant }] as const),
  ];
  const requests = [models(), models({ headers: {} }), chat(), chat({ stream: true })];

  // Every modifier changes an answer above, and the self-test checks each over a socket.
  const tried = starts.filter(([id], place) => id.startsWith('transport-') || place % 40 === 0);
  it.each(tried)('%s', async (_id, options) => {
    const gateway = await startGateway({ ...options, eventGapMs: 0 });
    const given = new AbortController();
    const ask = async ({ path, method = 'GET', headers = {}, body }: Sent): Promise<void> => {
      const init = { method, headers, signal: given.signal, redirect: 'manual' as const };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(gateway.baseUrl + path, { ...init, ...text });
      await response.text();
    };
    const isAnswered = (count: number) => expect.poll(() => gateway.requests.count, { timeout: 30_000 }).toBe(count);
    try {
      const asked = Promise.allSettled(requests.map(ask));
      await isAnswered(requests.length);
      // Some faults hold a connection open for ever, and others are no HTTP: neither may harm the gateway.
      const later = Promise.allSettled([ask(models())]);
      await isAnswered(requests.length + 1);
      given.abort();
      await Promise.all([asked, later]);
    } finally {
      await gateway.close();
    }
  });
});
