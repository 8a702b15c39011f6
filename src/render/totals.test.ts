import { expect, it } from 'vitest';
import { conforming } from '../../test/kit/sample-reports.ts';
import { formatTimeSpent } from './totals.ts';

const provenance = (passed: number) => ({
  ...conforming().provenance,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: new Date(Date.UTC(2026, 0, 1) + passed).toISOString(),
});

it.each([
  [664, { target: 444, pauses: 0, checker: 210 }, '0.5 s waiting for the target, 0.2 s in wirecheck'],
  [2_500, { target: 1_900, pauses: 0, checker: 300 }, '1.9 s waiting for the target, 0.6 s in wirecheck'],
  [
    1_000,
    { target: 350, pauses: 350, checker: 300 },
    '0.3 s waiting for the target, 0.4 s pausing, 0.3 s in wirecheck',
  ],
  [40, { target: 20, pauses: 10, checker: 10 }, '0.0 s waiting for the target, 0.0 s in wirecheck'],
  [100, { target: 9_000, pauses: 0, checker: 300 }, '9.0 s waiting for the target, 0.3 s in wirecheck'],
])('the parts of %d ms add up to the whole as it is shown: %j', (passed, parts, words) => {
  const time = { wall: passed, slowest: [], ...parts };
  expect(formatTimeSpent({ ...conforming(), provenance: provenance(passed), time })).toBe(words);
});

it('nothing is said of a run whose time is not known', () => {
  expect(formatTimeSpent(conforming())).toBeUndefined();
});
