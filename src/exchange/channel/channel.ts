/** The one way from a run to its target: everything that is sent is paid for, kept with all its attempts, and has an end. */
import { setMaxListeners } from 'node:events';
import { mustBeRefused } from '../../plan/cost.ts';
import type { SoughtAnswer } from '../../plan/plan.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import type { Keys, Settings } from '../../settings.ts';
import type { Ending } from '../ending.ts';
import type { Attempt, ControlAfter, Exchange, SentRequest } from '../exchange.ts';
import { type Identity, identifyGivenUp, identityOf } from '../identity.ts';
import type { Notice } from '../notice.ts';
import { wasAborted } from '../reading/answered.ts';
import type { KeyFacts } from '../traffic.ts';
import { ByteAllowance } from '../transport/body-intake.ts';
import type { SendOptions } from '../transport/reception.ts';
import { createTransport, type Transport, type TransportOptions } from '../transport/transport.ts';
import { waitUntilReady } from './first-contact.ts';
import type { Hooks } from './hooks.ts';
import { type Budget, Ledger } from './ledger.ts';
import { Pace, pauseFor } from './pace.ts';
import { type Again, type Patience, Retrying } from './retry.ts';

export interface Question extends Identity, Pick<DeliveryOptions, 'bound' | 'pause'> {
  readonly seeks: SoughtAnswer;
  readonly request: FilledRequest;
  /** Goes ahead of everything that is waiting. */
  readonly urgent?: boolean;
  /** Any answer is final. A broken connection is still replaced. */
  readonly once?: boolean;
  readonly patience?: Patience | undefined;
  /** The first attempt gets a connection of its own. */
  readonly fresh?: boolean;
  /** Attempts of an exchange that is continued and replaced. */
  readonly earlier?: readonly Attempt[];
  /** It costs nothing on a conforming target. Default: if it must be refused. */
  readonly isFree?: boolean;
  /** The moment at which its client leaves. What came until then is its answer. */
  readonly leave?: AbortSignal | undefined;
  /** An answer at the end of the run counts as given up, whatever has come of it. */
  readonly isWhole?: boolean;
}

/** What became of one request. */
export type Delivery =
  | { readonly kind: 'sent'; readonly attempt: Attempt }
  /** It was aborted before there was a connection to send it on, so that it does not count. */
  | { readonly kind: 'unsent'; readonly attempt: Attempt }
  | { readonly kind: 'forbidden'; readonly setting: 'max-requests' | 'max-completions' }
  /** The run had ended. */
  | { readonly kind: 'ended' };

export interface DeliveryOptions extends SendOptions {
  /** It costs nothing on a conforming target. */
  readonly isFree?: boolean;
  /** Milliseconds that were waited before it. */
  readonly pause?: number;
  /** Default: that of the channel. */
  readonly transport?: Transport;
  /** The request as it is recorded, if it was described before. */
  readonly described?: SentRequest;
}

/** Keeps everything as it happens. */
export interface ExchangeKeeper {
  exchange(exchange: Exchange): void;
  /** Something was learned later about an exchange. */
  amend(amendment: { readonly id: string; readonly controlAfter: ControlAfter }): void;
}

export interface ChannelOptions {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly hooks?: Pick<Hooks, 'signal' | 'onWait' | 'onAwait'>;
  readonly keeper?: ExchangeKeeper | undefined;
  readonly wire?: TransportOptions;
  /** An existing transport. By default, one is made of settings, keys and wire. */
  readonly transport?: Transport;
  /** The bounds that several runs share. */
  readonly budget?: Budget | undefined;
  /** The ledger of another channel, if both spend from the same budget. */
  readonly ledger?: Ledger;
  /** Milliseconds that the run pauses on purpose, which its time limit does not count. */
  readonly pauses?: number;
}

