/** What the scripted upstream of a load keeps of the requests that reach it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVault } from '../../exchange/secrets/vault.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { CallRegistry, replyPieces } from './calls.ts';
import { type LoadUpstream, startLoadUpstream } from './upstream-server.ts';

const SETTINGS = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' };
const registry = new CallRegistry(1);
let upstream: LoadUpstream;
beforeAll(async () => {
  upstream = await startLoadUpstream(SETTINGS, 0, createVault(SETTINGS, {}), registry);
});
afterAll(() => upstream.close());

async function send(...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    const answer = await fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    await answer.text();
  }
}

it('Of a request, what is judged is kept, and once however often it is made', async () => {
  const call = registry.open('one', 'short');
  const system = { role: 'system', content: 'Be brief. '.repeat(1_000) };
  const own = { role: 'user', content: `${call.word.toUpperCase()}: repeat this word.` };
  const request = { model: 'm', messages: [system, own], max_tokens: 4, max_completion_tokens: null };
  await send({ ...request, metadata: 'long '.repeat(9_000) }, { ...request, metadata: 'again' }, request);
  expect(call.behind.arrived).toEqual([JSON.stringify({ ...request, messages: [own], max_tokens: 4 })]);
  await send({ ...request, max_tokens: 5 });
  expect(call.behind.arrived).toHaveLength(2);
});

it('However many different requests are made of a call, those that are kept are bounded', async () => {
  const call = registry.open('two', 'short');
  const message = (at: number) => ({ role: 'user', content: `${call.word} ${at} ${'x'.repeat(15_000)}` });
  await send(...[1, 2, 3, 4, 5, 6].map((at) => ({ model: 'm', messages: [message(at)], max_tokens: 4 })));
  expect(call.behind.arrived).toHaveLength(4);
  expect(call.behind.arrived?.join('').length).toBeLessThan(64 * 1024);
});

it('Of a call that is over, nothing is kept', async () => {
  const call = registry.open('three', 'short');
  registry.end(call, true);
  await send({ model: 'm', messages: [{ role: 'user', content: call.word }], max_tokens: 4 });
  expect(call.behind.arrived).toBeUndefined();
});

it('A stream is whole, with the pause of a paced one; one whose reader leaves ends, too', async () => {
  const ask = async (id: string, profile: 'long' | 'paced' | 'huge', signal?: AbortSignal) => {
    const call = registry.open(id, profile);
    const body = { model: 'm', messages: [{ role: 'user', content: call.word }], max_tokens: 4, stream: true };
    const answer = await fetch(`${upstream.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    return { call, answer };
  };
  for (const profile of ['long', 'paced'] as const) {
    const { call, answer } = await ask(`whole-${profile}`, profile);
    const text = await answer.text();
    expect(text).toMatch(/^data: \{[^]*\}\n\ndata: \[DONE\]\n\n$/);
    for (const piece of replyPieces(call.word, profile)) expect(text).toContain(`"${piece}"`);
    expect(call.behind.wasPaced).toBe(profile === 'paced' ? true : undefined);
  }
  const client = new AbortController();
  const { call } = await ask('left', 'huge', client.signal);
  expect(call.behind.upstreamDone).toBeUndefined();
  client.abort();
  await expect.poll(() => call.behind.upstreamDone).toBeDefined();
});

it('Of two, one may fail while the other answers with a text of its own, and the call keeps which were called', async () => {
  const relay = { ...SETTINGS.relay, fallbackPort: 0 };
  const two = await startLoadUpstream({ ...SETTINGS, relay }, 0, createVault(SETTINGS, {}), registry);
  const call = registry.open('both', 'short');
  const own = { role: 'user', content: call.word };
  const ask = async (url = '') => {
    const body = JSON.stringify({ model: 'm', messages: [own], max_tokens: 4 });
    const answer = await fetch(`${url}/chat/completions`, { method: 'POST', body });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await ask(two.url)).text).toContain(replyPieces(call.word, 'short', 'primary').join(''));
  two.failing = 'primary';
  expect(await ask(two.url)).toMatchObject({ status: 503, text: expect.stringContaining('server_error') });
  expect((await ask(two.fallbackUrl)).text).toContain(replyPieces(call.word, 'short', 'fallback').join(''));
  expect(call.behind.called).toEqual(['primary', 'primary', 'fallback']);
  expect(two.callsOf).toEqual({ primary: 2, fallback: 1 });
  expect(call.behind.arrived?.[1]).toBe(JSON.stringify({ upstream: 'fallback', messages: [own], max_tokens: 4 }));
  await two.close();
});
