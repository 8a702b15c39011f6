/** The time to the first text of a stream, as observed in a run. */
import { median } from '../exchange/reading/looks-fake.ts';
import type { Report } from './report.ts';

/** Milliseconds; undefined if no stream had text. */
export function firstTextTime({ observations }: Report): number | undefined {
  const times = observations.flatMap(({ name, value }) =>
    name === 'first-text-time' && typeof value === 'number' ? [value] : [],
  );
  return times.length === 0 ? undefined : median(times);
}
