/** The time to the first text of a stream, as observed in a run. */
import { median } from '../exchange/reading/looks-fake.ts';
import type { Report } from './report.ts';

/** Why a run has no such time: wirecheck was too late to measure it in each stream, or none with text was measured. */
export type NoFirstText = 'checker-late' | 'no-stream';

/** Milliseconds. */
export function firstTextTime({ observations }: Pick<Report, 'observations'>): number | NoFirstText {
  const values = observations.flatMap(({ name, value }) => (name === 'first-text-time' ? [value] : []));
  const times = values.filter((value) => typeof value === 'number');
  if (times.length > 0) return median(times);
  return values.length > 0 ? 'checker-late' : 'no-stream';
}
