/** Runs that have only times, and what drifted between two of them. */
import { compareTimes } from '../../src/report/comparison/compare-times.ts';
import { noObservations, type Observations } from '../../src/report/comparison/observed-run.ts';

export interface Pace {
  /** Milliseconds. */
  readonly first: number;
  readonly gap: number;
  readonly pieces?: number;
  /** Of the checker. */
  readonly lateness?: number;
}

export const LONG: Pace = { first: 15, gap: 7, pieces: 40 };

/** A run with a long stream, a shorter one and one of a single piece. */
export function runOf(streams: readonly Pace[], refusals: readonly number[] = [3, 3, 4, 3, 3]): Observations {
  const run = noObservations();
  for (const [index, { first, gap, pieces = 40, lateness = 0 }] of streams.entries()) {
    const texts = Array.from({ length: pieces }, (_, place) => first + place * gap);
    run.streamTimes.set(`streaming/${index}`, { texts, last: (texts.at(-1) ?? 0) + 1, lateness });
  }
  run.times.set('refusal', byExchange(refusals));
  return run;
}

/** Each under an id of its own. */
export function byExchange(values: readonly number[]): Map<string, number> {
  return new Map(values.map((value, index) => [`${index}`, value]));
}

export const streamsAt = ({ first, gap }: Pace, offset = 0): readonly Pace[] => [
  { first: first + offset, gap, pieces: 40 },
  { first: first - offset, gap, pieces: 15 },
  { first, gap, pieces: 1 },
];

export function drifted(older: Observations, newer: Observations): readonly string[] {
  return compareTimes(older, newer).map(
    ({ place, old, new: now }) => `${place.measure}: ${old.median} → ${now.median}`,
  );
}
