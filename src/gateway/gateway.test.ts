import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway, KeyRole } from './index.ts';
import { KEYS, startGateway } from './index.ts';

const CHAT = { model: 'sea-large', messages: [{ role: 'user', content: 'Say something about the sea.' }] };

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: any;
}

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ eventGapMs: 0 });
});
afterAll(() => gateway.close());

async function ask(path: string, init: RequestInit = {}, key: string | undefined = KEYS.full): Promise<Reply> {
  const headers = new Headers(init.headers);
  if (key !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`);
  const response = await fetch(gateway.baseUrl + path, { ...init, headers });
  const text = await response.text();
  const json =
    response.headers.get('content-type')?.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

function chat(body: unknown, key: KeyRole = 'full', headers: Record<string, string> = {}): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(
    '/chat/completions',
    { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text },
    KEYS[key],
  );
}

function expectRefusal(reply: Reply, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/json');
  const { message, type, code } = reply.json.error;
  for (const part of [message, type, code]) expect(part).toMatch(/\S/);
}

function dataOf(stream: string): readonly string[] {
  return stream
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''));
}

describe('the model list', () => {
  it('holds three models, one of them marked deprecated', async () => {
    const { status, json } = await ask('/models');
    expect(status).toBe(200);
    expect(json.object).toBe('list');
    expect(json.data.map((model: { id: string }) => model.id)).toEqual(gateway.models);
    expect(
      json.data.every((model: { object: string; owned_by: string }) => model.object === 'model' && model.owned_by),
    ).toBe(true);
    expect(json.data.filter((model: { deprecated?: boolean }) => model.deprecated)).toHaveLength(1);
  });

  it('shows the restricted key only the model that it may call', async () => {
    const { json } = await ask('/models', {}, KEYS.restricted);
    expect(json.data.map((model: { id: string }) => model.id)).toEqual(['sea-small']);
  });

  it.each(['exhausted', 'limited'] as const)('is open to the %s key', async (role) => {
    const { json } = await ask('/models', {}, KEYS[role]);
    expect(json.data).toHaveLength(3);
  });

  it('ignores a query that it does not know', async () => {
    expect((await ask('/models?limit=5')).status).toBe(200);
  });

  it('answers HEAD with the head of GET', async () => {
    const head = await ask('/models', { method: 'HEAD' });
    const get = await ask('/models');
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});

describe('without a valid key', () => {
  const wrong: Record<string, string> = {
    'an empty bearer': 'Bearer ',
    'another scheme': `Basic ${KEYS.full}`,
    'a bare key': KEYS.full,
    'a key without the prefix': 'Bearer 0123456789abcdefghij',
    'an unknown key': 'Bearer sk-service-0123456789abcdefghij',
    'a key with a character added': `Bearer ${KEYS.full}x`,
    'a key with a character missing': `Bearer ${KEYS.full.slice(0, -1)}`,
  };

  it.each(Object.entries(wrong))('%s gets 401, and is not repeated', async (_name, authorization) => {
    const reply = await ask('/models', { headers: { authorization } });
    expectRefusal(reply, 401);
    expect(reply.text).not.toContain(KEYS.full.slice(11, 19));
  });

  it.each([
    ['no header', '/models', undefined],
    ['a key in the query', `/models?api_key=${KEYS.full}`, undefined],
    ['an unknown path', '/nothing', undefined],
    ['a malformed body', '/chat/completions', '{'],
    ['a stream', '/chat/completions', JSON.stringify({ ...CHAT, stream: true })],
  ])('%s gets 401', async (_name, path, body) => {
    const response = await fetch(gateway.baseUrl + path, body === undefined ? {} : { method: 'POST', body });
    expect(response.status).toBe(401);
    expect(await response.json()).toHaveProperty('error.code');
  });

  it('the scheme may be written in lower case', async () => {
    expect((await ask('/models', { headers: { authorization: `bearer ${KEYS.full}` } })).status).toBe(200);
  });
});

describe('a plain completion', () => {
  it('has every field of the contract, and counts that add up', async () => {
    const { status, json } = await chat({ ...CHAT, max_tokens: 16 });
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: 'chat.completion', model: 'sea-large', id: expect.any(String) });
    expect(Number.isInteger(json.created)).toBe(true);
    expect(json.choices).toHaveLength(1);
    expect(json.choices[0]).toMatchObject({ index: 0, finish_reason: 'length', message: { role: 'assistant' } });
    expect(json.choices[0].message.content.trim().split(' ')).toHaveLength(16);
    expect(json.usage.completion_tokens).toBe(16);
    expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + 16);
  });

  it('ends by itself when it may, and gives one token for max_tokens 1', async () => {
    const [long, short] = await Promise.all([chat(CHAT), chat({ ...CHAT, max_tokens: 1 })]);
    expect(long.json.choices[0].finish_reason).toBe('stop');
    expect(long.json.usage.completion_tokens).toBeGreaterThanOrEqual(40);
    expect(short.json.choices[0].finish_reason).toBe('length');
    expect(short.json.choices[0].message.content).toMatch(/^\S+$/);
  });

  it('has an id and a text of its own each time', async () => {
    const [one, two] = [await chat(CHAT), await chat(CHAT)];
    expect(one.json.id).not.toBe(two.json.id);
    expect(one.json.choices[0].message.content).not.toBe(two.json.choices[0].message.content);
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
  ])('comes for %s', async (_name, edit) => {
    const { status, json } = await chat({ ...CHAT, max_tokens: 2, ...edit });
    expect(status).toBe(200);
    expect(json.object).toBe('chat.completion');
  });

  it.each(['application/json; charset=utf-8', 'text/plain'])('comes for a body labelled %s', async (type) => {
    expect((await chat(CHAT, 'full', { 'content-type': type })).status).toBe(200);
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
    ['temperature 2.1', set({ temperature: 2.1 })],
    ['temperature -0.1', set({ temperature: -0.1 })],
    ['temperature "1"', set({ temperature: '1' })],
    ['temperature 1e400', '{"model":"sea-large","messages":[{"role":"user","content":"Hi"}],"temperature":1e400}'],
    ['top_p 1.1', set({ top_p: 1.1 })],
    ['top_p true', set({ top_p: true })],
    ['stream "true"', set({ stream: 'true' })],
    ['stream 1', set({ stream: 1 })],
  ])('with 400 comes for %s', async (_name, body) => {
    expectRefusal(await chat(body), 400);
  });

  it('with 400 is plain JSON where a stream was asked for', async () => {
    expectRefusal(await chat({ ...CHAT, stream: true, max_tokens: 0 }), 400);
  });

  it('comes for a model that does not exist, that the key may not call, and for a key that is used up', async () => {
    expectRefusal(await chat({ ...CHAT, model: 'sea-none' }), 404);
    expectRefusal(await chat({ ...CHAT, model: gateway.forbiddenModel }, 'restricted'), 403);
    expectRefusal(await chat(CHAT, 'exhausted'), 402);
    expect((await chat({ ...CHAT, model: 'sea-small' }, 'restricted')).status).toBe(200);
  });

  it('with 429 and Retry-After comes to the limited key after three calls', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => chat({ ...CHAT, max_tokens: 1 }, 'limited')));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    for (const reply of refused) {
      expectRefusal(reply, 429);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
  });

  it('comes for other paths, other methods and bodies above 10 MiB', async () => {
    expectRefusal(await ask('/nothing'), 404);
    expectRefusal(await ask('/models/'), 404);
    const wrongMethod = await ask('/models', { method: 'POST', body: '{}' });
    expectRefusal(wrongMethod, 405);
    expect(wrongMethod.headers.get('allow')).toContain('GET');
    expectRefusal(await ask('/chat/completions'), 405);
    expectRefusal(await chat(`"${'x'.repeat(10 * 1024 * 1024)}"`), 413);
    expect((await ask('/chat/completions', { method: 'OPTIONS' })).headers.get('allow')).toContain('POST');
  });

  it('comes for a request that is no HTTP', async () => {
    const { port } = new URL(gateway.baseUrl);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toHaveProperty('error.type');
  });
});

describe('a stream', () => {
  it('brings the role, one token an event, one finish_reason and [DONE]', async () => {
    const { status, headers, text } = await chat({ ...CHAT, stream: true, max_tokens: 64 });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream');
    const data = dataOf(text);
    expect(data.at(-1)).toBe('[DONE]');
    const chunks = data.slice(0, -1).map((chunk) => JSON.parse(chunk));
    const choices = chunks.map((chunk) => chunk.choices[0]);
    expect(new Set(chunks.map(({ id, object, model }) => `${id} ${object} ${model}`)).size).toBe(1);
    expect(chunks[0]).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant' } }],
    });
    expect(choices.filter(({ delta }) => delta.content).length).toBeGreaterThanOrEqual(30);
    expect(choices.map(({ finish_reason }) => finish_reason).filter((reason) => reason !== null)).toEqual(['stop']);
    expect(choices.at(-1)).toMatchObject({ delta: {}, finish_reason: 'stop' });
  });

  it('keeps to max_tokens', async () => {
    const { text } = await chat({ ...CHAT, stream: true, max_tokens: 1 });
    const choices = dataOf(text)
      .slice(0, -1)
      .map((chunk) => JSON.parse(chunk).choices[0]);
    expect(choices.filter(({ delta }) => delta.content)).toHaveLength(1);
    expect(choices.at(-1).finish_reason).toBe('length');
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

describe('a gateway', () => {
  it('counts and logs its requests, without their queries', async () => {
    const own = await startGateway();
    await fetch(`${own.baseUrl}/models?key=secret`);
    expect(own.requests.count).toBe(1);
    expect(own.requests.log).toEqual([{ method: 'GET', path: '/v1/models', status: 401 }]);
    await own.close();
  });

  it('shares nothing with another one', async () => {
    const [one, two] = await Promise.all([startGateway({ fault: 'models-html-200' }), startGateway()]);
    const headers = { authorization: `Bearer ${KEYS.full}` };
    const replies = await Promise.all([one, two].map(({ baseUrl }) => fetch(`${baseUrl}/models`, { headers })));
    expect(replies.map((reply) => reply.headers.get('content-type'))).toEqual(['text/html', 'application/json']);
    expect(two.requests.count).toBe(1);
    await Promise.all([one.close(), two.close()]);
  });

  it('gives the same text to the same request under the same seed, and another under another', async () => {
    const texts = await Promise.all(
      [7, 7, 8].map(async (seed) => {
        const own = await startGateway({ seed });
        const init = { method: 'POST', headers: { authorization: `Bearer ${KEYS.full}` }, body: JSON.stringify(CHAT) };
        const json: any = await (await fetch(`${own.baseUrl}/chat/completions`, init)).json();
        await own.close();
        return json.choices[0].message.content;
      }),
    );
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toBe(texts[2]);
  });

  it('closes at once while a stream is held open', async () => {
    const own = await startGateway({ fault: 'stream-stalls' });
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.full}` },
      body: JSON.stringify({ ...CHAT, stream: true }),
    };
    const response = await fetch(`${own.baseUrl}/chat/completions`, init);
    const reading = response.text();
    await Promise.all([own.close(), expect(reading).rejects.toThrow()]);
  });

  it('refuses to start on a port that is taken', async () => {
    await expect(startGateway({ port: Number(new URL(gateway.baseUrl).port) })).rejects.toThrow('EADDRINUSE');
  });
});
