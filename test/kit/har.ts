/** HAR files as browsers and proxies write them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeForeign } from '../../src/run/judge-recording.ts';
import type { Report } from '../../src/report/report.ts';
import { openHar } from '../../src/recording/har/har-import.ts';
import { temporaryFolder } from './recording.ts';

export const KEY = 'sk-service-Vb5Nn8Mq2Ww7Ee1Rr6Tt3';

export const BASE = 'https://gateway.example/v1';

export interface Parts {
  readonly url?: string;
  readonly method?: string;
  readonly sent?: unknown;
  readonly status?: number;
  readonly text?: string;
  readonly json?: unknown;
  readonly content?: object;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** An entry as browsers write it. */
export function entry({ url = `${BASE}/models`, method = 'GET', sent, status = 200, ...parts }: Parts = {}): object {
  const text = parts.text ?? JSON.stringify(parts.json ?? LIST);
  return {
    startedDateTime: '2026-03-01T10:00:00.000Z',
    time: 12.5,
    request: {
      method,
      url,
      httpVersion: 'h2',
      headers: pairs(parts.requestHeaders ?? { Authorization: `Bearer ${KEY}`, ':path': '/v1/models' }),
      ...(sent !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      httpVersion: 'h2',
      headers: pairs(parts.headers ?? { 'Content-Type': 'application/json' }),
      content: parts.content ?? { size: Buffer.byteLength(text), mimeType: 'application/json', text },
    },
    timings: { blocked: 1, dns: -1, connect: -1, send: 0.5, wait: 8, receive: 3 },
  };
}

export const LIST = { object: 'list', data: [{ id: 'small', object: 'model', owned_by: 'x' }] };

export const SENT = { model: 'small', messages: [{ role: 'user', content: 'Hello' }] };

export const COMPLETION = {
  id: 'c1',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'small',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
};

const CHUNK = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c2', object: 'chat.completion.chunk', created: 1, model: 'small', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export const STREAM = `${CHUNK({ role: 'assistant', content: '' }, null)}${CHUNK({ content: 'Hi' }, null)}${CHUNK({}, 'stop')}data: [DONE]\n\n`;

export const CHAT = { url: `${BASE}/chat/completions`, method: 'POST', sent: SENT, json: COMPLETION };

export function write(entries: readonly object[], more: object = {}): string {
  const file = join(temporaryFolder(), 'a.har');
  writeFileSync(
    file,
    JSON.stringify(
      { log: { version: '1.2', creator: { name: 'x', version: '1' }, pages: [{ id: 'entries' }], ...more, entries } },
      null,
      2,
    ),
  );
  return file;
}

export async function judgeEntries(entries: readonly object[]): Promise<Report> {
  return judgeForeign(await openHar(write(entries), 'a.har'));
}
