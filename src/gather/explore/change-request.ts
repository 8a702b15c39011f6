/** Changes of drawn requests: each gives another one. */
import type { JsonObject } from '../../json.ts';
import { type DrawnRequest, messagesIn } from './drawn-request.ts';

export function plainly(body: JsonObject): DrawnRequest {
  return { body, written: {}, spellings: [] };
}

/** Nothing is kept that was said about fields that the new body does not have. */
export function withBody(request: DrawnRequest, body: JsonObject): DrawnRequest {
  const kept = Object.entries(request.written).filter(([field]) => Object.hasOwn(body, field));
  return { ...request, body, written: Object.fromEntries(kept) };
}

export function withMessages(request: DrawnRequest, messages: readonly JsonObject[]): DrawnRequest {
  return withBody(request, { ...request.body, messages });
}

/** `place`: counted on from the first after the last. */
export function changeMessage(request: DrawnRequest, place: number, change: (message: JsonObject) => JsonObject) {
  const messages = messagesIn(request);
  const changed = messages.map((message, at) => (at === place % messages.length ? change(message) : message));
  return withMessages(request, changed);
}

export function without<Value>(object: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== name));
}
