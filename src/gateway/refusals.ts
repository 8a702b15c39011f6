/** All reasons to refuse a call, in order: the key first, whatever else is wrong (part 5.5). */
import type { Refusal, Rule } from './answer.ts';
import type { Call } from './call.ts';
import { type Json, type JsonObject, isObject } from './json.ts';
import type { KeyRole } from './access.ts';
import { outOfRange, type Promises } from './promises.ts';

/** What refusals depend on besides the call. */
export interface Policy {
  readonly caller: KeyRole | undefined;
  readonly promises: Promises;
  knows(model: string): boolean;
  permits(caller: KeyRole, model: string): boolean;
  /** Uses up one call of the caller's rate limit; false if there is none left. */
  spend(caller: KeyRole): boolean;
}

/** A generator, so that a modifier can drop one reason and the next one still applies. */
export function* reasonsToRefuse(call: Call, policy: Policy): Generator<Refusal> {
  if (policy.caller === undefined) yield noKey();
  if (call.tooLarge) yield refusal('body-size', 413, 'request_too_large', 'The request body is larger than 10 MiB.');
  if (call.endpoint === 'other') yield refusal('path', 404, 'unknown_path', 'There is nothing at this path.');
  yield* wrongMethod(call);
  if (call.endpoint !== 'chat' || call.method === 'OPTIONS') return;

  yield* malformedBody(call);
  yield* invalidFields(call.body, policy.promises);
  const { model } = call.body;
  const caller = policy.caller ?? 'full';
  if (typeof model === 'string') {
    if (!policy.knows(model)) yield refusal('model-unknown', 404, 'model_not_found', 'There is no such model.');
    else if (!policy.permits(caller, model)) {
      yield refusal('model-forbidden', 403, 'model_not_allowed', 'This key may not call this model.');
    }
  }
  if (caller === 'exhausted') yield refusal('quota', 402, 'quota_exhausted', 'This key has nothing left to spend.');
  if (!policy.spend(caller)) yield tooManyCalls();
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'quota_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

export function refusal(rule: Rule, status: number, code: string, message: string): Refusal {
  const type = TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return { rule, status, type, code, message };
}

function noKey(): Refusal {
  const headers = { 'www-authenticate': 'Bearer' };
  return { ...refusal('key', 401, 'invalid_api_key', 'The request carries no valid key.'), headers };
}

export function tooManyCalls(): Refusal {
  const headers = { 'retry-after': '1' };
  return { ...refusal('rate', 429, 'rate_limit_exceeded', 'Too many calls; try again in a second.'), headers };
}

/** A call that is valid, refused by a modifier. */
export function unsupported(status = 400, message = 'This is not supported.'): Refusal {
  return refusal('invented', status, 'unsupported', message);
}

export const ALLOWED = { models: ['GET', 'HEAD', 'OPTIONS'], chat: ['POST', 'OPTIONS'] } as const;

function* wrongMethod(call: Call): Generator<Refusal> {
  if (call.endpoint === 'other') return;
  const allowed: readonly string[] = ALLOWED[call.endpoint];
  if (allowed.includes(call.method)) return;
  const message = `${call.method} is not allowed here.`;
  yield { ...refusal('method', 405, 'method_not_allowed', message), headers: { allow: allowed.join(', ') } };
}

export function* malformedBody(call: Call): Generator<Refusal> {
  if (call.text === '') yield refusal('body-missing', 400, 'missing_body', 'The request has no body.');
  else if (call.parsed === undefined) yield refusal('body-json', 400, 'invalid_json', 'The body is not JSON.');
  else if (!isObject(call.parsed)) yield refusal('body-object', 400, 'invalid_body', 'The body is not a JSON object.');
}

function* invalidFields(body: JsonObject, promises: Promises): Generator<Refusal> {
  const { model, messages } = body;
  if (model === undefined) yield invalid('model-missing', 'model is missing.');
  else if (typeof model !== 'string') yield invalid('model-type', 'model is not a string.');

  if (messages === undefined) yield invalid('messages-missing', 'messages is missing.');
  else if (!Array.isArray(messages)) yield invalid('messages-type', 'messages is not an array.');
  else {
    if (messages.length === 0) yield invalid('messages-empty', 'messages is empty.');
    for (const message of messages as readonly Json[]) yield* invalidMessage(message);
  }
  for (const field of promises.required ?? []) {
    if (body[field] === undefined) yield invalid('field-missing', `${field} is missing.`);
  }
  yield* invalidParameters(body, promises);
}

const ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant']);

function* invalidMessage(message: Json): Generator<Refusal> {
  if (!isObject(message)) {
    yield invalid('message-type', 'A message is not an object.');
    return;
  }
  const { role, content } = message;
  if (role === undefined) yield invalid('role-missing', 'A message has no role.');
  else if (typeof role !== 'string') yield invalid('role-type', 'The role of a message is not a string.');
  else if (!ROLES.has(role)) yield invalid('role-unknown', 'The role of a message is unknown.');

  if (content === undefined) yield invalid('content-missing', 'A message has no content.');
  else if (typeof content !== 'string') yield invalid('content-type', 'The content of a message is not a string.');
}

/** By field, the rules for its type and its range. Two fields limit the tokens. */
const RANGED = {
  max_tokens: 'max-tokens',
  max_completion_tokens: 'max-tokens',
  temperature: 'temperature',
  top_p: 'top-p',
} as const;

/** `null` means that an optional field is not set. */
function* invalidParameters(body: JsonObject, promises: Promises): Generator<Refusal> {
  for (const [field, rule] of Object.entries(RANGED)) {
    const value = body[field] ?? null;
    const isCount = rule === 'max-tokens';
    if (value === null) continue;
    if (typeof value !== 'number' || (isCount && !Number.isInteger(value))) {
      yield invalid(`${rule}-type`, `${field} is not ${isCount ? 'an integer' : 'a number'}.`);
      continue;
    }
    const message = outOfRange(rule.replace('-', '_'), value, promises);
    if (message !== undefined) yield invalid(`${rule}-range`, message);
  }
  const { stream = null } = body;
  if (stream !== null && typeof stream !== 'boolean') yield invalid('stream-type', 'stream is not a boolean.');
}

function invalid(rule: Rule, message: string): Refusal {
  return refusal(rule, 400, 'invalid_value', message);
}
