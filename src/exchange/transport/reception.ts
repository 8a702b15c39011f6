/** Receives one answer, whatever the target does: every phase has a time limit, and everything received a size limit. */
import type { Dispatcher } from 'undici';
import type { Bound, Mode } from '../../plan/plan.ts';
import type { Settings } from '../../settings.ts';
import type { Awaited } from '../channel/hooks.ts';
import type { Answer, Body, BodyEnd, Failure, Header, LimitName } from '../exchange.ts';
import { MAX_WAIT_FOR_CLOSE } from '../reading/event-stream.ts';
import { BodyIntake, ByteAllowance, headerPairs } from './body-intake.ts';
import { type Decompression, readEncoding, startDecompression } from './decompression.ts';
import { PHASE_OVER, READING_ENDED, cutBy, detailOf, exceeded, failureOf } from './failures.ts';
import type { WireListener, WireTap } from './wire-tap.ts';

/** Milliseconds to wait after `[DONE]` for the end of the response. A timer may be a little early. */
const WAIT_AFTER_DONE = MAX_WAIT_FOR_CLOSE + 50;

export class Reception implements Dispatcher.DispatchHandler, WireListener {
  readonly result: Promise<Received>;
  connection: number | undefined;
  httpVersion = '1.1';
  broken: Error | undefined;
  readonly #options: ReceptionOptions;
  readonly #resolve: (received: Received) => void;
  readonly #lateness = watchLateness();
  readonly deadlines: Deadlines;
  #doneTimer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sentAt = performance.now();
  /** The time of this socket read: all its parts share it, however many chunks HTTP framing makes of it. */
  #readAt: number | undefined;
  #interim = 0;
  #headBytes = 0;
  #head: ReceivedHead | undefined;
  /** There as soon as the head is. */
  #body: BodyIntake | undefined;
  /** When the last bytes arrived, and when the first text did. */
  #latenessNow = 0;
  /** What only some answers have. */
  #beside: Pick<Answer, 'surplus' | 'textLateness'> = {};
  #decompression: Decompression | undefined;
  #encodedBytes = 0;
  /** How a body ends whose encoding is not known. */
  #rawEnd: BodyEnd | undefined;
  /** Nothing more is read from the network, but bytes may still wait for decoding. */
  #finishing = false;
  #settled = false;

