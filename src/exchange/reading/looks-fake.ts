/** Whether a stream was made whole first and only then sent in pieces. */
import { type ChunkReading, readChunks } from './chunks.ts';
import type { Exchange } from '../exchange.ts';

/** Fewer events with text than this can come together by chance. */
const LEAST_EVENTS = 10;
/** So few events no further apart than this came at once. Milliseconds. */
const AT_ONCE = 5;
/** More of them take longer to be sent and read, even where all were there before: at once are so many in a millisecond. */
const EVENTS_PER_MILLISECOND = 4;
/** A wait below this is that of any answer, made of nothing. Milliseconds. */
const LEAST_WAIT = 25;
const SPREADS = 10;
/**
 * A loop up to this late is an everyday matter in a busy process, and too little to make a difference: text made in
 * earnest would have to come within window and lateness together, twice, to be taken for fake. Milliseconds.
 */
const LATE = 10;

export type Arrival =
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'no-text' }
  /** Nothing speaks against it. */
  | { readonly kind: 'in-pieces' }
  /** At once, but there is no refusal to measure the wait by. */
  | { readonly kind: 'no-refusals' }
  /** The checker's own event loop was too late to tell. */
  | { readonly kind: 'late'; readonly lateness: number }
  | { readonly kind: 'fake'; readonly events: number; readonly within: number; readonly wait: number };

/** Arrival times of the events with text or reasoning, each event once. */
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
 * All events with text are looked at, not any ten of them: a segment that happens to carry ten small events in the midst
 * of a stream says nothing. The wait is measured against refusals because they cost the target no generation. Their
 * spread is the median absolute deviation, which one slow refusal among many does not move.
 *
 * A late loop lets arrivals that far apart look as one, so it leaves no verdict, except where it could not have made the
 * difference: text that came further apart than window and lateness together, or as fast as a refusal.
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
  if (times.length < LEAST_EVENTS || within > atOnce + (isLate ? lateness : 0)) return { kind: 'in-pieces' };
  if (refusalTimes.length === 0) return { kind: 'no-refusals' };
  const usual = median(refusalTimes);
  const spread = median(refusalTimes.map((time) => Math.abs(time - usual)));
  const wait = first - usual;
  if (wait < LEAST_WAIT || wait < SPREADS * spread) return { kind: 'in-pieces' };
  if (isLate) return { kind: 'late', lateness };
  return { kind: 'fake', events: times.length, within, wait };
}

export function looksFake(exchange: Exchange, refusalTimes: readonly number[]): boolean {
  return arrivalOf(exchange, refusalTimes).kind === 'fake';
}
