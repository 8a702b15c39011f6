/** Sends one request, retries it as its purpose allows, and keeps every attempt. */
import { setMaxListeners } from 'node:events';
import { mustBeRefused } from '../../plan/cost.ts';
import type { Bound, Seeks } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import type { Attempt, Exchange, SentRequest } from '../exchange.ts';
import { type Identity, identifyGivenUp, identityOf } from '../identity.ts';
import { Ledger } from './ledger.ts';
import { Pace, pauseFor } from './pace.ts';
import type { NextTry } from './retry.ts';
import { type Patience, Retrying } from './retrying.ts';
import { ByteAllowance } from '../transport/collector.ts';
import type { Ending } from '../ending.ts';
import { isLarge, wasAborted } from '../reading/answered.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import type { Transport } from '../transport/transport.ts';

export interface Question extends Identity {
  readonly seeks: Seeks;
  readonly request: FilledRequest;
  readonly bound?: Bound;
  /** Goes ahead of everything that is waiting. */
  readonly urgent?: boolean;
  /** Any answer is final. A broken connection is still replaced. */
  readonly once?: boolean;
  readonly patience?: Patience | undefined;
  /** The first attempt gets a connection of its own. */
  readonly fresh?: boolean;
  /** Attempts of an exchange that is continued and replaced. */
  readonly earlier?: readonly Attempt[];
}

interface Sending {
  readonly seeks: Seeks;
  readonly pause: number;
  readonly fresh: boolean;
  readonly urgent: boolean;
  readonly bound: Bound;
  readonly patience: Patience | undefined;
}

type Again = Extract<NextTry, { readonly kind: 'again' }>;

interface Tries {
  readonly attempts: readonly Attempt[];
  readonly isFinal: boolean;
}

/** Called for every exchange when it is complete, and again if something is learned about it later. */
export interface AskerHooks {
  onExchange?(exchange: Exchange): void;
  onAmended?(exchange: Exchange): void;
}

interface AskerOptions {
  readonly settings: Settings;
  readonly transport: Transport;
  readonly signal: AbortSignal;
  /** That of another asker, if both spend from the same budget. */
  readonly ledger?: Ledger;
  readonly hooks?: AskerHooks;
}

export class Asker {
  readonly #transport: Transport;
  readonly #pace: Pace;
  readonly #retrying: Retrying;
  readonly #room: ByteAllowance;
  readonly #signal: AbortSignal;
  readonly #hooks: AskerHooks;
  /** By `performance.now()`: times of attempts count from here. */
  readonly began = performance.now();
  readonly #exchanges = new Map<string, Exchange>();
  /** Kept until the next exchange: every step looks at what was sent before. */
  #inOrder: readonly Exchange[] | undefined;
  readonly #stopped = new AbortController();
  readonly ledger: Ledger;
  #ending: Ending | undefined;

