/** Plans a run: selects the cases, leaves out those that need something missing, and adds up the cost. */
import type { Settings } from '../settings.ts';
import type { Case, ExtraKey, Prerequisite, Suite } from '../suite/case.ts';
import type { BaseRequests } from '../suite/load-requests.ts';
import { sumCosts } from './cost.ts';
import { feedingOf } from './feeding.ts';
import { makeSteps } from './make-steps.ts';
import type { Omission, Plan } from './plan.ts';
import { isSelected } from './select.ts';

export function makePlan(
  suites: readonly Suite[],
  requests: BaseRequests,
  settings: Settings,
  extraKeys: readonly ExtraKey[],
): Plan {
  const all = suites.flatMap(({ cases }) => cases);
  const chosen = all.filter(({ id }) => isSelected(settings, id));
  const missingFor = ({ needs }: Case) => needs.filter((need) => !isGiven(need, settings, extraKeys));
  const omissions = chosen.flatMap((testCase): Omission[] => {
    const missing = missingFor(testCase);
    return missing.length > 0 ? [{ case: testCase.id, reason: { kind: 'needs', settings: missing } }] : [];
  });
  const omitted = new Set(omissions.map((omission) => omission.case));
  const asked = chosen.filter(({ id }) => !omitted.has(id));
  const available = all.filter(
    (testCase) => isSelected({ only: [], skip: settings.skip }, testCase.id) && missingFor(testCase).length === 0,
  );
  const { steps, stepsOf } = makeSteps(
    asked,
    feedingOf(asked, available, requests, settings),
    new Map(all.map((testCase) => [testCase.id, testCase])),
    requests,
    settings,
  );
  return {
    cases: chosen,
    steps,
    stepsOf,
    omissions,
    least: sumCosts(steps.map(({ least }) => least)),
    most: sumCosts(steps.map(({ most }) => most)),
  };
}

function isGiven(need: Prerequisite, settings: Settings, extraKeys: readonly ExtraKey[]): boolean {
  const given: Record<Prerequisite, boolean> = {
    'restricted-key': extraKeys.includes('restricted'),
    'exhausted-key': extraKeys.includes('exhausted'),
    'limited-key': extraKeys.includes('limited'),
    'second-key': extraKeys.includes('second'),
    'forbidden-model': settings.forbiddenModel !== undefined,
    openapi: settings.openapi !== undefined,
  };
  return given[need];
}
