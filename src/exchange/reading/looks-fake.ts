/** Tells whether a stream was generated completely before it was sent in pieces. */
import { type ChunkReading, readChunks } from './chunks.ts';
import type { Exchange } from '../exchange.ts';

/** Fewer events with text can arrive together by chance. */
const MIN_EVENTS = 10;
/** A few events within this time arrived at once. Milliseconds. */
const AT_ONCE = 5;
/** Many events take longer to send and read even if all existed before: this rate still counts as at once. */
const EVENTS_PER_MILLISECOND = 4;
/** Any answer takes this long, even without generation. Milliseconds. */
const MIN_WAIT = 25;
const SPREADS = 10;
/**
 * An event loop is often this late in a busy process, which is too little to matter: real text would have to arrive
 * within window and lateness together, twice, to look fake. Milliseconds.
 */
const LATE = 10;

export type Arrival =
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'no-text' }
  /** No sign of a fake stream. */
  | { readonly kind: 'in-pieces' }
  /** At once, but there is no refusal to compare the wait with. */
  | { readonly kind: 'no-refusals' }
  /** The checker's own event loop was too late to decide. */
  | { readonly kind: 'late'; readonly lateness: number }
  | { readonly kind: 'fake'; readonly events: number; readonly within: number; readonly wait: number };

/** Arrival times of the events with text or reasoning. */
export function textTimes({ choices }: ChunkReading): readonly number[] {
  const times = new Map<number, number>();
  for (const { text, reasoning } of choices) {
    for (const { event, at } of [...text, ...reasoning]) times.set(event, at);
  }
  return [...times.values()].toSorted((a, b) => a - b);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Considers all events with text, not any ten of them: a network segment with ten small events in the middle of a stream
 * proves nothing. The wait is compared with refusals because they need no generation. Their spread is the median
 * absolute deviation, which a single slow refusal does not change.
 *
 * A late event loop makes separate arrivals look simultaneous, so it allows no verdict unless it made no difference:
 * text that arrived further apart than window and lateness together, or as fast as a refusal.
 */
export function arrivalOf(exchange: Exchange, refusalTimes: readonly number[]): Arrival {
  const outcome = exchange.attempts.at(-1)?.outcome;
  if (outcome?.kind !== 'answer' || outcome.answer.status !== 200) return { kind: 'unanswered' };
  const { lateness } = outcome.answer;
  const times = textTimes(readChunks(outcome.answer));
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return { kind: 'no-text' };
  const within = last - first;
  const isLate = lateness > LATE;
  const atOnce = Math.max(AT_ONCE, times.length / EVENTS_PER_MILLISECOND);
  if (times.length < MIN_EVENTS || within > atOnce + (isLate ? lateness : 0)) return { kind: 'in-pieces' };
  if (refusalTimes.length === 0) return { kind: 'no-refusals' };
  const usual = median(refusalTimes);
  const spread = median(refusalTimes.map((time) => Math.abs(time - usual)));
  const wait = first - usual;
  if (wait < MIN_WAIT || wait < SPREADS * spread) return { kind: 'in-pieces' };
  if (isLate) return { kind: 'late', lateness };
  return { kind: 'fake', events: times.length, within, wait };
}

export function looksFake(exchange: Exchange, refusalTimes: readonly number[]): boolean {
  return arrivalOf(exchange, refusalTimes).kind === 'fake';
}
