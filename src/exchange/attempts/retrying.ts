/** Retries within one run: what was learned from earlier exchanges, and how patient whoever asks is. */
import type { Settings } from '../../settings.ts';
import { isPlainServerError, nextTry, type NextTry, type Tried } from './retry.ts';

/**
 * No answer in time is final too, since whoever asks repeats it in a way of their own. `once`: so is a 5xx. `full`: every
 * pause and limit is kept, however many 5xx stayed and requests hung before.
 */
export type Patience = 'once' | 'full';

/** When so many 5xx of an exploration have stayed, more of them are tried again without a pause. */
const KNOWN_TO_STAY = 3;

/** Milliseconds, and times the slowest answer. Nobody waits for less. */
const SHORTEST_WAIT = 5_000;
const LONG_FOR_ANY = 20;

export class Retrying {
  readonly #settings: Settings;
  /** Exchanges with a 5xx that stayed. */
  #lasting = 0;
  /** Milliseconds of the slowest answer. */
  #slowest = 0;
  #hasTimedOut = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Milliseconds to wait for an answer, if that is less than usual: an exploration may meet one hang many times. */
  firstByteWithin(patience?: Patience): number | undefined {
    const isShort = this.#settings.explore !== undefined && this.#hasTimedOut && patience !== 'full';
    return isShort ? Math.max(SHORTEST_WAIT, LONG_FOR_ANY * this.#slowest) : undefined;
  }

  next(tried: Tried, patience?: Patience): NextTry {
    const { outcome } = tried.attempt;
    const isTimeout = outcome.kind === 'none' && outcome.failure.kind === 'timeout';
    const isServerError = outcome.kind === 'answer' && isPlainServerError(outcome.answer);
    const next = nextTry(tried, this.#settings);
    const isFinal = next.kind === 'final' || (isTimeout && this.#isHangKnown(patience));
    this.#learn(tried.attempt);
    if (isServerError && isFinal && tried.attempts > 1) this.#lasting += 1;
    if (next.kind === 'final' || isFinal || (isServerError && patience === 'once')) return { kind: 'final' };
    return isServerError && this.#isKnownToStay(patience) ? { ...next, pause: 0 } : next;
  }

  #learn({ outcome }: Tried['attempt']): void {
    if (outcome.kind === 'answer') this.#slowest = Math.max(this.#slowest, outcome.answer.headersAt);
    else this.#hasTimedOut ||= outcome.failure.kind === 'timeout';
  }

  #isHangKnown(patience: Patience | undefined): boolean {
    return patience !== undefined || (this.#settings.explore !== undefined && this.#hasTimedOut);
  }

  /** Where hundreds of requests meet one fault, pauses would take most of the time. */
  #isKnownToStay(patience: Patience | undefined): boolean {
    return this.#settings.explore !== undefined && this.#lasting >= KNOWN_TO_STAY && patience !== 'full';
  }
}
