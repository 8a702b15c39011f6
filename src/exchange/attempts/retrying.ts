/** Retries within one run: what was learned from earlier exchanges, and how patient whoever asks is. */
import type { Settings } from '../../settings.ts';
import type { Attempt } from '../exchange.ts';
import { isPlainServerError, nextTry, type NextTry, type Tried } from './retry.ts';

/**
 * No answer in time is final too, since whoever asks repeats it in a way of their own. `once`: so is a 5xx. `full`: every
 * pause is kept, however many 5xx stayed before, and a hang is waited for longer.
 */
export type Patience = 'once' | 'full';

/** When so many 5xx of an exploration have stayed, more of them are tried again without a pause. */
const KNOWN_TO_STAY = 3;

/** Once a request has hung: milliseconds that are waited at least, and times what the slowest answer took. */
const WAITS: Readonly<Record<Patience | 'draw', { readonly least: number; readonly times: number }>> = {
  once: { least: 3_000, times: 5 },
  draw: { least: 5_000, times: 5 },
  full: { least: 15_000, times: 20 },
};

/** Milliseconds to wait, if that is less than usual. */
export interface Waits {
  /** For the headers. */
  readonly firstByte?: number;
  /** For the next part of a body. */
  readonly idle?: number;
}

export class Retrying {
  readonly #settings: Settings;
  /** Exchanges with a 5xx that stayed. */
  #lasting = 0;
  /** Milliseconds up to the headers of the slowest answer, and up to the end of the longest. */
  #slowest = 0;
  #longest = 0;
  #hasTimedOut = false;
  /** Connections that have carried a request. */
  readonly #carried = new Set<number>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** An exploration may meet one hang many times. */
  waits(patience?: Patience): Waits {
    if (this.#settings.explore === undefined || !this.#hasTimedOut) return {};
    const { least, times } = WAITS[patience ?? 'draw'];
    return { firstByte: Math.max(least, times * this.#slowest), idle: Math.max(least, times * this.#longest) };
  }

  next(tried: Tried, patience?: Patience): NextTry {
    const { outcome } = tried.attempt;
    const isTimeout = isHang(tried.attempt);
    const isServerError = outcome.kind === 'answer' && isPlainServerError(outcome.answer);
    const next = nextTry({ ...tried, isReused: this.#isReused(tried.attempt) }, this.#settings);
    const isFinal = next.kind === 'final' || (isTimeout && this.#isHangKnown(patience));
    this.#learn(tried.attempt);
    if (isServerError && isFinal && tried.attempts > 1) this.#lasting += 1;
    if (next.kind === 'final' || isFinal || (isServerError && patience === 'once')) return { kind: 'final' };
    return isServerError && this.#isKnownToStay(patience) ? { ...next, pause: 0 } : next;
  }

  /** Whether the connection had carried another request. An exploration compares connections by itself. */
  #isReused({ connection }: Attempt): boolean {
    if (connection === undefined || this.#settings.explore) return false;
    const isReused = this.#carried.has(connection);
    this.#carried.add(connection);
    return isReused;
  }

  #learn(attempt: Attempt): void {
    const { outcome } = attempt;
    this.#hasTimedOut ||= isHang(attempt);
    if (outcome.kind !== 'answer') return;
    const { headersAt, endAt, body } = outcome.answer;
    this.#slowest = Math.max(this.#slowest, headersAt);
    if (body.end.kind === 'complete') this.#longest = Math.max(this.#longest, endAt);
  }

  #isHangKnown(patience: Patience | undefined): boolean {
    return patience !== undefined || (this.#settings.explore !== undefined && this.#hasTimedOut);
  }

  /** Where hundreds of requests meet one fault, pauses would take most of the time. */
  #isKnownToStay(patience: Patience | undefined): boolean {
    return this.#settings.explore !== undefined && this.#lasting >= KNOWN_TO_STAY && patience !== 'full';
  }
}

/** No answer in time, or an answer that stopped in the middle. */
function isHang({ outcome }: Attempt): boolean {
  if (outcome.kind === 'none') return outcome.failure.kind === 'timeout';
  const { end } = outcome.answer.body;
  return end.kind === 'limit' && end.limit === 'idle-timeout';
}
