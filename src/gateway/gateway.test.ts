import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, KEYS, startGateway } from './index.ts';
import { ask, CHAT, chat, expectRefusal } from '../../test/kit/asking.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ eventGapMs: 0 });
});
afterAll(() => gateway.close());

describe('the model list', () => {
  it('has three models, one of them deprecated', async () => {
    const { status, json } = await ask(gateway, '/models');
    expect(status).toBe(200);
    expect(json().object).toBe('list');
    expect(json().data.map((model) => model.id)).toEqual(gateway.models);
    expect(json().data.every((model) => model.object === 'model' && model.owned_by)).toBe(true);
    expect(json().data.filter((model) => model.deprecated)).toHaveLength(1);
  });

  it('shows the restricted key only its own model', async () => {
    const { json } = await ask(gateway, '/models', { headers: { authorization: `Bearer ${KEYS.restricted}` } });
    expect(json().data.map((model) => model.id)).toEqual(['sea-small']);
  });

  it.each(['exhausted', 'limited'] as const)('is open to the %s key', async (role) => {
    const { json } = await ask(gateway, '/models', { headers: { authorization: `Bearer ${KEYS[role]}` } });
    expect(json().data).toHaveLength(3);
  });

  it('ignores an unknown query', async () => {
    expect((await ask(gateway, '/models?limit=5')).status).toBe(200);
  });

  it('answers HEAD with the head of GET', async () => {
    const head = await ask(gateway, '/models', { method: 'HEAD' });
    const get = await ask(gateway, '/models');
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
    const reply = await ask(gateway, '/models', { headers: { authorization } });
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

  it('the scheme may be in lower case', async () => {
    expect((await ask(gateway, '/models', { headers: { authorization: `bearer ${KEYS.full}` } })).status).toBe(200);
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

  it('shares no state with another one', async () => {
    const [broken, conforming] = await Promise.all([startGateway({ fault: 'models-html-200' }), startGateway()]);
    const headers = { authorization: `Bearer ${KEYS.full}` };
    const replies = await Promise.all(
      [broken, conforming].map(({ baseUrl }) => fetch(`${baseUrl}/models`, { headers })),
    );
    expect(replies.map((reply) => reply.headers.get('content-type'))).toEqual(['text/html', 'application/json']);
    expect(conforming.requests.count).toBe(1);
    await Promise.all([broken.close(), conforming.close()]);
  });

  it('gives the same text for the same request and seed, and another for another seed', async () => {
    const texts = await Promise.all(
      [7, 7, 8].map(async (seed) => {
        const own = await startGateway({ seed });
        const { json } = await chat(own, CHAT);
        await own.close();
        return json().choices[0]?.message.content;
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

  it('refuses to start on a port in use', async () => {
    await expect(startGateway({ port: Number(new URL(gateway.baseUrl).port) })).rejects.toThrow('EADDRINUSE');
  });
});
