import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Gateway, KEYS, startGateway } from './index.ts';
import { ask, CHAT, chat, chunksIn, expectRefusal } from '../../test/kit/asking.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ eventGapMs: 0 });
});
afterAll(() => gateway.close());

describe('a plain completion', () => {
  it('has every field of the contract, and counts that add up', async () => {
    const { status, json } = await chat(gateway, { ...CHAT, max_tokens: 16 });
    expect(status).toBe(200);
    expect(json()).toMatchObject({ object: 'chat.completion', model: 'sea-large', id: expect.any(String) });
    expect(Number.isInteger(json().created)).toBe(true);
    expect(json().choices).toHaveLength(1);
    expect(json().choices[0]).toMatchObject({ index: 0, finish_reason: 'length', message: { role: 'assistant' } });
    expect(json().choices[0]?.message.content.trim().split(' ')).toHaveLength(16);
    expect(json().usage.completion_tokens).toBe(16);
    expect(json().usage.total_tokens).toBe(json().usage.prompt_tokens + 16);
  });

  it('ends by itself without max_tokens, and has one token for max_tokens 1', async () => {
    const [long, short] = await Promise.all([chat(gateway, CHAT), chat(gateway, { ...CHAT, max_tokens: 1 })]);
    expect(long.json().choices[0]?.finish_reason).toBe('stop');
    expect(long.json().usage.completion_tokens).toBeGreaterThanOrEqual(40);
    expect(short.json().choices[0]?.finish_reason).toBe('length');
    expect(short.json().choices[0]?.message.content).toMatch(/^\S+$/);
  });

  it.each([
    ['alone', { max_completion_tokens: 3 }],
    ['as the smaller of two limits', { max_tokens: 9, max_completion_tokens: 3 }],
    ['as the larger of two limits', { max_tokens: 3, max_completion_tokens: 9 }],
  ])('is limited by max_completion_tokens, as gateways in front of it send it: %s', async (_name, limits) => {
    const { json } = await chat(gateway, { ...CHAT, ...limits });
    expect(json().usage.completion_tokens).toBe(3);
    expect(json().choices[0]?.finish_reason).toBe('length');
  });

  it('has a new id and text each time', async () => {
    const [first, second] = [await chat(gateway, CHAT), await chat(gateway, CHAT)];
    expect(first.json().id).not.toBe(second.json().id);
    expect(first.json().choices[0]?.message.content).not.toBe(second.json().choices[0]?.message.content);
  });

  it.each([
    ['temperature 0', { temperature: 0 }],
    ['temperature 2', { temperature: 2 }],
    ['top_p 0', { top_p: 0 }],
    ['top_p 1 and a temperature', { top_p: 1, temperature: 1 }],
    ['stream false', { stream: false }],
    ['null for every optional field', { max_tokens: null, temperature: null, top_p: null, stream: null }],
    ['unknown fields', { user: 'u', tools: [], messages: [{ role: 'user', content: 'Hi', name: 'x' }] }],
    ['empty content', { messages: [{ role: 'user', content: '' }] }],
    ['text outside ASCII', { messages: [{ role: 'user', content: 'Größe 海 🌊' }] }],
    [
      'three roles',
      { messages: ['system', 'user', 'assistant', 'user', 'user'].map((role) => ({ role, content: 'Hi' })) },
    ],
    ['the deprecated model', { model: 'sea-old' }],
  ])('is returned for %s', async (_name, edit) => {
    const { status, json } = await chat(gateway, { ...CHAT, max_tokens: 2, ...edit });
    expect(status).toBe(200);
    expect(json().object).toBe('chat.completion');
  });

  it.each(['application/json; charset=utf-8', 'text/plain'])('is returned for a body labelled %s', async (type) => {
    expect((await chat(gateway, CHAT, 'full', type)).status).toBe(200);
  });
});

const set = (edit: object): unknown => ({ ...CHAT, max_tokens: 1, ...edit });
const message = (edit: object): unknown => set({ messages: [{ role: 'user', content: 'Hi', ...edit }] });

