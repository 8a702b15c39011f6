/**
 * Sends one call: on its connection, again on fresh ones if it was closed before any answer, left if its client leaves, and
 * given up if it takes too long for the run.
 */

import { setMaxListeners } from 'node:events';
import type { Channel } from '../../exchange/channel/channel.ts';
import { pauseFor } from '../../exchange/channel/pace.ts';
import type { Attempt, Exchange } from '../../exchange/exchange.ts';
import { lastAnswer, lastFailure } from '../../exchange/reading/answered.ts';
import type { Transport } from '../../exchange/transport/transport.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import type { SoughtAnswer } from '../../plan/plan.ts';
import type { LoadKind } from '../../report/load-report.ts';
import { type ConnectionUse, type LoadCall, PROFILES, stepOf } from './calls.ts';
import { ByteAllowance } from '../../exchange/transport/body-intake.ts';

/** Milliseconds that a slow reader reads nothing. */
const SLOW_READ = 1_500;
/** Closed on so many fresh connections in a row, it has failed. */
const FRESH_TRIES = 2;
/** Milliseconds before a refused connection is tried again. */
const AFTER_REFUSAL = 50;

/** Other calls seek an answer. */
const SEEKS: Readonly<Partial<Record<LoadKind, SoughtAnswer>>> = { refusal: 'refusal', 'unknown-key': 'unauthorized' };

export interface Sender {
  readonly connections: LoadConnections;
  readonly channel: Channel;
}

/** Milliseconds: no timer waits longer. */
const LONGEST = 2 ** 31 - 1;

/** A moment at which calls under way are given up: then the run has waited for long enough. */
export class GivingUp {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #at = 0;

