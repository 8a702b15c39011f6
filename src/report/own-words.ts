/** Tells our own words in a report from those of the target, for `--no-bodies`. What is not known to be ours is theirs. */
import { pointerOf, pointerTokens } from '../json.ts';

export const WITHHELD = '(left out by --no-bodies)';

/** What observations say in words of ours. */
const SAID: ReadonlySet<string> = new Set([
  ...['accepted', 'always', 'sometimes', 'never', 'none', 'nowhere', 'complete', 'absent', 'without its blank line'],
  ...['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'],
  ...['done', 'closed', 'cut', 'stalled', 'held-open', 'limit', 'aborted'],
  ...['the same name', 'no name', 'another name', 'none that is near the time of the run'],
  ...['after [DONE]', 'in every chunk', 'in several chunks', 'in a chunk without choices', 'in one chunk'],
  ...['in the last chunk with a choice', 'byte-order-mark', 'duplicate-member', 'unsafe-number', 'lone-surrogate'],
  ...['proto-member', '1.0', '1.1', 'gzip', 'br', 'deflate', 'stop', 'length', 'application/json'],
  ...['application/json; charset=utf-8', 'text/event-stream', 'text/event-stream; charset=utf-8', 'text/html'],
  ...['seconds', 'milliseconds', 'microseconds', 'nanoseconds'].map((unit) => `${unit} since 1970`),
]);

/** Where words of ours go before those of the target. */
const BEGINNINGS = [
  /^refused with \d{3}/,
  /^not answered: there was no connection/,
  /^not answered: [a-z ,-]+$/,
  /^another name/,
  /^[A-Z]+ \/[\w/-]*: \d{3}/,
  /^\d{3}(?![^ ])/,
];

/** As much of a text as is ours. */
export function ownPart(text: string): string {
  if (SAID.has(text)) return text;
  for (const beginning of BEGINNINGS) {
    const [own] = beginning.exec(text) ?? [];
    if (own !== undefined) return own;
  }
  return WITHHELD;
}

/** A reason may quote the message of an error in parentheses behind its status: `503 (overloaded: …) stayed`. */
export function ownReason(reason: string): string {
  return reason.replace(/^(\d{3}) \(.*\)/s, '$1');
}

const FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'index', 'message', 'role', 'content', 'finish_reason', 'delta'],
  ...['usage', 'prompt_tokens', 'completion_tokens', 'total_tokens', 'data', 'owned_by', 'error', 'type', 'code', '*'],
  ...['openapi', 'info', 'version', 'title', 'servers', 'paths', '/models', '/chat/completions', 'get', 'post'],
  ...['operationId', 'parameters', 'requestBody', 'responses', 'application/json', 'text/event-stream', 'default'],
  ...['schema', 'properties', 'items', 'required', 'enum', 'minimum', 'maximum', 'additionalProperties', 'oneOf'],
  ...['anyOf', 'allOf', 'components', 'schemas', 'securitySchemes', 'security', 'messages', 'temperature', 'top_p'],
  ...['max_tokens', 'stream'],
]);

/** Names that the contract does not have are left out of a pointer. */
export function ownPointer(pointer: string): string {
  return pointerOf(pointerTokens(pointer).map((token) => (FIELDS.has(token) || /^\d+$/.test(token) ? token : '…')));
}

const HEADERS: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive', 'date'],
  ...['retry-after', 'retry-after-ms', 'server', 'vary', 'allow', 'location', 'cache-control', 'www-authenticate'],
  ...['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit', 'ratelimit-policy'],
  ...['limit', 'remaining', 'reset'].flatMap((what) => ['requests', 'tokens'].map((of) => `x-ratelimit-${what}-${of}`)),
]);

export function ownHeaderName(name: string): string {
  return HEADERS.has(name) ? name : '…';
}

/** Numbers and dates tell nothing that was not asked for. */
const PLAIN_VALUE =
  /^(?:\d{1,15}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|chunked|close|keep-alive)$/;

export function ownHeaderValue(value: string): string {
  return SAID.has(value) || PLAIN_VALUE.test(value) ? value : WITHHELD;
}
