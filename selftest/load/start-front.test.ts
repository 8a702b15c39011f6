import { afterEach, expect, it } from 'vitest';
import { startGateway } from '../../src/gateway/index.ts';
import { listSubjects } from '../test-subjects.ts';
import type { LoadRow } from './load-row.ts';
import { frontKeys, startFront } from './try-load.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Target {
  readonly baseUrl: string;
  readonly key: string | undefined;
}

async function start(name: string, upstreamUrl = ''): Promise<Target> {
  const row = listSubjects('load').find(({ id }) => id === name) as unknown as LoadRow;
  const front = await startFront(row, { upstreamUrl });
  closing.push(() => front.close());
  return { baseUrl: front.baseUrl, key: frontKeys(row).full };
}

interface Got {
  readonly status: number;
  readonly text: string;
  readonly isWhole: boolean;
}

function send({ baseUrl, key }: Target, stream: boolean): Promise<Response> {
  const body = { model: 'sea-large', stream, max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] };
  return fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function ask(front: Target, stream = false): Promise<Got> {
  const response = await send(front, stream);
  const read = await response.text().catch(() => undefined);
  const text = read ?? '';
  return { status: response.status, text, isWhole: read !== undefined && (!stream || text.includes('[DONE]')) };
}

const askMany = (front: Target, calls: number, stream: boolean) =>
  Promise.all(Array.from({ length: calls }, () => ask(front, stream)));

it('a gateway conforms alone and shows its fault in a crowd', async () => {
  const front = await start('load-streams-cut');
  for (let call = 0; call < 4; call++) expect(await ask(front, true)).toMatchObject({ status: 200, isWhole: true });
  const crowd = await askMany(front, 48, true);
  expect(crowd.filter(({ isWhole }) => !isWhole).length).toBeGreaterThan(1);
  expect((await ask(front, true)).isWhole).toBe(true);
});

it('a gateway that queues answers everybody', async () => {
  const answers = await askMany(await start('load-queues'), 30, false);
  expect(answers.every(({ status, isWhole }) => status === 200 && isWhole)).toBe(true);
});

it('a client that disconnects is counted, and may keep its slot', async () => {
  const front = await start('load-slots-kept');
  for (let client = 0; client < 8; client++) {
    const reader = (await send(front, true)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }
  await expect.poll(async () => (await ask(front)).status).toBe(503);
});

it('a relay changes what it does only in a crowd, and its upstream is called as always', async () => {
  const upstream = await startGateway({ latencyMs: 300, modifiers: [{ title: 'Any key', authorize: () => 'full' }] });
  closing.push(() => upstream.close());
  const front = await start('load-relay-rejects-429', upstream.baseUrl);
  expect((await ask(front)).status).toBe(200);
  const crowd = await askMany(front, 24, false);
  expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([200, 429]));
  for (const { status, text } of crowd) if (status === 429) expect(text).toContain('"code":"overloaded"');
});
