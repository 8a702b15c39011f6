/** Header names and values that are the field's own vocabulary, whoever sends them. Anything else is the target's text. */
import { type Quote, quoteText } from '../../text/quote.ts';

const NAMES: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive', 'date'],
  ...['retry-after', 'retry-after-ms', 'server', 'vary', 'allow', 'location', 'cache-control', 'www-authenticate'],
  ...['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit', 'ratelimit-policy'],
  ...['limit', 'remaining', 'reset'].flatMap((what) => ['requests', 'tokens'].map((of) => `x-ratelimit-${what}-${of}`)),
]);

const VALUES: ReadonlySet<string> = new Set([
  ...['application/json', 'application/json; charset=utf-8', 'text/event-stream', 'text/event-stream; charset=utf-8'],
  ...['text/html', 'text/html; charset=utf-8', 'text/plain', 'text/plain; charset=utf-8'],
  ...['gzip', 'br', 'deflate', 'chunked', 'close', 'keep-alive', 'no-cache', 'no-store', '1.0', '1.1'],
]);

/** Numbers and dates. */
const PLAIN = /^(?:\d{1,15}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;

export function isStandardHeader(name: string): boolean {
  return NAMES.has(name.toLowerCase());
}

export function isStandardValue(value: string): boolean {
  return VALUES.has(value.toLowerCase()) || PLAIN.test(value);
}

export function quoteHeaderName(name: string): string | Quote {
  return isStandardHeader(name) ? name : quoteText(name);
}

export function quoteHeaderValue(value: string): string | Quote {
  return isStandardValue(value) ? value : quoteText(value);
}
