import { memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { observed, skipped } from '../finding.ts';
import { seenValues } from '../seen-values.ts';
import { shapedAnswers } from '../shapes.ts';

const DAY = 86_400_000;

/** Units since 1970 in milliseconds. What lies within a day of the run's start is read in that unit; clocks differ. */
const UNITS = { seconds: 1_000, milliseconds: 1, microseconds: 0.001, nanoseconds: 0.000_001 } as const;

function unitOf(created: number, startedAt: number): string {
  const unit = Object.entries(UNITS).find(([, factor]) => Math.abs(created * factor - startedAt) < DAY);
  return unit ? `${unit[0]} since 1970` : 'none that is near the time of the run';
}

export const createdUnit: Check = {
  summary: 'Records the unit and epoch of created.',
  execute: ({ exchanges, run }) => {
    const times = [...shapedAnswers(exchanges, run)].flatMap(({ shape, value }) => {
      const created = shape === 'completion' ? memberOf(value, 'created') : undefined;
      return typeof created === 'number' ? [created] : [];
    });
    if (times.length === 0) return skipped('no completion had created as a number');
    const units = seenValues(times.map((time) => unitOf(time, run.traffic.startedAt)));
    return observed([{ name: 'unit of created', value: units }]);
  },
};
