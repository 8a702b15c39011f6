/** The time to the first text of a stream, as observed in a run. */
import { median } from '../exchange/reading/looks-fake.ts';
import type { Report } from './report.ts';

/** A machine that was so many milliseconds behind, and for half of the time, may have caused the time itself. */
const MUCH_BEHIND = 20;
const MUCH_OF_IT = 0.5;

/** Milliseconds; undefined if no stream had text, or if this machine was too busy to time it. */
export function firstTextTime(report: Pick<Report, 'observations'>): number | undefined {
  const lateness = timesNamed(report, 'lateness');
  const times = [...timesNamed(report, 'first-text-time')].flatMap(([testCase, time]) => {
    const behind = lateness.get(testCase) ?? 0;
    return behind >= MUCH_BEHIND && behind >= MUCH_OF_IT * time ? [] : [time];
  });
  return times.length === 0 ? undefined : median(times);
}

/** By case. */
function timesNamed(
  { observations }: Pick<Report, 'observations'>,
  name: 'first-text-time' | 'lateness',
): ReadonlyMap<string, number> {
  return new Map(
    observations.flatMap((each) =>
      each.name === name && typeof each.value === 'number' ? [[each.case, each.value] as const] : [],
    ),
  );
}
