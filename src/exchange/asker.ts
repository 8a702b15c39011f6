/** Sends one request, tries it again as its purpose allows, and keeps every attempt. */
import type { Seeks } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { Attempt, Exchange } from './exchange.ts';
import { Ledger } from './ledger.ts';
import { Pace, pauseFor } from './pace.ts';
import { nextTry } from './retry.ts';
import type { BoundRequest, Ending } from './traffic.ts';
import type { Transport } from './transport.ts';

export interface Question {
  readonly id: string;
  readonly step: string;
  readonly seeks: Seeks;
  readonly request: BoundRequest;
}

export class Asker {
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #pace: Pace;
  readonly #signal: AbortSignal;
  readonly #began = performance.now();
  readonly #exchanges = new Map<string, Exchange>();
  readonly ledger: Ledger;
  #ending: Ending | undefined;

  constructor(settings: Settings, transport: Transport, signal: AbortSignal) {
    this.#settings = settings;
    this.#transport = transport;
    this.#signal = signal;
    this.#pace = new Pace(settings.concurrency, settings.ratePerSecond);
    this.ledger = new Ledger(settings);
  }

  /** In the order in which they were complete. */
  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  exchange(id: string): Exchange | undefined {
    return this.#exchanges.get(id);
  }

  /** Why nothing more is sent, once that is so. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** The first reason stands. */
  end(ending: Ending): void {
    this.#ending ??= ending;
  }

  /** Keeps what was learned later about an exchange. */
  amend(id: string, change: Pick<Exchange, 'controlAfter'>): void {
    const exchange = this.#exchanges.get(id);
    if (exchange) this.#exchanges.set(id, { ...exchange, ...change });
  }

  /** Undefined where the run is over before there was an attempt. */
  async ask({ id, step, seeks, request }: Question): Promise<Exchange | undefined> {
    const sent = this.#transport.describe(request);
    const attempts: Attempt[] = [];
    let pause = 0;
    let fresh = false;
    for (;;) {
      const attempt = await this.#attempt(request, pause, fresh);
      if (!attempt) break;
      attempts.push(attempt);
      this.ledger.add(sent, attempt);
      const tried = { seeks, key: request.key, mode: request.mode, attempts: attempts.length, attempt };
      const next = nextTry(tried, this.#settings);
      if (next.kind === 'final') break;
      ({ pause, fresh } = next);
      if (next.slower) this.#pace.slowDown(pause);
      await pauseFor(pause, this.#signal);
    }
    if (attempts.length === 0) return undefined;
    const exchange: Exchange = { id, step, seeks, request: sent, attempts };
    this.#exchanges.set(id, exchange);
    return exchange;
  }

  async #attempt(request: BoundRequest, pause: number, fresh: boolean): Promise<Attempt | undefined> {
    await this.#pace.enter(this.#signal);
    try {
      const budget = this.ledger.forbids(request);
      if (budget) this.end({ kind: 'budget', setting: budget });
      if (this.#ending || this.#signal.aborted) return undefined;
      const { sentAt, outcome, secretsSeen } = await this.#transport.send(request, { fresh, signal: this.#signal });
      // What was given up because the run is over says nothing about the target.
      if (outcome.kind === 'none' && outcome.failure.kind === 'aborted') return undefined;
      return { sentAt: sentAt - this.#began, pause, outcome, secretsSeen };
    } finally {
      this.#pace.leave();
    }
  }
}
