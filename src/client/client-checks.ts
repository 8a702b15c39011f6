/** All checks of clients, by name: those of what came of a scenario, and those of the calls of all scenarios. */
import { inconclusive } from '../verdict/finding.ts';
import { CALL_OBSERVATIONS } from './call-observations.ts';
import { outcomeOfScenario } from './outcome.ts';
import { REQUEST_CHECKS } from './request-checks.ts';
import { isPlayable } from './scenario.ts';
import type { ScenarioCheck } from './scenario-check.ts';

/** By the names that `suites/client.yaml` uses. */
export const CALL_CHECKS = { ...REQUEST_CHECKS, ...CALL_OBSERVATIONS };

export const CLIENT_CHECKS = {
  understands: onOutcome('The exact text of a legal answer comes out.'),
  'makes-known': onOutcome('A failed call is reported as one.'),
  records: onOutcome('What came out of an answer that the contract leaves open.'),
  ...CALL_CHECKS,
} satisfies Record<string, ScenarioCheck>;

/** The scenario itself says what has to come of it. */
function onOutcome(summary: string): ScenarioCheck {
  return {
    summary,
    execute: ({ case: scenario, played }) =>
      played && isPlayable(scenario)
        ? outcomeOfScenario(played, scenario).check
        : inconclusive({ kind: 'nothing-to-judge' }),
  };
}
