/** Composes a request as it is sent, and describes it for the record without secrets. */
import type { Keys, Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { credential, knownPart } from '../secrets/credentials.ts';
import { ENCODINGS } from './decompression.ts';
import type { SentRequest } from '../exchange.ts';
import type { Redactor } from '../secrets/redaction.ts';
import { describeFilled } from '../../plan/filler.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';

export interface ComposedHeader {
  readonly name: string;
  readonly value: string;
  /** The value without its secret, if it has one. */
  readonly shown?: string;
}

export interface ComposedRequest {
  readonly request: FilledRequest;
  readonly headers: readonly ComposedHeader[];
  /** Below the base URL. */
  readonly path: string;
  readonly shownPath: string;
}

export function compose(
  request: FilledRequest,
  settings: Settings,
  keys: Keys,
  encodings: readonly string[] = ENCODINGS,
): ComposedRequest {
  const made = credential(request.key, keys, settings.seed);
  if (made === undefined) throw new UsageError(`The key "${request.key}" is missing.`, { code: 'KEY_MISSING' });
  const headers: ComposedHeader[] = [
    { name: 'User-Agent', value: settings.userAgent },
    // As stock clients do, for streams too.
    { name: 'Accept', value: 'application/json' },
    { name: 'Accept-Encoding', value: encodings.join(', ') },
    ...settings.headers.map(({ name, value, secret }) => ({ name, value, ...(secret && { shown: stars(value) }) })),
    ...(made.header ? [{ name: made.header[0], value: made.header[1], shown: hideKey(made.header[1], made.key) }] : []),
    ...Object.entries(request.headers).map(([name, value]) => ({ name, value })),
  ];
  const path = escapePath(request.path);
  const join = path.includes('?') ? '&' : '?';
  return {
    request,
    // The last header of a name wins, in any case: headers of the request override those of the run.
    headers: Array.from(new Map(headers.map((header) => [header.name.toLowerCase(), header])).values(), (header) =>
      request.inCapitals ? { ...header, name: header.name.toUpperCase() } : header,
    ),
    path: made.query === undefined ? path : `${path}${join}${made.query}`,
    shownPath: made.query === undefined ? path : `${path}${join}${hideKey(made.query, made.key)}`,
  };
}

export function describe({ request, headers, shownPath }: ComposedRequest, redactor: Redactor): SentRequest {
  const hide = (text: string) => redactor.text(text).value;
  return {
    endpoint: request.endpoint,
    mode: request.mode,
    method: request.method,
    path: hide(shownPath),
    headers: headers.map(({ name, value, shown }) => [hide(name), hide(shown ?? value)]),
    ...(request.body !== undefined && { body: hide(shownBody(request.body, request.filler)) }),
    ...(request.filler && { filler: request.filler }),
    ...(request.idle && { idle: request.idle }),
    key: request.key,
  };
}

function shownBody(body: string, filler: FilledRequest['filler']): string {
  return filler ? describeFilled(body, filler) : body;
}

/** Keeps the scheme and the public prefix of the key. */
function hideKey(value: string, key: string | undefined): string {
  if (key === undefined) return value;
  const at =
    value.lastIndexOf(encodeURIComponent(key)) === -1
      ? value.lastIndexOf(key)
      : value.lastIndexOf(encodeURIComponent(key));
  // Not found: the key is encoded, as in Basic, so everything after the scheme is hidden.
  const from = at === -1 ? value.lastIndexOf(' ') + 1 : at + knownPart(key).length;
  return value.slice(0, from) + stars(value.slice(from));
}

function stars(text: string): string {
  return '*'.repeat(text.length);
}

/** A request line allows visible ASCII only. */
function escapePath(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/gu, (part) => encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\uFFFD')));
}
