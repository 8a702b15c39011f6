import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { createVault, UPSTREAM_KEY } from '../../exchange/secrets/vault.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { readUpstreamCall } from './judge/both-ends.ts';
import { DEFAULT_SCRIPT, type UpstreamScript } from './read-relay-suite.ts';
import { makeWord } from './words.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const KEYS = { full: 'sk-service-client-4hT8wQ2mZ6' };
const GATEWAY_KEY = 'sk-gateway-7uJ3kL9pX1vB5nM8';

let upstream: Upstream | undefined;

afterEach(async () => upstream?.close());

async function start() {
  const vault = createVault({ ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' }, KEYS);
  upstream = await startUpstream({ host: '127.0.0.1', port: 0, vault });
  const expectQuestion = (script: Partial<UpstreamScript> = {}) => {
    const word = makeWord();
    upstream?.expect({
      id: 'q',
      case: 'q',
      word,
      script: { ...DEFAULT_SCRIPT, ...script },
    });
    return word;
  };
  const post = (body: unknown, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
    fetch(`${upstream?.url}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${GATEWAY_KEY}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
    });
  return { upstream, vault, expectQuestion, post };
}

const exchanges = () => upstream?.exchanges(0) ?? [];
const ends = () =>
  exchanges().map(({ attempts: [attempt] }) => {
    if (attempt?.outcome.kind !== 'answer') return attempt?.outcome.failure.kind;
    return attempt.outcome.answer.body.end.kind;
  });

const user = (content: unknown) => ({ role: 'user', content });

it('A word anywhere in a conversation chooses the script, as a string or as a part', async () => {
  const { post, expectQuestion } = await start();
  const word = expectQuestion();
  const conversation = [user(`First ${word}.`), { role: 'assistant', content: 'Yes.' }, user('And now?')];
  expect((await post({ messages: conversation })).status).toBe(200);
  expect((await post({ messages: [user([{ type: 'text', text: word.toUpperCase() }])] })).status).toBe(200);
  expect(exchanges().map(({ id, side, cause }) => [id, side, cause])).toEqual([
    ['q@1', 'upstream', 'q'],
    ['q@2', 'upstream', 'q'],
  ]);
  expect(ends()).toEqual(['complete', 'complete']);
});

it('A call without a word of the run gets 404, is counted, and its body is not kept', async () => {
  const { post, expectQuestion } = await start();
  expectQuestion();
  const answer = await post({ messages: [user('my private diary')] });
  expect([answer.status, upstream?.otherRequests(0).count]).toEqual([404, 1]);
  expect(JSON.stringify([exchanges(), upstream?.otherRequests(0)])).not.toContain('diary');
  await post({ messages: [user('another page')] });
  const { first, chatsAt = [] } = upstream!.otherRequests(0);
  expect(first).toEqual([{ method: 'POST', path: '/v1/chat/completions', count: 2 }]);
  expect(chatsAt.map((at) => at > 0 && at <= performance.now())).toEqual([true, true]);
  // Those from before the run have no time in it.
  expect(upstream?.otherRequests(performance.now()).chatsAt).toEqual([]);
});

it('A credential that arrives is kept in redacted form only, and found in answers', async () => {
  const { post, expectQuestion, vault } = await start();
  await post({ messages: [user(expectQuestion())] });
  const kept = JSON.stringify(exchanges());
  expect(kept).not.toContain(GATEWAY_KEY);
  expect(kept).toContain(`Bearer ${'*'.repeat(GATEWAY_KEY.length)}`);
  expect(vault.redactor.text(`denied: ${GATEWAY_KEY}`).seen).toMatchObject([{ role: UPSTREAM_KEY, whole: true }]);
  expect(vault.createScanner([]).findsIn(`"${GATEWAY_KEY}"`)).toBe(true);
});

it('A refusal quotes the key that arrived, and is kept without it', async () => {
  const { post, expectQuestion } = await start();
  const answer = await post({ messages: [user(expectQuestion({ status: 401 }))] });
  expect(await answer.text()).toContain(GATEWAY_KEY);
  const outcome = exchanges()[0]?.attempts[0]?.outcome;
  const kept = outcome?.kind === 'answer' ? Buffer.from(outcome.answer.body.bytes).toString() : '';
  expect(kept).toContain('Incorrect API key provided');
  expect(kept).not.toContain(GATEWAY_KEY);
});

it("A client's key that arrives is noticed in headers and in the body", async () => {
  const { post, expectQuestion } = await start();
  await post({ messages: [user(expectQuestion())], user: KEYS.full }, { 'X-Client': KEYS.full });
  const seen = exchanges()[0]
    ?.attempts[0]?.secretsSeen.filter(({ whole }) => whole)
    .map(({ role, place }) => [role, place]);
  expect(seen).toEqual([
    ['full', 'header'],
    ['full', 'body'],
  ]);
});

it('It serves a model list, and counts requests to other paths', async () => {
  await start();
  const list = (await (await fetch(`${upstream?.url}/models`)).json()) as { readonly data: readonly unknown[] };
  expect(list.data).toHaveLength(1);
  expect((await fetch(`${upstream?.url}/embeddings`, { method: 'POST', body: '{}' })).status).toBe(404);
  expect(upstream?.otherRequests(0)).toEqual({
    count: 1,
    first: [{ method: 'POST', path: '/v1/embeddings', count: 1 }],
    chatsAt: [],
  });
});

it('It survives bytes that are not HTTP, a body that is not JSON, one that is too deep, and one that is too large', async () => {
  const { post, expectQuestion } = await start();
  const word = expectQuestion();
  const port = Number(new URL(upstream?.url ?? '').port);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.end('\u0000\u0001 not http\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
  expect((await post('{{{')).status).toBe(404);
  expect((await post('['.repeat(100_000))).status).toBe(404);
  await expect(
    post('x'.repeat(11 * 1024 * 1024)).then(
      ({ status }) => status,
      () => 413,
    ),
  ).resolves.toBe(413);
  expect(upstream?.overflow).toBe(1);
  expect((await post({ messages: [user(word)] })).status).toBe(200);
});

it('A reset ends the connection before the head, and a later call is answered if the script says so', async () => {
  const { post, expectQuestion } = await start();
  const messages = [user(expectQuestion({ once: true, behaviours: ['reset'] }))];
  await expect(post({ messages })).rejects.toThrow();
  expect((await post({ messages })).status).toBe(200);
  expect(ends()).toEqual(['closed', 'complete']);
});

it('A stream that is cut off has sent some text, with a time for each write', async () => {
  const { post, expectQuestion } = await start();
  const answer = await post({
    stream: true,
    messages: [user(expectQuestion({ behaviours: ['stream-cut'] }))],
  });
  await expect(answer.text()).rejects.toThrow();
  expect(ends()).toEqual(['cut']);
  const [call] = exchanges().map(readUpstreamCall);
  expect(call?.reading).toMatchObject({ kind: 'cut', hasDone: false });
  expect(call?.reading.arrivals.length).toBeGreaterThan(0);
  expect(call?.endedAt).toBeGreaterThan((call?.arrivedAt ?? Infinity) + (call?.reading.arrivals.at(-1)?.at ?? 0));
});

it('A stall lasts until it is released, and is no answer', async () => {
  const { post, expectQuestion } = await start();
  const answer = post({ messages: [user(expectQuestion({ behaviours: ['silence'] }))] });
  await expect.poll(() => upstream?.callsOf('q').length).toBe(1);
  expect(exchanges()[0]?.attempts[0]?.outcome).toMatchObject({ failure: { kind: 'aborted', code: 'open' } });
  upstream?.release('q');
  await expect(answer).rejects.toThrow();
  expect(ends()).toEqual(['timeout']);
});

it('A gateway that leaves ends its call', async () => {
  const { post, expectQuestion } = await start();
  const leave = new AbortController();
  const answer = post({ messages: [user(expectQuestion({ delay: 5_000 }))] }, {}, leave.signal);
  await expect.poll(() => upstream?.callsOf('q').length).toBe(1);
  leave.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => upstream?.callsOf('q')[0]?.isOver).toBe(true);
  expect(exchanges().map(readUpstreamCall)).toMatchObject([{ wasLeft: true, reading: { kind: 'waiting' } }]);
});

it('After it stops listening, connections are refused', async () => {
  const { post, expectQuestion } = await start();
  const word = expectQuestion();
  await upstream?.close();
  await expect(post({ messages: [user(word)] })).rejects.toThrow();
});

it('A port in use is a wrong setting', async () => {
  const { vault } = await start();
  const port = Number(new URL(upstream?.url ?? '').port);
  await expect(startUpstream({ host: '127.0.0.1', port, vault })).rejects.toThrow('choose another --upstream-port');
});
