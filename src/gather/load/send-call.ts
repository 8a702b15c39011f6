/** Sends one call: on its connection, again on fresh ones if it was closed before any answer, and left if its client leaves. */

import type { Channel, Delivery } from '../../exchange/channel/channel.ts';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Attempt, Exchange } from '../../exchange/exchange.ts';
import type { Transport } from '../../exchange/transport/transport.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import type { SoughtAnswer } from '../../plan/plan.ts';
import type { LoadKind } from '../../report/load-report.ts';
import { type ConnectionUse, type LoadCall, stepOf } from './calls.ts';
import { ByteAllowance } from '../../exchange/transport/body-intake.ts';
import { PROFILES } from './call-registry.ts';

/** Milliseconds that a slow reader reads nothing. */
const SLOW_READ = 1_500;
/** Closed on so many fresh connections in a row, it has failed. */
const FRESH_TRIES = 2;
/** Milliseconds before a refused connection is tried again. */
const AFTER_REFUSAL = 50;

const SEEKS: Readonly<Record<LoadKind, SoughtAnswer>> = {
  plain: 'answer',
  stream: 'answer',
  list: 'answer',
  'slow-reader': 'answer',
  refusal: 'refusal',
  'unknown-key': 'unauthorized',
};

export interface Sender {
  readonly connections: LoadConnections;
  readonly channel: Channel;
}

export type SentCall =
  | { readonly kind: 'sent'; readonly exchange: Exchange; readonly hasLeft: boolean; readonly use: ConnectionUse }
  | Extract<Delivery, { readonly kind: 'forbidden' | 'ended' }>
  /** Its client left first: the target has not seen it. */
  | { readonly kind: 'unsent' };

export async function sendCall(
  call: LoadCall,
  request: FilledRequest,
  room: CallMemory,
  { connections, channel }: Sender,
): Promise<SentCall> {
  const line = connections.choose(call.connection);
  const { transport, use } = line;
  const described = transport.describe(request);
  const client = new LeavingClient(call, channel.signal);
  const attempts: Attempt[] = [];
  let fresh = line.isFresh;
  let freshTries = 0;
  let wasSent = false;
  let last: Attempt;
  try {
    for (;;) {
      client.begin();
      const delivery = await channel.send(request, {
        transport,
        described,
        fresh,
        signal: client.signal,
        room,
        ...(client.onEvents && { onEvents: client.onEvents }),
        ...(call.kind === 'slow-reader' && { readsAfter: SLOW_READ }),
      });
      if (delivery.kind === 'forbidden') return delivery;
      if (delivery.kind === 'ended' || channel.signal.aborted) return { kind: 'ended' };
      last = delivery.attempt;
      attempts.push(last);
      wasSent ||= delivery.kind === 'sent';
      if (fresh) freshTries += 1;
      const failure = failureOf(last);
      if (!CLOSED_EARLY.includes(failure) || client.hasLeft || freshTries >= FRESH_TRIES) break;
      if (failure === 'refused') await pauseFor(AFTER_REFUSAL, channel.signal);
      fresh = true;
    }
  } finally {
    client.end();
    line.release();
  }
  if (!wasSent) return { kind: 'unsent' };
  const { id, stage, number, kind } = call;
  const exchange = { id, step: stepOf(call), stage, number, seeks: SEEKS[kind], request: described, attempts };
  return { kind: 'sent', exchange, hasLeft: client.hasLeft && hasAborted(last), use };
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
  if (leaves === 'first-event') return 1;
  if (leaves === 'middle') return Math.ceil(pieces / 2);
  return leaves === 'before-end' ? pieces : undefined;
}

const CLOSED_EARLY: readonly (string | undefined)[] = ['closed', 'refused'];

function failureOf({ outcome }: Attempt): string | undefined {
  return outcome.kind === 'none' ? outcome.failure.kind : undefined;
}

function hasAborted({ outcome }: Attempt): boolean {
  return outcome.kind === 'none' ? outcome.failure.kind === 'aborted' : outcome.answer.body.end.kind === 'aborted';
}

// The connections of a run: two pools, one of which is dropped before the pause, new ones, and some that were idle.

/** Connections that are used only after they were idle. */
const IDLE_CONNECTIONS = 4;
/** Milliseconds. */
const SHORTEST_IDLE = 1_000;
const LONGEST_IDLE = 5_000;

