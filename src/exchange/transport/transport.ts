/** Sends one request and returns the answer, bounded and redacted. All traffic of a run goes through here. */
import type { FilledRequest } from '../../plan/bind-request.ts';
import { describeFilled, fillBody } from '../../plan/filler.ts';
import type { Keys, Settings } from '../../settings.ts';
import { withoutUndefined } from '../../json.ts';
import { oncePer } from '../../once-per.ts';
import { UsageError, usageError } from '../../usage-error.ts';
import { type OnAwait, unwatched } from '../channel/hooks.ts';
import type { Attempt, Header, SecretSeen, SentRequest } from '../exchange.ts';
import type { Notice } from '../notice.ts';
import { createRedactor, type Redaction, type Redactor } from '../secrets/redaction.ts';
import { collectSecrets, credential, knownPart } from '../secrets/secrets.ts';
import type { KeyFacts } from '../traffic.ts';
import { ENCODINGS } from './decompression.ts';
import { type Connect, openConnections, type Wire } from './dispatcher.ts';
import { type Received, type ReceivedAnswer, Reception, type SendOptions } from './reception.ts';
import { WireTap } from './wire-tap.ts';

/** `sentAt`: when the request was written to an open connection, by `performance.now()`. */
export type Sent = Omit<Attempt, 'pause'>;

export interface Transport {
  /** Never throws for anything that the target does. */
  send(request: FilledRequest, options?: SendOptions): Promise<Sent>;
  /** The request as it is recorded, without secrets. */
  describe(request: FilledRequest): SentRequest;
  readonly keyFacts: readonly KeyFacts[];
  readonly notices: readonly Notice[];
  /** Drops the open connections. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** Undici's codes for a request that HTTP does not allow, such as a line break in a header. Nothing was sent. */
const UNSENDABLE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);

export interface TransportOptions {
  /** One that knows more than the secrets of the settings. */
  readonly redactor?: Redactor;
  /** Default: over the network. */
  readonly connect?: Connect;
  /** Encodings that the target may use. Default: all that we can decode. */
  readonly encodings?: readonly string[];
  readonly onAwait?: OnAwait;
}

