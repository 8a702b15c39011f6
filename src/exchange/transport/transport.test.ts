import { describe, expect, it } from 'vitest';
import type { KeyUse } from '../../suite/case.ts';
import {
  answerOf,
  chunked,
  counted,
  EVENT_STREAM_HEAD,
  FULL_KEY,
  GET_MODELS,
  LAST_CHUNK,
  rawTarget,
  STREAM_CHAT,
  textOf,
  transportTo,
  type Changes,
} from '../../../test/kit/raw-target.ts';

const RANDOM = FULL_KEY.slice('sk-service-'.length);
const stars = (count: number) => '*'.repeat(count);

/** The request as the target got it, and as the record shows it. */
async function send(request: Partial<typeof STREAM_CHAT>, changes: Changes = {}, keys = { full: FULL_KEY }) {
  const target = await rawTarget((socket) => void socket.write(counted('{}')));
  const transport = transportTo(target.baseUrl, changes, keys);
  const bound = { ...GET_MODELS, ...request };
  await transport.send(bound);
  return { wire: target.received[0]!, shown: transport.describe(bound) };
}

const headerOf = (wire: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(wire)?.[1]?.replace('\r', '');

describe('a request', () => {
  it('goes to its path below the base URL with its method, headers and body', async () => {
    const { wire } = await send({
      method: 'POST',
      path: '/chat/completions?x=1',
      headers: { 'Content-Type': 'application/json' },
      body: '{"ä":1}',
    });
    expect(wire).toMatch(/^POST \/v1\/chat\/completions\?x=1 HTTP\/1\.1\r\n/);
    expect(headerOf(wire, 'content-type')).toBe('application/json');
    expect(headerOf(wire, 'content-length')).toBe('8');
    expect(Buffer.from(wire, 'latin1').toString()).toMatch(/\r\n\r\n\{"ä":1\}$/);
  });

  it('has the default headers, unless it overrides them', async () => {
    const headers = [{ name: 'X-Tenant', value: 'one', secret: false }];
    const plain = (await send({}, { headers, userAgent: 'wirecheck/1' })).wire;
    expect(headerOf(plain, 'user-agent')).toBe('wirecheck/1');
    expect(headerOf(plain, 'accept-encoding')).toBe('gzip, deflate, br');
    expect(headerOf(plain, 'x-tenant')).toBe('one');
    const other = (await send({ headers: { 'accept-encoding': 'identity', 'x-tenant': 'two' } }, { headers })).wire;
    expect(headerOf(other, 'accept-encoding')).toBe('identity');
    expect(other.match(/x-tenant: /gi)).toHaveLength(1);
    expect(headerOf(other, 'x-tenant')).toBe('two');
  });

  it('has its path escaped as HTTP requires', async () => {
    expect((await send({ path: '/models/ä b?q=\ud800' })).wire).toMatch(
      /^GET \/v1\/models\/%C3%A4%20b\?q=%EF%BF%BD HTTP/,
    );
  });

  it('has its header names in capitals if it says so, and shows them as sent', async () => {
    const { wire, shown } = await send({ inCapitals: true });
    expect(wire).toMatch(/^AUTHORIZATION: Bearer sk-service-/m);
    expect(wire).toMatch(/^USER-AGENT: wirecheck/m);
    expect(shown.headers).toContainEqual(['AUTHORIZATION', `Bearer sk-service-${stars(24)}`]);
  });

  const UNKNOWN = /^Bearer sk-service-unknown-[A-Za-z0-9]{40}$/;
  it.each<[KeyUse, string | RegExp | undefined, string | undefined]>([
    ['full', `Bearer ${FULL_KEY}`, `Bearer sk-service-${stars(24)}`],
    ['none', undefined, undefined],
    ['empty', /^Bearer ?$/, 'Bearer '],
    ['basic', `Basic ${Buffer.from(`${FULL_KEY}:${FULL_KEY}`).toString('base64')}`, `Basic ${stars(96)}`],
    ['basic-unknown', /^Basic c2stc2VydmljZS11bmtub3duL/, `Basic ${stars(160)}`],
    ['word-between', `Bearer x ${FULL_KEY}`, `Bearer x sk-service-${stars(24)}`],
    ['bare', FULL_KEY, `sk-service-${stars(24)}`],
    ['no-prefix', /^Bearer [A-Za-z0-9]{40}$/, `Bearer ${stars(40)}`],
    ['unknown', UNKNOWN, `Bearer sk-service-unknown-${stars(40)}`],
    ['longer', `Bearer ${FULL_KEY}x`, `Bearer sk-service-${stars(25)}`],
    ['shorter', `Bearer ${FULL_KEY.slice(0, -1)}`, `Bearer sk-service-${stars(23)}`],
    ['lower-case-scheme', `bearer ${FULL_KEY}`, `bearer sk-service-${stars(24)}`],
    ['x-api-key', undefined, undefined],
    ['query', undefined, undefined],
  ])('with the key use %s is authorized accordingly, and shown without the key', async (key, sent, shown) => {
    const result = await send({ key });
    const wire = headerOf(result.wire, 'authorization');
    if (sent instanceof RegExp) expect(wire).toMatch(sent);
    else expect(wire).toBe(sent);
    expect(result.shown.headers.find(([name]) => name === 'Authorization')?.[1]).toBe(shown);
    expect(JSON.stringify(result.shown)).not.toContain(RANDOM.slice(0, 8));
  });

  it('may carry the key in x-api-key or in its query', async () => {
    const inHeader = await send({ key: 'x-api-key' });
    expect(headerOf(inHeader.wire, 'x-api-key')).toBe(FULL_KEY);
    expect(inHeader.shown.headers).toContainEqual(['x-api-key', `sk-service-${stars(24)}`]);
    const inQuery = await send({ key: 'query', path: '/models?a=b' });
    expect(inQuery.wire).toMatch(`GET /v1/models?a=b&api_key=${FULL_KEY}&api-key=${FULL_KEY}&`);
    expect(inQuery.shown.path).toMatch(`/models?a=b&api_key=sk-service-${stars(24)}&api-key=sk-service-${stars(24)}&`);
  });

  it('is the same in every run with the same seed', async () => {
    const keyOf = async (seed: number) => headerOf((await send({ key: 'unknown' }, { seed })).wire, 'authorization');
    expect(await keyOf(5)).toBe(await keyOf(5));
    expect(await keyOf(5)).not.toBe(await keyOf(6));
  });

  it('cannot be built without its key', async () => {
    await expect(transportTo('http://127.0.0.1:1/v1', {}, {}).send({ ...GET_MODELS, key: 'longer' })).rejects.toThrow(
      'The key "longer" is missing.',
    );
  });

  it('is shown without secrets in its body, and without secret headers however short', async () => {
    const headers = [{ name: 'X-Pin', value: '1234', secret: true }];
    const { shown } = await send({ method: 'POST', body: `{"content":"${FULL_KEY}"}` }, { headers });
    expect(shown.body).toBe(`{"content":"sk-service-${stars(24)}"}`);
    expect(shown.headers).toContainEqual(['X-Pin', '****']);
  });

  it('is shown without a key that is too short to redact elsewhere', async () => {
    const { shown } = await send({}, {}, { full: 'sk-service-abc' });
    expect(shown.headers).toContainEqual(['Authorization', 'Bearer sk-service-***']);
    expect((await send({ key: 'basic' }, {}, { full: 'abc' })).shown.headers).toContainEqual([
      'Authorization',
      'Basic ************',
    ]);
  });
});

describe('an answer that repeats a secret', () => {
  it('is kept without it, and records where it was seen', async () => {
    const { baseUrl } = await rawTarget((socket) => {
      socket.write(
        counted(`{"error":{"message":"bad key ${FULL_KEY}"}}`, [`X-Key: ${RANDOM}`, `X-${RANDOM}: 1`], `401 ${RANDOM}`),
      );
    });
    const sent = await transportTo(baseUrl).send(GET_MODELS);
    expect(textOf(sent)).toBe(`{"error":{"message":"bad key sk-service-${stars(24)}"}}`);
    expect(JSON.stringify(sent)).not.toMatch(new RegExp(RANDOM, 'i'));
    expect(sent.secretsSeen).toEqual([
      { role: 'full', form: 'raw', whole: true, place: 'status' },
      { role: 'full', form: 'raw', whole: true, place: 'header' },
      { role: 'full', form: 'raw', whole: true, place: 'body' },
    ]);
  });

  it('is kept without it when it is split over two reads', async () => {
    const { baseUrl } = await rawTarget((socket) => {
      socket.write(EVENT_STREAM_HEAD + chunked(`data: ${FULL_KEY.slice(0, 17)}`).toString());
      setTimeout(() => socket.write(chunked(`${FULL_KEY.slice(17)}\n\n`).toString() + LAST_CHUNK), 30);
    });
    const sent = await transportTo(baseUrl).send(STREAM_CHAT);
    expect(answerOf(sent).body.reads).toHaveLength(2);
    expect(textOf(sent)).toBe(`data: sk-service-${stars(24)}\n\n`);
  });

  it('is kept without it when it is split over two events', async () => {
    const delta = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
    const { baseUrl } = await rawTarget((socket) => {
      socket.write(
        EVENT_STREAM_HEAD + chunked(delta(FULL_KEY.slice(0, 16)) + delta(FULL_KEY.slice(16))).toString() + LAST_CHUNK,
      );
    });
    const sent = await transportTo(baseUrl).send(STREAM_CHAT);
    expect(textOf(sent)).toBe(delta(`sk-service-${stars(5)}`) + delta(stars(19)));
    expect(sent.secretsSeen).toEqual([{ role: 'full', form: 'raw', whole: true, place: 'body' }]);
  });

  it('reports no secrets if there were none', async () => {
    const { baseUrl } = await rawTarget((socket) => void socket.write(counted('{"max_tokens":1}')));
    expect((await transportTo(baseUrl).send(GET_MODELS)).secretsSeen).toEqual([]);
  });
});