/** What a pool has to do here; the bench measures a bare one. */
type Renewable = Pick<Transport, 'renew' | 'close'>;

/** `idle`: how long it is left idle each time. */
type IdleConnection<Wire> = { readonly transport: Wire; isBusy: boolean; lastUse: number; readonly idle: number };

/** Where a call is sent. */
export interface ChosenConnection<Wire = Transport> {
  readonly transport: Wire;
  readonly isFresh: boolean;
  readonly use: ConnectionUse;
  /** Frees the connection: call it when the call has ended. */
  release(): void;
}

export class LoadConnections<Wire extends Renewable = Transport> {
  readonly #kept: Wire;
  readonly #renewed: Wire;
  readonly #idleConnections: readonly IdleConnection<Wire>[];
  #turn = 0;

  /** `open`: for this many calls at once. */
  constructor(open: (connections: number) => Wire, inFlight: number) {
    this.#kept = open(inFlight);
    this.#renewed = open(inFlight);
    this.#idleConnections = Array.from({ length: IDLE_CONNECTIONS }, (_, place) => ({
      transport: open(1),
      isBusy: false,
      lastUse: -Infinity,
      idle: SHORTEST_IDLE + ((LONGEST_IDLE - SHORTEST_IDLE) * place) / (IDLE_CONNECTIONS - 1),
    }));
  }

  /** The connection that describes requests and sends single calls. */
  get main(): Wire {
    return this.#kept;
  }

  choose(use: ConnectionUse): ChosenConnection<Wire> {
    if (use === 'new-connection') return this.#line(this.#kept, true, use);
    const now = performance.now();
    const idle =
      use === 'after-idle'
        ? this.#idleConnections.find((each) => !each.isBusy && now - each.lastUse > each.idle)
        : undefined;
    if (!idle) return this.#line(this.#turn++ % 2 === 0 ? this.#kept : this.#renewed, false, 'kept-connection');
    idle.isBusy = true;
    const release = (): void => {
      idle.isBusy = false;
      idle.lastUse = performance.now();
    };
    return { transport: idle.transport, isFresh: false, use, release };
  }

  /** Half of the connections stay open over the pause. */
  async renewHalf(): Promise<void> {
    await this.#renewed.renew();
  }

  async close(): Promise<void> {
    const idle = this.#idleConnections.map(({ transport }) => transport);
    await Promise.all([this.#kept, this.#renewed, ...idle].map((each) => each.close()));
  }

  #line(transport: Wire, isFresh: boolean, use: ConnectionUse): ChosenConnection<Wire> {
    return { transport, isFresh, use, release: () => undefined };
  }
}

// Memory for answers: bodies in flight and answers that wait for judging share it.

const MiB = 1024 * 1024;
const MOST = 64 * MiB;
/** A body is copied while it is redacted and read, so that three times as much is in use for a moment. */
const USUAL = 20 * MiB;
/** Room for the reply of one slow reader. */
const SLOW_READER = 12 * MiB;
/** No new call starts while less is left. */
const RESERVE = 4 * MiB;
/** Room that each answer has, so that one can always be judged. */
const LEAST = 16 * 1024;
/** No answer but a slow reader's has more: while one is redacted and read, copies of it are in use. */
const LARGEST = 4 * MiB;

export class AnswerMemory {
  left: number;

  constructor(slowReaders: number) {
    this.left = Math.min(MOST, USUAL + slowReaders * SLOW_READER);
  }

  get isFull(): boolean {
    return this.left < RESERVE;
  }

  /** Memory for one answer. */
  open(isSlowReader: boolean): CallMemory {
    return new CallMemory(this, isSlowReader ? SLOW_READER : LARGEST);
  }
}

export class CallMemory extends ByteAllowance {
  readonly #shared: AnswerMemory;
  readonly #most: number;
  #taken = 0;

  constructor(shared: AnswerMemory, most: number) {
    super(0);
    this.#shared = shared;
    this.#most = most;
  }

  override leftFor(taken: number): number {
    return Math.max(0, LEAST - taken, Math.min(this.#most - taken, this.#shared.left));
  }

  override take(bytes: number): void {
    this.#taken += bytes;
    this.#shared.left -= bytes;
  }

  /** Gives back what it took. */
  release(): void {
    this.#shared.left += this.#taken;
    this.#taken = 0;
  }
}
