/** Sends one call: on its connection, again on fresh ones if it was closed before any answer, and left if its client leaves. */
import { pauseFor } from '../exchange/channel/pace.ts';
import type { Ledger } from '../exchange/channel/ledger.ts';
import type { Attempt, Exchange, SentRequest } from '../exchange/exchange.ts';
import type { Seeks } from '../plan/plan.ts';
import type { FilledRequest } from '../plan/bind-request.ts';
import type { LoadKind } from '../report/load-report.ts';
import { type LoadCall, stepOf } from './calls.ts';
import type { LoadConnections } from './connections.ts';
import type { ConnectionUse } from './mix.ts';
import { PROFILES } from './profiles.ts';
import type { CallRoom } from './room.ts';

/** Milliseconds that a slow reader reads nothing. */
const SLOW_READ = 1_500;
/** Closed on so many fresh connections in a row, it has failed. */
const FRESH_TRIES = 2;
/** Milliseconds before a refused connection is tried again. */
const AFTER_REFUSAL = 50;

const SEEKS: Readonly<Record<LoadKind, Seeks>> = {
  plain: 'answer',
  stream: 'answer',
  list: 'answer',
  'slow-reader': 'answer',
  refusal: 'refusal',
  'unknown-key': 'unauthorized',
};

export interface Sender {
  readonly connections: LoadConnections;
  readonly ledger: Ledger;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly began: number;
}

export type SentCall =
  | { readonly kind: 'sent'; readonly exchange: Exchange; readonly hasLeft: boolean; readonly use: ConnectionUse }
  | { readonly kind: 'forbidden'; readonly setting: 'max-requests' | 'max-completions' }
  /** The run ended first. */
  | { readonly kind: 'ended' }
  /** Its client left first: the target has not seen it. */
  | { readonly kind: 'unsent' };

export async function sendCall(
  call: LoadCall,
  request: FilledRequest,
  room: CallRoom,
  sender: Sender,
): Promise<SentCall> {
  const { connections, signal } = sender;
  const line = connections.choose(call.connection);
  const sent = line.transport.describe(request);
  const client = new LeavingClient(call, signal);
  const attempts: Attempt[] = [];
  let isFresh = line.isFresh;
  let freshTries = 0;
  try {
    for (;;) {
      const place = await sender.ledger.reserve(sent);
      if (place.kind === 'forbidden') return { kind: 'forbidden', setting: place.setting };
      if (signal.aborted) return { kind: 'ended' };
      client.begin();
      try {
        const { sentAt, connection, outcome, secretsSeen } = await line.transport.send(request, {
          fresh: isFresh,
          signal: client.signal,
          room,
          ...(client.onEvents && { onEvents: client.onEvents }),
          ...(call.kind === 'slow-reader' && { readsAfter: SLOW_READ }),
        });
        const attempt = {
          outcome,
          secretsSeen,
          sentAt: sentAt - sender.began,
          pause: 0,
          ...(connection !== undefined && { connection }),
        };
        if (signal.aborted) {
          if (connection !== undefined) sender.ledger.addCutShort(sent, attempt);
          return { kind: 'ended' };
        }
        attempts.push(attempt);
        if (!isUnsent(attempt)) sender.ledger.add(sent, attempt);
      } finally {
        place.release();
      }
      if (isFresh) freshTries += 1;
      if (!wasClosedEarly(attempts) || client.hasLeft || freshTries >= FRESH_TRIES) break;
      if (isRefused(attempts)) await pauseFor(AFTER_REFUSAL, signal);
      isFresh = true;
    }
  } finally {
    client.end();
    line.release();
  }
  return endOf(call, sent, attempts, { hasLeft: client.hasLeft, use: line.use });
}

function endOf(
  call: LoadCall,
  request: SentRequest,
  attempts: readonly Attempt[],
  { hasLeft, use }: { readonly hasLeft: boolean; readonly use: ConnectionUse },
): SentCall {
  if (attempts.every(isUnsent)) return { kind: 'unsent' };
  const { id, stage, number, kind } = call;
  const exchange = { id, step: stepOf(call), stage, number, seeks: SEEKS[kind], request, attempts };
  return { kind: 'sent', exchange, hasLeft: hasLeft && wasAborted(attempts), use };
}

/** Our client aborts its call at its point, unless the answer ends first. */
class LeavingClient {
  readonly #call: LoadCall;
  readonly #run: AbortSignal;
  readonly #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  hasLeft = false;
  /** Undefined if it stays. */
  readonly onEvents: ((events: number) => void) | undefined;

  constructor(call: LoadCall, run: AbortSignal) {
    this.#call = call;
    this.#run = run;
    if (!call.leaves) return;
    this.#controller = new AbortController();
    run.addEventListener('abort', this.#leave);
    const at = eventsUntil(call);
    if (at !== undefined) this.onEvents = (events) => (events >= at ? this.#leave() : undefined);
  }

  get signal(): AbortSignal {
    return this.#controller?.signal ?? this.#run;
  }

  begin(): void {
    if (this.#call.leaves === 'before-headers') this.#timer = setTimeout(this.#leave, this.#call.leavesAfter);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#run.removeEventListener('abort', this.#leave);
  }

  readonly #leave = (): void => {
    this.hasLeft = true;
    this.#controller?.abort();
  };
}

/** Events that a client reads before it leaves; undefined if it does not count them. */
export function eventsUntil({ leaves, profile }: LoadCall): number | undefined {
  const { pieces } = PROFILES[profile];
  switch (leaves) {
    case 'first-event':
      return 1;
    case 'middle':
      return Math.ceil(pieces / 2);
    case 'before-end':
      return pieces;
    case 'before-headers':
    case undefined:
      return undefined;
  }
}

function failureOf(attempts: readonly Attempt[]): string | undefined {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'none' ? outcome.failure.kind : undefined;
}

function wasClosedEarly(attempts: readonly Attempt[]): boolean {
  const failure = failureOf(attempts);
  return failure === 'closed' || failure === 'refused';
}

function isRefused(attempts: readonly Attempt[]): boolean {
  return failureOf(attempts) === 'refused';
}

/** Its client left before there was a connection to send it on. */
function isUnsent(attempt: Attempt): boolean {
  return wasAborted([attempt]) && attempt.connection === undefined;
}

function wasAborted(attempts: readonly Attempt[]): boolean {
  const outcome = attempts.at(-1)?.outcome;
  return outcome?.kind === 'none' ? outcome.failure.kind === 'aborted' : outcome?.answer.body.end.kind === 'aborted';
}
