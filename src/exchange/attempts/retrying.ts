/** Retries within one run: what was learned from earlier exchanges, and how patient whoever asks is. */
import type { Settings } from '../../settings.ts';
import { isPlainServerError, nextTry, type NextTry, type Tried } from './retry.ts';

/**
 * `once`: a 5xx or no answer in time is final too, since whoever asks repeats it in a way of their own. `full`: every pause
 * is kept, however many 5xx stayed before.
 */
export type Patience = 'once' | 'full';

/** When so many 5xx of an exploration have stayed, more of them are tried again without a pause. */
const KNOWN_TO_STAY = 3;

export class Retrying {
  readonly #settings: Settings;
  /** Exchanges with a 5xx that stayed. */
  #lasting = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  next(tried: Tried, patience?: Patience): NextTry {
    const { outcome } = tried.attempt;
    const next = nextTry(tried, this.#settings);
    const isServerError = outcome.kind === 'answer' && isPlainServerError(outcome.answer);
    if (next.kind === 'final') {
      if (isServerError && tried.attempts > 1) this.#lasting += 1;
      return next;
    }
    const isTimeout = outcome.kind === 'none' && outcome.failure.kind === 'timeout';
    if (patience === 'once' && (isServerError || isTimeout)) return { kind: 'final' };
    return isServerError && patience !== 'full' && this.#isKnownToStay ? { ...next, pause: 0 } : next;
  }

  /** Where hundreds of requests meet one fault, pauses would take most of the time. */
  get #isKnownToStay(): boolean {
    return this.#settings.explore !== undefined && this.#lasting >= KNOWN_TO_STAY;
  }
}