  /** `run`: aborts when the run ends. `most`: milliseconds. */
  constructor(run: AbortSignal, most: number) {
    this.signal = AbortSignal.any([run, this.#controller.signal]);
    // Every pending call listens to it.
    setMaxListeners(0, this.signal);
    this.left = most;
  }

  /** Milliseconds from now on. */
  set left(milliseconds: number) {
    clearTimeout(this.#timer);
    this.#at = performance.now() + milliseconds;
    // If this process was busy, answers may have arrived unread: sockets are read before the next immediate.
    const giveUp = () => setImmediate(() => this.#controller.abort());
    this.#timer = setTimeout(giveUp, Math.min(Math.max(0, milliseconds), LONGEST));
  }

  get left(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Ends with the calls. */
  during<Done>(calls: Promise<Done>): Promise<Done> {
    return calls.finally(() => clearTimeout(this.#timer));
  }
}

/** Undefined if the target has not seen it: the run had ended, or its client left first. */
export async function sendCall(
  call: LoadCall,
  request: FilledRequest,
  room: CallMemory,
  { connections, channel, until }: Sender & { readonly until: AbortSignal },
) {
  const line = connections.choose(call.connection);
  const { transport, use } = line;
  const described = transport.describe(request);
  const { sending, hasLeft, end } = startClient(call, until);
  const attempts: Attempt[] = [];
  let fresh = use === 'new-connection';
  let freshTries = 0;
  let wasSent = false;
  try {
    for (;;) {
      const delivery = await channel.send(request, { transport, described, fresh, room, ...sending });
      if (delivery.kind === 'forbidden') return delivery;
      if (delivery.kind === 'ended' || channel.signal.aborted) return undefined;
      attempts.push(delivery.attempt);
      wasSent ||= delivery.kind === 'sent';
      if (fresh) freshTries += 1;
      const failure = lastFailure({ attempts })?.kind;
      if (!CLOSED_EARLY.includes(failure) || sending.signal.aborted || freshTries >= FRESH_TRIES) break;
      if (failure === 'refused') await pauseFor(AFTER_REFUSAL, until);
      fresh = true;
    }
  } finally {
    end();
    line.release();
  }
  if (!wasSent) return undefined;
  const { id, stage, number, kind } = call;
  const seeks = SEEKS[kind] ?? 'answer';
  const exchange: Exchange = { id, step: stepOf(call), stage, number, seeks, request: described, attempts };
  return { exchange, hasLeft: hasLeft() && wasGivenUp(exchange), use };
}

/** How our client takes the answer. One that leaves aborts its call at its point, unless the answer ends first. */
function startClient(call: LoadCall, until: AbortSignal) {
  const readsAfter = call.kind === 'slow-reader' && { readsAfter: SLOW_READ };
  if (!call.leaves) return { sending: { signal: until, ...readsAfter }, hasLeft: () => false, end: () => undefined };
  const client = new AbortController();
  const leave = (): void => client.abort();
  until.addEventListener('abort', leave);
  const timer = call.leaves === 'before-headers' ? setTimeout(leave, call.leavesAfter) : undefined;
  const at = eventsUntil(call);
  const onEvents = (events: number): void => (at !== undefined && events >= at ? leave() : undefined);
  const hasLeft = (): boolean => client.signal.aborted && !until.aborted;
  const end = (): void => {
    clearTimeout(timer);
    until.removeEventListener('abort', leave);
  };
  return { sending: { signal: client.signal, ...(at !== undefined && { onEvents }) }, hasLeft, end };
}

/** Events that a client reads before it leaves; undefined if it does not count them. */
export function eventsUntil({ leaves, profile }: LoadCall): number | undefined {
  const { pieces } = PROFILES[profile];
  if (leaves === 'first-event') return 1;
  if (leaves === 'middle') return Math.ceil(pieces / 2);
  return leaves === 'before-end' ? pieces : undefined;
}

const CLOSED_EARLY: readonly (string | undefined)[] = ['closed', 'refused'];

/** We ended it, before or during the answer, although it was not over. For one whose client did not leave: it was given up. */
export function wasGivenUp(exchange: Pick<Exchange, 'attempts'>): boolean {
  const end = lastAnswer(exchange)?.body.end;
  return end ? end.kind === 'aborted' && end.why === 'interrupted' : lastFailure(exchange)?.kind === 'aborted';
}

// The connections of a run: two pools, one of which is dropped before the pause, new ones, and some that were idle.

/** Connections that are used only after they were idle. */
const IDLE_CONNECTIONS = 4;
/** Milliseconds. */
const SHORTEST_IDLE = 1_000;
const LONGEST_IDLE = 5_000;

/** What a pool has to do here; the bench measures a bare one. */
type Renewable = Pick<Transport, 'renew' | 'close'>;

export class LoadConnections<Wire extends Renewable = Transport> {
  /** The connection that describes requests and sends single calls. */
  readonly main: Wire;
  readonly #renewed: Wire;
  /** `idle`: how long each is left idle every time. `lastUse`: infinite while it is in use. */
  readonly #idleConnections: readonly { readonly transport: Wire; lastUse: number; readonly idle: number }[];
  #turn = 0;

  /** `open`: for this many calls at once. */
  constructor(open: (connections: number) => Wire, inFlight: number) {
    this.main = open(inFlight);
    this.#renewed = open(inFlight);
    this.#idleConnections = Array.from({ length: IDLE_CONNECTIONS }, (_, place) => ({
      transport: open(1),
      lastUse: -Infinity,
      idle: SHORTEST_IDLE + ((LONGEST_IDLE - SHORTEST_IDLE) * place) / (IDLE_CONNECTIONS - 1),
    }));
  }

  /** Where a call is sent. `release`: frees the connection; call it when the call has ended. */
  choose(use: ConnectionUse) {
    const now = performance.now();
    const rested = this.#idleConnections.find(({ lastUse, idle }) => use === 'after-idle' && now - lastUse > idle);
    if (rested) {
      rested.lastUse = Infinity;
      return { transport: rested.transport, use, release: () => void (rested.lastUse = performance.now()) };
    }
    const isNew = use === 'new-connection';
    const transport = isNew || this.#turn++ % 2 === 0 ? this.main : this.#renewed;
    return { transport, use: isNew ? use : 'kept-connection', release: () => undefined } as const;
  }

  /** Half of the connections stay open over the pause. */
  async renewHalf(): Promise<void> {
    await this.#renewed.renew();
  }

  async close(): Promise<void> {
    const idle = this.#idleConnections.map(({ transport }) => transport);
    await Promise.all([this.main, this.#renewed, ...idle].map((each) => each.close()));
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