export class Channel {
  readonly #options: ChannelOptions;
  readonly #transport: Transport;
  readonly #pace: Pace;
  readonly #retrying: Retrying;
  readonly #room: ByteAllowance;
  /** Held until the end of the run: Node may collect a timeout of which only `AbortSignal.any` knows, and it never fires. */
  readonly #limits: readonly AbortSignal[];
  /** The user or a time limit has ended the run. */
  readonly signal: AbortSignal;
  readonly #stopped = new AbortController();
  /** Ends requests under way, for whatever reason. */
  readonly #over: AbortSignal;
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt = Date.now();
  /** When the run began, by `performance.now()`: times of attempts count from here. */
  readonly began = performance.now();
  readonly ledger: Ledger;
  readonly #exchanges = new Map<string, Exchange>();
  /** Kept until the next exchange: every step looks at what was sent before. */
  #inOrder: readonly Exchange[] | undefined;
  #ending: Ending | undefined;

  constructor(options: ChannelOptions) {
    const { settings, keys, hooks: { signal, onAwait } = {}, budget, wire, pauses = 0 } = options;
    this.#options = options;
    this.#limits = [AbortSignal.timeout(settings.timeouts.run + pauses), ...(budget?.time ? [budget.time] : [])];
    this.signal = AbortSignal.any([...this.#limits, ...(signal ? [signal] : [])]);
    this.#over = AbortSignal.any([this.signal, this.#stopped.signal]);
    // Every pending request listens to them.
    setMaxListeners(0, this.signal, this.#over);
    this.#transport = options.transport ?? createTransport(settings, keys, { ...wire, ...(onAwait && { onAwait }) });
    this.#pace = new Pace(settings.concurrency, settings.ratePerSecond, (settings.retryPauses[0] ?? 0) / 4);
    this.#retrying = new Retrying(settings);
    this.#room = new ByteAllowance(settings.limits.total);
    this.ledger = options.ledger ?? new Ledger(settings, budget);
  }

  get baseUrl(): string {
    return this.#options.settings.baseUrl;
  }

  get keyFacts(): readonly KeyFacts[] {
    return this.#transport.keyFacts;
  }

  get notices(): readonly Notice[] {
    return this.#transport.notices;
  }

  /** The exchanges in the order in which they were completed. */
  get completed(): readonly Exchange[] {
    return [...this.#exchanges.values()];
  }

  /** The exchanges in the order of sending. */
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

  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** Why the traffic is what it is, once nothing more is sent. */
  get conclusion(): Ending {
    if (this.#ending) return this.#ending;
    if (this.#options.hooks?.signal?.aborted) return { kind: 'interrupted' };
    if (this.#limits.some(({ aborted }) => aborted)) return { kind: 'budget', setting: 'max-time' };
    return this.ledger.hasLeftOut ? { kind: 'budget', setting: 'max-completions' } : { kind: 'complete' };
  }

  /** Limits the requests at once from now on. */
  allow(concurrency: number): void {
    this.#pace.allow(concurrency);
  }

  /** Nothing is sent for so many milliseconds. */
  hold(pause: number): void {
    this.#pace.hold(pause);
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

  /** Waits until the target answers its list, as `--wait-for` says. Ends the run if it only hangs. */
  async awaitTarget(list: FilledRequest | undefined): Promise<void> {
    const { settings, hooks } = this.#options;
    if (settings.waitFor === undefined || !list) return;
    const waiting = { most: settings.waitFor, signal: this.signal, onWait: hooks?.onWait };
    const hang = await waitUntilReady(this.#transport, list, waiting);
    if (hang) this.end(hang);
  }

  /** Adds what was learned later about an exchange. */
  amend(id: string, controlAfter: ControlAfter): void {
    const exchange = this.#exchanges.get(id);
    if (!exchange) return;
    this.#exchanges.set(id, { ...exchange, controlAfter });
    this.#inOrder = undefined;
    this.#options.keeper?.amend({ id, controlAfter });
  }

  /** Asks at another base URL of the same origin, with the same budget. The exchange is not kept. */
  async askAt(baseUrl: string, question: Question): Promise<Exchange | undefined> {
    const { settings, keys, hooks, wire } = this.#options;
    const own = { settings: { ...settings, baseUrl }, keys, ledger: this.ledger, ...(wire && { wire }) };
    const channel = new Channel({ ...own, hooks: { ...hooks, signal: this.signal } });
    try {
      return await channel.ask(question);
    } finally {
      await channel.close();
    }
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
  async #tryUntilFinal(question: Question, described: SentRequest) {
    const { request, once = false, patience, isWhole = false } = question;
    const attempts: Attempt[] = [...(question.earlier ?? [])];
    let { pause = 0, fresh = false } = question;
    for (;;) {
      const attempt = await this.#attempt(question, { pause, fresh, described }, attempts.length > 0);
      if (!attempt) return { attempts, isFinal: false };
      attempts.push(attempt);
      if (this.#over.aborted && (isWhole || wasAborted(attempt))) return { attempts, isFinal: false };
      const tried = { ...question, ...request, attempts: attempts.length, attempt };
      const next = this.#retrying.next(tried, patience);
      if (next.kind === 'final') return { attempts, isFinal: true };
      ({ pause, fresh } = next);
      this.#ease(next, attempt, once);
      if (once && attempt.outcome.kind === 'answer') return { attempts, isFinal: true };
      await pauseFor(pause, this.#over);
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
    this.#options.keeper?.exchange(exchange);
  }

  /** Undefined if it was not sent. */
  async #attempt(question: Question, sending: DeliveryOptions, isAgain: boolean): Promise<Attempt | undefined> {
    const { request, bound, urgent = false, patience, leave } = question;
    // Retries go first, or a target that is gone would be noticed only after everything was sent to it.
    await this.#pace.enter(this.#over, urgent || isAgain);
    try {
      const isFree = question.isFree ?? (mustBeRefused(question) && !isInSequence(request));
      if (this.#isOver(isFree)) return undefined;
      const signal = leave ? AbortSignal.any([this.#over, leave]) : this.#over;
      const options = { ...sending, isFree, signal, ...(bound && { bound }), ...this.#retrying.waits(patience) };
      const delivery = await this.send(request, options);
      // At the limit of completions, the run goes on with what is free.
      if (delivery.kind === 'forbidden' && delivery.setting === 'max-requests')
        this.end({ kind: 'budget', setting: delivery.setting });
      if (delivery.kind === 'unsent') return leave?.aborted && !this.#over.aborted ? delivery.attempt : undefined;
      return delivery.kind === 'sent' ? delivery.attempt : undefined;
    } finally {
      this.#pace.leave();
    }
  }

  /** One attempt at a request, which is neither retried nor kept. Whoever sends many at once gives them a signal of their own. */
  async send(request: FilledRequest, options: DeliveryOptions = {}): Promise<Delivery> {
    const { transport = this.#transport, isFree = false, pause = 0, described, ...sending } = options;
    const sent = described ?? transport.describe(request);
    const place = await this.ledger.reserve(sent, isFree);
    if (place.kind === 'forbidden') return place;
    try {
      if (this.#isOver(isFree)) return { kind: 'ended' };
      const made = await transport.send(request, { signal: this.#over, room: this.#room, ...sending });
      const { sentAt, outcome, secretsSeen, connection } = made;
      const number = connection !== undefined && { connection };
      const attempt: Attempt = { sentAt: sentAt - this.began, pause, outcome, secretsSeen, ...number };
      if (wasAborted(attempt) && connection === undefined) return { kind: 'unsent', attempt };
      if (this.#over.aborted) this.ledger.addCutShort(sent, attempt);
      else this.ledger.add(sent, attempt);
      return { kind: 'sent', attempt };
    } finally {
      place.release();
    }
  }

  /** Whether nothing more may be sent. What is free may be, at the limit of completions. */
  #isOver(isFree = false): boolean {
    if (this.#over.aborted) return true;
    return this.#ending !== undefined && !(isFree && isCompletionLimit(this.#ending));
  }
}

/** Whether others have to be answered, since they go over the same connection. */
function isInSequence({ idle }: FilledRequest): boolean {
  return idle?.connection !== undefined;
}

export function isCompletionLimit(ending: Ending): boolean {
  return ending.kind === 'budget' && ending.setting === 'max-completions';
}

/** Exchanges sent at the same time keep the order in which they completed. */
export function inOrderOfSending(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.toSorted((a, b) => sentAt(a) - sentAt(b));
}

function sentAt({ attempts }: Exchange): number {
  return attempts[0]?.sentAt ?? 0;
}