  constructor(options: ReceptionOptions) {
    this.#options = options;
    let resolve!: (received: Received) => void;
    this.result = new Promise((settle) => (resolve = settle));
    this.#resolve = resolve;
    this.deadlines = startDeadlines(options, (limit) => this.#timeUp(limit));
    options.signal?.addEventListener('abort', this.#interrupt);
    if (options.signal?.aborted) this.#interrupt();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) return controller.abort(new Error('no longer wanted'));
    this.#options.tap.expect(this);
    this.#sentAt = performance.now();
    this.deadlines.sent(this.#sentAt);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText: string | undefined,
  ): void {
    if (this.#settled) return;
    if (status < 200) return this.interim();
    const headers = headerPairs(controller.rawHeaders as readonly Buffer[]);
    const { httpVersion } = this;
    this.#head = { status, statusText: statusText ?? '', httpVersion, headers, headersAt: this.#now() };
    this.deadlines.headArrived(performance.now());
    this.#prepareBody(status, headers);
    const { readsAfter } = this.#options;
    if (readsAfter === undefined) return;
    // What the target sends meanwhile fills the buffers between.
    controller.pause();
    setTimeout(() => controller.resume(), readsAfter).unref();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || this.#finishing) return;
    const now = performance.now();
    this.deadlines.heard(now);
    this.#latenessNow = this.#lateness.note();
    if (this.#readAt === undefined) queueMicrotask(() => (this.#readAt = undefined));
    const at = (this.#readAt ??= now - this.#sentAt);
    if (this.#decompression === undefined) return this.#accept(chunk, at);
    this.#encodedBytes += chunk.length;
    // Bytes that wait for decoding are also limited: encoded bytes count like decoded ones.
    if (this.#body && this.#encodedBytes > this.#body.maxBytes)
      return this.#end({ kind: 'limit', limit: this.#body.sizeLimit });
    this.#decompression.write(chunk, at);
    if (this.#decompression.isBehind()) controller.pause();
  }

  interim(): void {
    this.#headBytes = 0;
    if (++this.#interim <= this.#options.limits.interim) return;
    const detail = `${this.#interim} interim answers (1xx) and no final one`;
    this.#fail(exceeded('max-interim', 'TOO_MANY_INTERIM', detail));
  }

  /** Undici limits the headers, but not the status text. */
  arrived(bytes: number): void {
    if (this.#head !== undefined || this.#settled) return;
    // Checked before adding: this read may be the one that completes the head.
    if (this.#headBytes > this.#options.limits.headers)
      this.#fail(exceeded('max-headers', 'HEAD_TOO_LONG', 'the head of the answer is too long'));
    this.#headBytes += bytes;
  }

  surplus(): void {
    this.#beside = { ...this.#beside, surplus: true };
  }

  onResponseEnd(): void {
    // A body without a length ends when the connection closes, but a reset is not an end.
    if (this.broken) void this.#finishBody(cutBy(this.broken));
    else if (this.#rawEnd) this.#end(this.#rawEnd);
    else void this.#finishBody({ kind: 'complete' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    if (this.#head === undefined) this.#fail(failureOf(error));
    else void this.#finishBody(cutBy(error));
  }

  #prepareBody(status: number, headers: readonly Header[]): void {
    const { mode, limits, room = new ByteAllowance(Infinity), encodings } = this.#options;
    this.#body = new BodyIntake(limits, room, mode === 'stream' && status === 200);
    const { layers, end } = readEncoding(headers, encodings);
    if (end?.kind === 'limit') return this.#end(end);
    this.#rawEnd = end;
    if (layers.length === 0) return;
    this.#decompression = startDecompression(layers, {
      decoded: (chunk, at) => this.#accept(chunk, at),
      caughtUp: () => this.#controller?.resume(),
    });
  }

  #accept(chunk: Uint8Array, at: number): void {
    if (this.#settled || this.#body === undefined) return;
    const limit = this.#body.accept(chunk, at);
    if (limit !== undefined) return this.#end({ kind: 'limit', limit });
    this.#options.onEvents?.(this.#body.events);
    if (this.#settled) return;
    if (this.#body.hasText && this.#beside.textLateness === undefined) {
      this.#beside = { ...this.#beside, textLateness: this.#latenessNow };
    }
    if (this.#body.hasText && this.#options.bound === 'first-text') this.#end({ kind: 'aborted', why: 'text' });
    else this.#awaitEnd();
  }

  /** Starts or cancels the wait after `[DONE]`. */
  #awaitEnd(): void {
    if (!this.#body?.isDone) {
      clearTimeout(this.#doneTimer);
      this.#doneTimer = undefined;
      return;
    }
    // If this process was busy, the end may have arrived unread: sockets are read before the next immediate.
    const stop = () => setImmediate(() => void this.#finishBody({ kind: 'aborted', why: 'done' }));
    this.#doneTimer ??= setTimeout(stop, WAIT_AFTER_DONE);
  }

  #timeUp(limit: LimitName): void {
    if (this.#head === undefined)
      this.#fail({ kind: 'timeout', limit, code: 'TIMEOUT', detail: PHASE_OVER[limit] ?? limit });
    else void this.#finishBody({ kind: 'limit', limit });
  }

  readonly #interrupt = () => {
    if (this.#head === undefined) this.#fail({ kind: 'aborted', code: 'ABORTED', detail: 'the run was interrupted' });
    else void this.#finishBody({ kind: 'aborted', why: 'interrupted' });
  };

  /** Stops reading, decodes what has arrived, and ends. The first reason counts. */
  async #finishBody(end: BodyEnd): Promise<void> {
    if (this.#finishing) return;
    this.#finishing = true;
    if (this.#decompression === undefined) return this.#end(end);
    this.#stopListening();
    this.#controller?.abort(READING_ENDED);
    const error = await this.#decompression.end();
    if (error && end.kind === 'complete' && this.#encodedBytes > 0)
      this.#end({ kind: 'undecodable', detail: detailOf(error) });
    else this.#end(end);
  }

  #end(end: BodyEnd): void {
    if (this.#settled || this.#head === undefined || this.#body === undefined) return;
    const [endAt, interim, lateness] = [this.#now(), this.#interim, this.#lateness.stop()];
    this.#settle();
    // Named one by one: to spread several objects into one costs more than the rest of an answer.
    const { status, statusText, httpVersion, headers, headersAt } = this.#head;
    const { bytes, reads } = this.#body.finish();
    const answer = { status, statusText, httpVersion, headers, headersAt, bytes, reads, interim, end, endAt, lateness };
    this.#resolve({ kind: 'answer', sentAt: this.#sentAt, answer: Object.assign(answer, this.#beside) });
  }

  #fail(failure: Failure): void {
    if (this.#settled) return;
    this.#settle();
    this.#lateness.stop();
    this.#resolve({ kind: 'none', sentAt: this.#sentAt, failure });
  }

  #settle(): void {
    this.#settled = true;
    this.#stopListening();
    this.#decompression?.stop();
    // No effect on an answer that is complete.
    this.#controller?.abort(READING_ENDED);
  }

  #stopListening(): void {
    this.deadlines.stop();
    clearTimeout(this.#doneTimer);
    this.#options.signal?.removeEventListener('abort', this.#interrupt);
  }

  #now(): number {
    return performance.now() - this.#sentAt;
  }
}

export interface ReceivedAnswer extends Omit<Answer, 'body'>, Omit<Body, 'maxDepth'> {
  readonly statusText: string;
}

type ReceivedHead = Pick<ReceivedAnswer, 'status' | 'statusText' | 'httpVersion' | 'headers' | 'headersAt'>;

export type Received =
  | { readonly kind: 'answer'; readonly sentAt: number; readonly answer: ReceivedAnswer }
  | { readonly kind: 'none'; readonly sentAt: number; readonly failure: Failure };

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

interface ReceptionOptions
  extends Omit<SendOptions, 'fresh' | 'firstByte' | 'idle'>, Pick<Settings, 'limits' | 'timeouts'> {
  readonly tap: WireTap;
  readonly mode: Mode;
  /** Those that are decoded. */
  readonly encodings: readonly string[];
}

/** Time while an answer is received: its limits, for the whole attempt and for each phase, and how late we are ourselves. */

export type Deadlines = ReturnType<typeof startDeadlines>;

/** `onOver`: called with the limit that is over. */
export function startDeadlines(
  { timeouts, bound }: { readonly timeouts: Settings['timeouts']; readonly bound?: Bound },
  onOver: (limit: LimitName) => void,
) {
  const began = performance.now();
  const isShort = bound === 'time' && timeouts.edit < timeouts.attempt;
  const mostOfAll = isShort ? timeouts.edit : timeouts.attempt;
  // If this process was busy, what has arrived is still unread: sockets are read before the next immediate.
  const attemptTimer = setTimeout(() => setImmediate(onOver, isShort ? 'edit-timeout' : 'timeout'), mostOfAll);
  /** What is waited for, before the name of the request. */
  let what = 'connection for';
  let most = timeouts.connect;
  /** When the phase began, or something was last heard in it. */
  let since = began;
  const phaseOver = (limit: LimitName): void => {
    const before = since;
    setImmediate(() => since === before && onOver(limit));
  };
  let phaseTimer = setTimeout(phaseOver, most, 'connect-timeout');
  const enter = (at: number, awaited: string, limit: LimitName, time: number): void => {
    clearTimeout(phaseTimer);
    [what, most, since] = [awaited, time, at];
    phaseTimer = setTimeout(phaseOver, time, limit);
  };
  return {
    /** The request is on its way. */
    sent: (at: number) => enter(at, 'answer to', 'first-byte-timeout', timeouts.firstByte),
    headArrived: (at: number) => enter(at, 'rest of the answer to', 'idle-timeout', timeouts.idle),
    /** Part of the body arrived. */
    heard(at: number): void {
      since = at;
      phaseTimer.refresh();
    },
    stop(): void {
      clearTimeout(attemptTimer);
      clearTimeout(phaseTimer);
    },
    /** `request`: how the request is named. */
    awaited: (request: string): Awaited => ({
      what: `${what} ${request}`,
      elapsed: performance.now() - since,
      most: Math.min(most, began + mostOfAll - since),
    }),
  };
}

/** Measures how late this process's own event loop is, so that a busy checker does not blame the target. */

const PERIOD = 10;

interface LatenessWatch {
  /** Call when something arrives: returns for how long it may have waited. Lateness does no harm while nothing arrives. */
  note(): number;
  /** Ends the watch and returns the worst lateness in milliseconds. */
  stop(): number;
}

/** One timer serves all watches, and runs only while there is one. */
let watches = 0;
let timer: NodeJS.Timeout | undefined;
let lastTick = 0;
/** How late the last tick was, until the sockets have been read: after a busy spell, timers run before that. */
let lastLateness = 0;

export function watchLateness(): LatenessWatch {
  let worst = 0;
  watches += 1;
  if (timer === undefined) {
    lastTick = performance.now();
    lastLateness = 0;
    timer = setInterval(tick, PERIOD).unref();
  }
  return {
    note() {
      const now = Math.max(lastLateness, excess());
      worst = Math.max(worst, now);
      return now;
    },
    stop() {
      watches -= 1;
      if (watches === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      return worst;
    },
  };
}

function tick(): void {
  lastLateness = excess();
  lastTick = performance.now();
  if (lastLateness > 0) setImmediate(() => (lastLateness = 0));
}

function excess(): number {
  return Math.max(0, performance.now() - lastTick - PERIOD);
}
