/** Sends one request and returns the answer, bounded and redacted. All traffic of a run goes through here. */
import type { FilledRequest } from '../../plan/bind-request.ts';
import { fillBody } from '../../plan/filler.ts';
import type { Bound } from '../../plan/plan.ts';
import type { Keys, Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { type OnAwait, unwatched } from '../channel/hooks.ts';
import type { Attempt, Header, SecretSeen, SentRequest } from '../exchange.ts';
import type { Notice } from '../notice.ts';
import { createRedactor, type Redaction, type Redactor } from '../secrets/redaction.ts';
import { collectSecrets } from '../secrets/secrets.ts';
import type { KeyFacts } from '../traffic.ts';
import { ByteAllowance } from './body-intake.ts';
import { type ComposedRequest, createComposer, describe } from './composition.ts';
import { ENCODINGS } from './decompression.ts';
import { type Connect, openConnections, type Wire } from './dispatcher.ts';
import { type Received, type ReceivedAnswer, Reception } from './reception.ts';
import { WireTap } from './wire-tap.ts';

export interface Sent {
  /** When the request was written to an open connection, by `performance.now()`. */
  readonly sentAt: number;
  readonly outcome: Attempt['outcome'];
  readonly secretsSeen: readonly SecretSeen[];
  readonly connection?: number;
}

export interface SendOptions {
  /** It goes over a new connection, as after one that broke. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
  /** Ends the reply early if nothing else would. Default: `max-tokens`. */
  readonly bound?: Bound;
  /** Shared with other answers. Default: only the limits of a single answer apply. */
  readonly room?: ByteAllowance;
  /** Milliseconds to wait for the headers, and for each part of the body, if the settings do not say less. */
  readonly firstByte?: number;
  readonly idle?: number;
  /** Milliseconds after the headers in which nothing is read. */
  readonly readsAfter?: number;
  /** Called whenever a part of a stream has arrived, with the number of its events so far. */
  readonly onEvents?: (events: number) => void;
}

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
  /** One that stays open, whatever the target announces. */
  const holdOpen = (name: string): Wire => {
    const wire = held.get(name) ?? connections.held();
    held.set(name, wire);
    return wire;
  };
  const wireFor = ({ idle }: FilledRequest, isAlone: boolean): Wire => {
    if (isAlone) return connections.fresh();
    return idle?.connection === undefined ? connections.pool : holdOpen(idle.connection);
  };

  /** A request is described and sent, and sent again after a failure. */
  const composed = new WeakMap<FilledRequest, ComposedRequest>();
  const compose = createComposer(settings, keys, encodings);
  const composeOnce = (request: FilledRequest): ComposedRequest => {
    const made = composed.get(request) ?? compose(request);
    composed.set(request, made);
    return made;
  };

  return {
    keyFacts,
    notices,
    describe: (request) => describe(composeOnce(request), redactor),
    async send(request, options: SendOptions = {}) {
      const { fresh = false, signal, bound = 'max-tokens', room = new ByteAllowance(Infinity), ...reading } = options;
      const { wire, path } = composeOnce(request);
      const reception = new Reception({
        ...reading,
        tap,
        mode: request.mode,
        bound,
        limits: settings.limits,
        timeouts: shortened(settings.timeouts, options),
        signal,
        room,
        encodings,
      });
      // A server that answered before it had read a large body may never read what follows on that connection.
      const isAlone = fresh || request.filler !== undefined || request.idle?.on === 'new';
      const dispatcher = wireFor(request, isAlone);
      dispatcher.dispatch(
        {
          origin,
          path: basePath + path,
          method: request.method,
          headers: wire as string[],
          body: bodyOf(request),
        },
        reception,
      );
      const ended = onAwait(() => reception.deadlines.awaited(`${request.method} ${request.path}`));
      const received = await reception.result;
      ended();
      if (isAlone) await dispatcher.destroy();
      if (received.kind === 'none' && UNSENDABLE.has(received.failure.code)) {
        throw new UsageError(`Cannot send ${request.method} ${request.path}: ${received.failure.detail}.`);
      }
      const { connection } = reception;
      const sent = redactReceived(received, redactor, settings.limits.depth);
      return connection === undefined ? sent : { ...sent, connection };
    },
    async renew() {
      const { pool } = connections;
      connections = connect(settings, tap);
      await pool.destroy();
    },
    async close() {
      await Promise.all([connections.pool, ...held.values()].map((wire) => wire.destroy()));
    },
  };
}

function bodyOf({ body, filler }: FilledRequest): string | null {
  return body !== undefined && filler ? fillBody(body, filler) : (body ?? null);
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

function shortened(timeouts: Settings['timeouts'], { firstByte = Infinity, idle = Infinity }: SendOptions) {
  return {
    ...timeouts,
    firstByte: Math.min(timeouts.firstByte, firstByte),
    idle: Math.min(timeouts.idle, idle),
  };
}
