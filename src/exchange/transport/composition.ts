/** Composes a request as it is sent, and describes it for the record without secrets. */
import type { Keys, Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import type { KeyUse } from '../../suite/case.ts';
import { type Credential, credential, knownPart } from '../secrets/secrets.ts';
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
  /** Names and values in turn. */
  readonly wire: readonly string[];
  /** The path below the base URL. */
  readonly path: string;
  readonly shownPath: string;
}

/** The headers of a run and a key, which most requests share. */
interface ComposedHeaders {
  readonly headers: readonly ComposedHeader[];
  readonly wire: readonly string[];
}

/** Makes the composer for all requests of a run. */
export function createComposer(
  settings: Settings,
  keys: Keys,
  encodings: readonly string[] = ENCODINGS,
): (request: FilledRequest) => ComposedRequest {
  const credentials = new Map<KeyUse, Credential>();
  const known = new WeakMap<FilledRequest['headers'], Map<string, ComposedHeaders>>();
  const credentialOf = (key: KeyUse): Credential => {
    const made = credentials.get(key) ?? credential(key, keys, settings.seed);
    if (made === undefined) throw new UsageError(`The key "${key}" is missing.`, { code: 'KEY_MISSING' });
    credentials.set(key, made);
    return made;
  };
  const headersOf = (request: FilledRequest): ComposedHeaders => {
    const sets = known.get(request.headers) ?? new Map<string, ComposedHeaders>();
    known.set(request.headers, sets);
    const name = `${request.key} ${request.inCapitals ?? false}`;
    const made = sets.get(name) ?? composeHeaders(request, settings, credentialOf(request.key), encodings);
    sets.set(name, made);
    return made;
  };
  return (request) => {
    const { query, key } = credentialOf(request.key);
    const path = escapePath(request.path);
    const join = path.includes('?') ? '&' : '?';
    return {
      request,
      ...headersOf(request),
      path: query === undefined ? path : `${path}${join}${query}`,
      shownPath: query === undefined ? path : `${path}${join}${hideKey(query, key)}`,
    };
  };
}

function composeHeaders(
  request: FilledRequest,
  settings: Settings,
  made: Credential,
  encodings: readonly string[],
): ComposedHeaders {
  const all: ComposedHeader[] = [
    { name: 'User-Agent', value: settings.userAgent },
    // As stock clients do, for streams too.
    { name: 'Accept', value: 'application/json' },
    { name: 'Accept-Encoding', value: encodings.join(', ') },
    ...settings.headers.map(({ name, value, secret }) => ({ name, value, ...(secret && { shown: stars(value) }) })),
    ...(made.header ? [{ name: made.header[0], value: made.header[1], shown: hideKey(made.header[1], made.key) }] : []),
    ...Object.entries(request.headers).map(([name, value]) => ({ name, value })),
  ];
  // The last header of a name wins, in any case: headers of the request override those of the run.
  const last = new Map(all.map((header) => [header.name.toLowerCase(), header])).values();
  const headers = Array.from(last, (header) =>
    request.inCapitals ? { ...header, name: header.name.toUpperCase() } : header,
  );
  return { headers, wire: headers.flatMap(({ name, value }) => [name, value]) };
}

export function describe({ request, headers, shownPath }: ComposedRequest, redactor: Redactor): SentRequest {
  const hide = (text: string) => redactor.text(text).value;
  return {
    endpoint: request.endpoint,
    mode: request.mode,
    method: request.method,
    path: hide(shownPath),
    headers: headers.map(({ name, value, shown }) => [hide(name), hide(shown ?? value)]),
    ...(request.body !== undefined && {
      body: hide(request.filler ? describeFilled(request.body, request.filler) : request.body),
    }),
    ...(request.filler && { filler: request.filler }),
    ...(request.idle && { idle: request.idle }),
    key: request.key,
  };
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