describe('a refusal', () => {
  it.each<[string, unknown]>([
    ['no body', ''],
    ['a body that is no JSON', '{"model":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no model', set({ model: undefined })],
    ['model 5', set({ model: 5 })],
    ['model null', set({ model: null })],
    ['no messages', set({ messages: undefined })],
    ['messages as a string', set({ messages: 'Hi' })],
    ['messages of strings', set({ messages: ['Hi'] })],
    ['no message at all', set({ messages: [] })],
    ['no role', message({ role: undefined })],
    ['role 1', message({ role: 1 })],
    ['an unknown role', message({ role: 'robot' })],
    ['no content', message({ content: undefined })],
    ['content null', message({ content: null })],
    ['content in parts', message({ content: [{ type: 'text', text: 'Hi' }] })],
    ['max_tokens 0', set({ max_tokens: 0 })],
    ['max_tokens -1', set({ max_tokens: -1 })],
    ['max_tokens 1.5', set({ max_tokens: 1.5 })],
    ['max_tokens "1"', set({ max_tokens: '1' })],
    ['max_completion_tokens 0', set({ max_completion_tokens: 0 })],
    ['max_completion_tokens "1"', set({ max_completion_tokens: '1' })],
    ['temperature 2.1', set({ temperature: 2.1 })],
    ['temperature -0.1', set({ temperature: -0.1 })],
    ['temperature "1"', set({ temperature: '1' })],
    ['temperature 1e400', '{"model":"sea-large","messages":[{"role":"user","content":"Hi"}],"temperature":1e400}'],
    ['top_p 1.1', set({ top_p: 1.1 })],
    ['top_p true', set({ top_p: true })],
    ['stream "true"', set({ stream: 'true' })],
    ['stream 1', set({ stream: 1 })],
  ])('with 400 is returned for %s', async (_name, body) => {
    expectRefusal(await chat(gateway, body), 400);
  });

  it('with 400 is plain JSON for a streaming request', async () => {
    expectRefusal(await chat(gateway, { ...CHAT, stream: true, max_tokens: 0 }), 400);
  });

  it('is returned for an unknown model, a forbidden model and an exhausted key', async () => {
    expectRefusal(await chat(gateway, { ...CHAT, model: 'sea-none' }), 404);
    expectRefusal(await chat(gateway, { ...CHAT, model: gateway.forbiddenModel }, 'restricted'), 403);
    expectRefusal(await chat(gateway, CHAT, 'exhausted'), 402);
    expect((await chat(gateway, { ...CHAT, model: 'sea-small' }, 'restricted')).status).toBe(200);
  });

  it('with 429 and Retry-After is returned to the limited key after three calls', async () => {
    // Another call is allowed each second, which a busy machine takes for four.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const replies = await Promise.all([1, 2, 3, 4].map(() => chat(gateway, { ...CHAT, max_tokens: 1 }, 'limited')));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    for (const reply of refused) {
      expectRefusal(reply, 429);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
  });

  it('is returned for other paths, other methods and bodies above 10 MiB', async () => {
    expectRefusal(await ask(gateway, '/nothing'), 404);
    expectRefusal(await ask(gateway, '/models/'), 404);
    const wrongMethod = await ask(gateway, '/models', { method: 'POST', body: '{}' });
    expectRefusal(wrongMethod, 405);
    expect(wrongMethod.headers.get('allow')).toContain('GET');
    expectRefusal(await ask(gateway, '/chat/completions'), 405);
    expectRefusal(await chat(gateway, `"${'x'.repeat(10 * 1024 * 1024)}"`), 413);
    expect((await ask(gateway, '/chat/completions', { method: 'OPTIONS' })).headers.get('allow')).toContain('POST');
  });

  it('is returned for a request that is not HTTP', async () => {
    const { port } = new URL(gateway.baseUrl);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toHaveProperty('error.type');
  });
});

describe('a stream', () => {
  it('has the role, one token per event, one finish_reason and [DONE]', async () => {
    const { status, headers, text } = await chat(gateway, { ...CHAT, stream: true, max_tokens: 64 });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(text).toMatch(/\n\ndata: \[DONE\]\n\n$/);
    const chunks = chunksIn(text);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(new Set(chunks.map(({ id, object, model }) => `${id} ${object} ${model}`)).size).toBe(1);
    expect(chunks[0]).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant' } }],
    });
    expect(choices.filter(({ delta }) => delta.content).length).toBeGreaterThanOrEqual(30);
    expect(choices.map((choice) => choice.finish_reason).filter((reason) => reason !== null)).toEqual(['stop']);
    expect(choices.at(-1)).toMatchObject({ delta: {}, finish_reason: 'stop' });
  });

  it('respects max_tokens', async () => {
    const { text } = await chat(gateway, { ...CHAT, stream: true, max_tokens: 1 });
    const choices = chunksIn(text).flatMap((chunk) => chunk.choices);
    expect(choices.filter(({ delta }) => delta.content)).toHaveLength(1);
    expect(choices.at(-1)?.finish_reason).toBe('length');
  });

  it('has token counts in a last chunk without choices if the call asks for them', async () => {
    const asked = { ...CHAT, stream: true, max_tokens: 3 };
    const plain = await chat(gateway, { ...CHAT, max_tokens: 3 });
    const counted = await chat(gateway, { ...asked, stream_options: { include_usage: true } });
    const uncounted = await chat(gateway, { ...asked, stream_options: { include_usage: false } });
    expect(chunksIn(counted.text).at(-1)).toMatchObject({ choices: [], usage: plain.json().usage });
    expect(counted.text.match(/"usage"/g)).toHaveLength(1);
    expect(uncounted.text).not.toContain('usage');
  });

  it('arrives in pieces', async () => {
    const paced = await startGateway({ eventGapMs: 2 });
    const response = await fetch(`${paced.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.full}` },
      body: JSON.stringify({ ...CHAT, stream: true }),
    });
    const reads: Uint8Array[] = [];
    for await (const bytes of response.body ?? []) reads.push(bytes);
    await paced.close();
    expect(reads.length).toBeGreaterThan(10);
  });
});