export function createTransport(settings: Settings, keys: Keys, options: TransportOptions = {}): Transport {
  const { origin, pathname } = new URL(settings.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const { secrets, notices, keyFacts } = collectSecrets(settings, keys);
  const {
    redactor = createRedactor(secrets),
    connect = openConnections,
    encodings = ENCODINGS,
    onAwait = unwatched,
  } = options;
  const tap = new WireTap(settings.limits.headers);
  let connections = connect(settings, tap);
  const held = new Map<string, Wire>();
  const wireFor = ({ idle, connection = idle?.connection }: FilledRequest, isAlone: boolean): Wire => {
    if (isAlone) return connections.fresh();
    if (connection === undefined) return connections.pool;
    // After a pause, one that stays open, whatever the target announces.
    const wire = held.get(connection) ?? (idle ? connections.held() : connections.fresh());
    held.set(connection, wire);
    return wire;
  };

  const compose = createComposer(settings, keys, encodings, redactor);

  return {
    keyFacts,
    notices,
    describe: (request) => compose(request).described,
    async send(request, options: SendOptions = {}) {
      const { fresh = false, firstByte = Infinity, idle = Infinity, ...reading } = options;
      const { limits, timeouts: given } = settings;
      const shorter = { firstByte: Math.min(given.firstByte, firstByte), idle: Math.min(given.idle, idle) };
      const timeouts = { ...given, ...shorter };
      const { wire: headers, path } = compose(request);
      const { method, mode } = request;
      const reception = new Reception({ ...reading, tap, mode, limits, timeouts, encodings });
      // A server that answered before it had read a large body may never read what follows on that connection.
      const isAlone = fresh || request.filler !== undefined || request.idle?.on === 'new';
      const dispatcher = wireFor(request, isAlone);
      const named = `${method} ${request.path}`;
      const { body = null, filler } = request;
      const content = body !== null && filler ? fillBody(body, filler) : body;
      dispatcher.dispatch({ origin, path: basePath + path, method, headers, body: content }, reception);
      const ended = onAwait(() => reception.deadlines.awaited(named));
      const received = await reception.result;
      ended();
      if (isAlone) await dispatcher.destroy();
      if (received.kind === 'none' && UNSENDABLE.has(received.failure.code)) {
        throw new UsageError(`Cannot send ${named}: ${received.failure.detail}.`);
      }
      const { connection } = reception;
      const sent = redactReceived(received, redactor, settings.limits.depth);
      return connection === undefined ? sent : { ...sent, connection };
    },
    async renew() {
      const old = [connections.pool, ...held.values()];
      held.clear();
      connections = connect(settings, tap);
      await Promise.all(old.map((wire) => wire.destroy()));
    },
    async close() {
      await Promise.all([connections.pool, ...held.values()].map((wire) => wire.destroy()));
    },
  };
}

function redactReceived(received: Received, redactor: Redactor, maxDepth: number): Sent {
  const { sentAt } = received;
  const at = Math.max(0, performance.now() - sentAt);
  const seen = new Map<string, SecretSeen>();
  const note = <Value>({ value, seen: found }: Redaction<Value>, place: SecretSeen['place']): Value => {
    for (const secret of found) seen.set(`${place} ${secret.form} ${secret.role}`, { ...secret, place });
    return value;
  };
  if (received.kind === 'none') {
    const failure = { ...received.failure, detail: note(redactor.text(received.failure.detail), 'status'), at };
    return { sentAt, outcome: { kind: 'none', failure }, secretsSeen: [...seen.values()] };
  }
  const { statusText, bytes, reads, end, headers, ...answer }: ReceivedAnswer = received.answer;
  note(redactor.text(statusText), 'status');
  const shownHeaders = headers.map(([name, value]): Header => [
    note(redactor.text(name.toLowerCase()), 'header'),
    note(redactor.text(value), 'header'),
  ]);
  const body = {
    bytes: note(redactor.body(bytes), 'body'),
    reads,
    end: 'detail' in end ? { ...end, detail: redactor.text(end.detail).value } : end,
    maxDepth,
  };
  return {
    sentAt,
    outcome: { kind: 'answer', answer: { ...answer, headers: shownHeaders, body } },
    secretsSeen: [...seen.values()],
  };
}

// Composes a request as it is sent, and describes it for the record without secrets.

interface ComposedHeader {
  readonly name: string;
  readonly value: string;
  /** The value without its secret, if it has one. */
  readonly shown?: string;
}

interface ComposedRequest {
  /** Names and values of headers in turn. */
  readonly wire: string[];
  /** The path below the base URL. */
  readonly path: string;
  readonly described: SentRequest;
}

/** Makes the composer for all requests of a run. */
export function createComposer(settings: Settings, keys: Keys, encodings: readonly string[], redactor: Redactor) {
  const hide = (text: string) => redactor.text(text).value;
  const composeHeaders = ({ key, headers, inCapitals }: FilledRequest) => {
    const made = credential(key, keys, settings.seed);
    if (made === undefined) throw usageError.KEY_MISSING(`The key "${key}" is missing.`);
    const { header } = made;
    const all: ComposedHeader[] = [
      { name: 'User-Agent', value: settings.userAgent },
      // As stock clients do, for streams too.
      { name: 'Accept', value: 'application/json' },
      { name: 'Accept-Encoding', value: encodings.join(', ') },
      ...settings.headers.map(({ name, value, secret }) => ({ name, value, ...(secret && { shown: stars(value) }) })),
      ...(header ? [{ name: header[0], value: header[1], shown: hideKey(header[1], made.key) }] : []),
      ...Object.entries(headers).map(([name, value]) => ({ name, value })),
    ];
    // The last header of a name wins, in any case: headers of the request override those of the run.
    const last = new Map(all.map((each) => [each.name.toLowerCase(), each])).values();
    const sent = Array.from(last, (each) => (inCapitals ? { ...each, name: each.name.toUpperCase() } : each));
    const described = sent.map(({ name, value, shown }): Header => [hide(name), hide(shown ?? value)]);
    return { made, wire: sent.flatMap(({ name, value }) => [name, value]), described };
  };
  /** The headers of a run and a key, which most requests share: under load, there are thousands a second. */
  const shared = new WeakMap<FilledRequest['headers'], Map<string, ReturnType<typeof composeHeaders>>>();
  const headersOf = (request: FilledRequest) => {
    const sets = shared.get(request.headers) ?? new Map<string, ReturnType<typeof composeHeaders>>();
    shared.set(request.headers, sets);
    const name = `${request.key} ${request.inCapitals ?? false}`;
    const known = sets.get(name) ?? composeHeaders(request);
    sets.set(name, known);
    return known;
  };
  const compose = (request: FilledRequest): ComposedRequest => {
    const { endpoint, mode, method, body, filler, idle, key } = request;
    const { made, wire, described: headers } = headersOf(request);
    const { query } = made;
    const path = escapePath(request.path);
    const join = path.includes('?') ? '&' : '?';
    const described = {
      ...{ endpoint, mode, method },
      path: hide(query === undefined ? path : `${path}${join}${hideKey(query, made.key)}`),
      headers,
      ...(body !== undefined && { body: hide(filler ? describeFilled(body, filler) : body) }),
      ...withoutUndefined({ filler, idle }),
      key,
    };
    return { wire, path: query === undefined ? path : `${path}${join}${query}`, described };
  };
  /** A request is described and sent, and sent again after a failure. */
  return oncePer(compose);
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
