/** A control that times out: the run ends soon, and says why. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectationOf, KEY, quickRun, respondJson, serverFor } from '../../../test/kit/real-run.ts';

const FEW = ['models/list', 'auth/*-key*', 'chat/reply', 'chat/conversation', 'parameters/temperature-*'];
const TIMEOUTS = { firstByte: 1_000, idle: 1_000 };
const MODELS = ['a', 'b', 'c'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'x' }));
const UNAUTHORIZED = { error: { message: 'no', type: 't', code: 'c' } };

interface Hanging {
  /** Which chat requests are left without an answer. */
  readonly hangs: (chat: { readonly hasKey: boolean; readonly model: unknown }) => boolean;
}

/** Lists its models, and refuses wrong keys if it does not hang first. */
async function startHanging({ hangs }: Hanging): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const model = (await readJson(request))?.['model'];
    const hasKey = request.headers.authorization === `Bearer ${KEY}`;
    const isChat = request.method === 'POST' && request.url === '/v1/chat/completions';
    if (isChat && hangs({ hasKey, model })) return;
    if (!hasKey) return respondJson(response, 401, UNAUTHORIZED);
    if (!isChat) return respondJson(response, 200, { object: 'list', data: MODELS });
    const message = { role: 'assistant', content: 'Hello.' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    respondJson(response, 200, { id: 'i', object: 'chat.completion', created: 1, model, choices, usage });
  };
  const origin = await serverFor((request, response) => void answer(request, response));
  return `${origin}/v1`;
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  let text = '';
  for await (const part of request) text += String(part);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

describe('a target that hangs', () => {
  it('is given up after the control has timed out twice, and the steps without a valid key are still judged', async () => {
    const baseUrl = await startHanging({ hangs: ({ hasKey }) => hasKey });
    const report = await quickRun(baseUrl, { timeouts: TIMEOUTS, model: 'a', only: FEW });
    expect(report.ending).toEqual({ kind: 'chat-unanswered', limit: 'first-byte-timeout', most: 1_000 });
    expect(report.outcome).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(report.exchanges.find(({ id }) => id === 'chat')?.attempts).toHaveLength(2);
    const sent = report.exchanges.map(({ id }) => id).filter((id) => !/^(models|chat)(~|$)/.test(id));
    expect(sent).toContain('auth/unknown-key[chat]');
    expect(sent.every((id) => id.startsWith('auth/'))).toBe(true);
    expect(expectationOf(report, 'auth/unknown-key[models]', 'auth.required')?.verdict).toBe('pass');
  });

  it('is given up as soon if it hangs before it looks at the key', async () => {
    const baseUrl = await startHanging({ hangs: () => true });
    const report = await quickRun(baseUrl, { timeouts: TIMEOUTS, only: FEW });
    expect(report.ending).toEqual({ kind: 'chat-unanswered', limit: 'first-byte-timeout', most: 1_000 });
    const silent = report.exchanges.filter(({ attempts }) => attempts.every(({ answer }) => answer === undefined));
    // The control for each of three models, and one request without a valid key.
    expect(silent).toHaveLength(4);
    expect(report.exchanges.map(({ id }) => id)).toContain('auth/unknown-key[models]');
  });

  it('is judged by another model if only the first one hangs', async () => {
    const baseUrl = await startHanging({ hangs: ({ model }) => model === 'a' });
    const report = await quickRun(baseUrl, { timeouts: TIMEOUTS, only: ['chat/reply', 'chat/conversation'] });
    expect(report.ending).toEqual({ kind: 'complete' });
    expect(['b', 'c']).toContain(report.target.model);
    expect(report.cases.find(({ id }) => id === 'chat/conversation')?.verdict).toBe('pass');
  });

  it('is given up too if the body of the control never ends', async () => {
    const origin = await serverFor((request, response) => {
      if (request.headers.authorization !== `Bearer ${KEY}`) return respondJson(response, 401, UNAUTHORIZED);
      if (request.method === 'GET') return respondJson(response, 200, { object: 'list', data: MODELS });
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
    });
    const report = await quickRun(`${origin}/v1`, { timeouts: TIMEOUTS, model: 'a', only: FEW });
    expect(report.ending).toEqual({ kind: 'chat-unanswered', limit: 'idle-timeout', most: 1_000 });
  });
});