  constructor({ settings, transport, signal, ledger = new Ledger(settings), hooks = {} }: AskerOptions) {
    this.#transport = transport;
    this.#signal = AbortSignal.any([signal, this.#stopped.signal]);
    // Every pending request listens to it.
    setMaxListeners(0, this.#signal);
    this.#hooks = hooks;
    this.#pace = new Pace(settings.concurrency, settings.ratePerSecond, (settings.retryPauses[0] ?? 0) / 4);
    this.#retrying = new Retrying(settings);
    this.#room = new ByteAllowance(settings.limits.total);
    this.ledger = ledger;
  }

  /** In the order in which they were completed. */
  get completed(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  /** In the order of sending. */
  get exchanges(): readonly Exchange[] {
    return (this.#inOrder ??= inOrderOfSending(this.completed));
  }

  exchange(id: string): Exchange | undefined {
    return this.#exchanges.get(id);
  }

  /** Later requests go over new connections. To be called when none is under way. */
  async renewConnections(): Promise<void> {
    await this.#transport.renew();
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Why the traffic is what it is, once nothing more is sent. */
  get conclusion(): Ending {
    if (this.#ending) return this.#ending;
    return this.ledger.hasLeftOut ? { kind: 'budget', setting: 'max-completions' } : { kind: 'complete' };
  }

  /** Limits the requests at once from now on. */
  allow(concurrency: number): void {
    this.#pace.allow(concurrency);
  }

  /** The first ending counts. */
  end(ending: Ending): void {
    this.#ending ??= ending;
  }

  /** Ends the run without waiting for requests under way. */
  stop(ending: Ending): void {
    this.end(ending);
    this.#stopped.abort();
  }

  /** Stops the run after this many milliseconds, unless the returned function is called before. */
  stopIn(milliseconds: number, ending: Ending): () => void {
    const timer = setTimeout(() => this.stop(ending), milliseconds).unref();
    return () => clearTimeout(timer);
  }

  /** Adds what was learned later about an exchange. */
  amend(id: string, change: Pick<Exchange, 'controlAfter'>): void {
    const exchange = this.#exchanges.get(id);
    if (!exchange) return;
    const amended = { ...exchange, ...change };
    this.#exchanges.set(id, amended);
    this.#inOrder = undefined;
    this.#hooks.onAmended?.(amended);
  }

  /** Undefined if the run ends before there is a final attempt, or if the budget does not allow one. */
  async ask(question: Question): Promise<Exchange | undefined> {
    const { seeks, request, earlier = [] } = question;
    const sent = this.#transport.describe(request);
    const { attempts, isFinal } = await this.#tryUntilFinal(question, sent);
    if (attempts.length === earlier.length) return undefined;
    // Its attempts did not finish: the exchange is kept as a record, but answers no question.
    if (!isFinal) {
      const own = attempts.slice(earlier.length);
      this.#keep({ ...identifyGivenUp(question), seeks: 'any', request: sent, attempts: own });
      return undefined;
    }
    const exchange: Exchange = { ...identityOf(question), seeks, request: sent, attempts };
    this.#keep(exchange);
    return exchange;
  }

  /** The earlier attempts and the new ones. Not final if the run ended first. */
  async #tryUntilFinal(question: Question, sent: SentRequest): Promise<Tries> {
    const { seeks, request, bound = 'max-tokens', urgent = false, once = false, earlier = [], patience } = question;
    const attempts: Attempt[] = [...earlier];
    let pause = 0;
    let fresh = question.fresh ?? false;
    for (;;) {
      // Retries go first, or a target that is gone would be noticed only after everything was sent to it.
      const isUrgent = urgent || attempts.length > 0;
      const attempt = await this.#attempt(request, sent, { seeks, pause, fresh, urgent: isUrgent, bound, patience });
      if (!attempt) return { attempts, isFinal: false };
      attempts.push(attempt);
      const { key, mode } = request;
      const tried = { seeks, key, mode, bound, isLarge: isLarge(sent), attempts: attempts.length, attempt };
      const next = this.#retrying.next(tried, patience);
      if (next.kind === 'final') return { attempts, isFinal: !wasAborted(attempt) };
      ({ pause, fresh } = next);
      this.#ease(next, attempt, once);
      if (once && attempt.outcome.kind === 'answer') return { attempts, isFinal: true };
      await pauseFor(pause, this.#signal);
    }
  }

  /** Goes easy on a target that could not keep up. */
  #ease({ easing, pause, asked = false }: Again, { sentAt, outcome }: Attempt, once: boolean): void {
    // Nothing is tried again after this 503, and the control has waited in vain for as long as one asked for.
    const isOver = once && outcome.kind === 'answer' && outcome.answer.status !== 429;
    if (easing === 'hold' && !isOver) this.#pace.slowDown(pause, this.began + sentAt, asked);
    else if (easing === 'narrow') this.#pace.narrow();
  }

  #keep(exchange: Exchange): void {
    this.#exchanges.set(exchange.id, exchange);
    this.#inOrder = undefined;
    this.#hooks.onExchange?.(exchange);
  }

  async #attempt(request: FilledRequest, sent: SentRequest, sending: Sending): Promise<Attempt | undefined> {
    await this.#pace.enter(this.#signal, sending.urgent);
    try {
      if (this.#ending || this.#signal.aborted) return undefined;
      // Of a sequence on one connection, others have to be answered.
      const isFree = mustBeRefused(sending) && sent.idle?.connection === undefined;
      const place = await this.ledger.reserve(sent, isFree);
      if (place.kind === 'forbidden') {
        // At the limit of completions, the run goes on with what is free.
        if (place.setting === 'max-requests') this.end({ kind: 'budget', setting: place.setting });
        return undefined;
      }
      try {
        return await this.#send(request, sent, sending);
      } finally {
        place.release();
      }
    } finally {
      this.#pace.leave();
    }
  }

  async #send(
    request: FilledRequest,
    sent: SentRequest,
    { pause, fresh, bound, patience }: Sending,
  ): Promise<Attempt | undefined> {
    if (this.#ending) return undefined;
    const waits = this.#retrying.waits(patience);
    const options = { fresh, signal: this.#signal, bound, room: this.#room, ...waits };
    const { sentAt: at, outcome, secretsSeen, connection } = await this.#transport.send(request, options);
    const number = connection !== undefined && { connection };
    const attempt: Attempt = { sentAt: at - this.began, pause, outcome, secretsSeen, ...number };
    // The run ended before there was a connection to send it on.
    if (wasAborted(attempt) && connection === undefined) return undefined;
    this.ledger.add(sent, attempt);
    return attempt;
  }
}

/** Exchanges sent at the same time keep the order in which they completed. */
export function inOrderOfSending(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.toSorted((a, b) => sentAt(a) - sentAt(b));
}

function sentAt({ attempts }: Exchange): number {
  return attempts[0]?.sentAt ?? 0;
}
