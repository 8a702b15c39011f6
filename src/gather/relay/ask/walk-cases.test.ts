import { expect, it } from 'vitest';
import { checkLimitedRelay } from '../../../../test/kit/relay-runs.ts';
import type { RelayModifier } from '../../../../selftest/relays/relay-modifier.ts';

it.each([
  [3, { pass: 4, fail: 0, used: 3 }, {}],
  [1, { pass: 0, fail: 1, used: 4 }, { accepts: () => true }],
])('At --max-completions, bad keys are still tried: exit %d, %j', async (exit, counts, modifier: RelayModifier) => {
  const report = await checkLimitedRelay(modifier, { maxCompletions: 4 }, '*key*', 'plain-*');
  const verdicts = report.cases.flatMap(({ expectations }) =>
    expectations.flatMap(({ clause, verdict }) => (clause === 'auth.required' ? [verdict] : [])),
  );
  const countOf = (name: string): number => verdicts.filter((verdict) => verdict === name).length;
  const { completions: used } = report.cost.used;
  expect(report.outcome.exit).toBe(exit);
  expect({ pass: countOf('pass'), fail: countOf('fail'), used }).toEqual(counts);
});
