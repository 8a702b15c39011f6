/** A small client that keeps the contract, except for what its row changes. It shares no code with the checker. */
import { setTimeout as pause } from 'node:timers/promises';
import { readRelayEvents } from '../relays/read-events.ts';
import { readText } from '../relays/small-relay.ts';
import { CallFailure, sendCall, type ServerAnswer, toFailure } from './send-call.ts';
import type { ClientModifier, ClientTask, StreamedReply, WireValue } from './client-modifier.ts';

/** The text of the reply, or one model id per line. Throws a `CallFailure`. */
export async function makeCall(task: ClientTask, modifier: ClientModifier): Promise<string> {
  for (let left = modifier.attempts ?? 1; ; left--) {
    try {
      if (modifier.listsFirst && task.mode !== 'models') await callOnce({ ...task, mode: 'models' }, modifier);
      const text = await callOnce(task, modifier);
      return (await modifier.text?.(text, task)) ?? text;
    } catch (error) {
      if (left > 1) {
        await pause(modifier.retryPause ?? 0);
        continue;
      }
      const failure = toFailure(error);
      const shown = await modifier.failure?.(failure, task);
      if (shown === undefined) throw failure;
      return shown;
    }
  }
}

async function callOnce(task: ClientTask, modifier: ClientModifier): Promise<string> {
  const answer = await sendCall(requestFor(task, modifier));
  const bytes = modifier.bytes?.(answer.bytes, answer) ?? answer.bytes;
  refuseIf(modifier.refusesAnswer?.(answer));
  if (answer.status !== 200) throw new CallFailure('status', await readText(bytes), answer.status);
  if (task.mode === 'stream') return readStream({ ...answer, bytes }, modifier);
  const value = JSON.parse(await (modifier.decode ?? readText)(bytes)) as WireValue;
  if (value.error) throw new CallFailure('error-body', value.error.message, answer.status);
  refuseIf(modifier.refusesValue?.(value));
  if (task.mode === 'plain') return modifier.reply ? modifier.reply(value) : replyText(value);
  const ids = (value.data ?? []).map(({ id }) => id);
  return (modifier.list?.(ids) ?? ids).join('\n');
}

function refuseIf(isRefused = false): void {
  if (isRefused) throw new Error('This is not supported.');
}

function requestFor(task: ClientTask, modifier: ClientModifier): Parameters<typeof sendCall>[0] {
  const { baseUrl, apiKey, model, mode, prompt, timeoutMs } = task;
  const { hasTimeout = true, keepsAlive = false } = modifier;
  const isList = mode === 'models';
  const usual = { authorization: `Bearer ${apiKey}`, ...(!isList && { 'content-type': 'application/json' }) };
  const request = { model, messages: [{ role: 'user', content: prompt }], ...(mode === 'stream' && { stream: true }) };
  const body = modifier.body?.(request, task) ?? request;
  return {
    url: `${baseUrl}/${isList ? 'models' : 'chat/completions'}`,
    headers: modifier.headers?.(usual, task) ?? usual,
    keepsAlive,
    ...(!isList && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(hasTimeout && { timeout: timeoutMs }),
  };
}

function replyText({ choices }: WireValue): string {
  const text = choices?.[0]?.message?.content;
  if (typeof text !== 'string') throw new CallFailure('unreadable', 'The reply has no text.');
  return text;
}

async function readStream(answer: ServerAnswer, modifier: ClientModifier): Promise<string> {
  const reply: StreamedReply = { text: '', isFinished: false };
  try {
    for await (const event of (modifier.readEvents ?? readRelayEvents)(answer.bytes)) {
      refuseIf(modifier.refusesEvent?.(event));
      if (event.data === '[DONE]' && !modifier.waitsForClose) break;
      if (event.data !== '[DONE]') takeEvent(event, reply, modifier);
    }
    if (!reply.isFinished) throw new CallFailure('early-end', 'The stream ended before finish_reason.');
    return reply.text;
  } catch (error) {
    throw Object.assign(toFailure(error), { said: reply.text });
  } finally {
    answer.close();
  }
}

function takeEvent(
  { name, data }: { readonly name: string; readonly data: string },
  reply: StreamedReply,
  modifier: ClientModifier,
): void {
  if (name === 'error') throw new CallFailure('error-event', data);
  if (name !== '' && name !== 'message') return;
  const chunk = JSON.parse(data) as WireValue;
  if (chunk.error) throw new CallFailure('error-event', chunk.error.message);
  refuseIf(modifier.refusesValue?.(chunk));
  (modifier.chunk ?? addChunk)(chunk, reply);
}

/** The first choice alone, wherever it stands. */
export function addChunk({ choices = [] }: WireValue, reply: StreamedReply): void {
  for (const { index = 0, delta, finish_reason: reason } of choices) {
    if (index !== 0) continue;
    reply.text += delta?.content ?? '';
    if (typeof reason === 'string') reply.isFinished = true;
  }
}
