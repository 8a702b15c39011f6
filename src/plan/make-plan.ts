/** Plans a run: selects the cases, leaves out those that need something missing, and adds up the cost. */

import type { Settings } from '../settings.ts';
import { type Case, EXTRA_KEYS, type ExtraKey, type Prerequisite, type Suite } from '../suite/case.ts';
import { sumCosts } from './cost.ts';
import { feedingOf, makeSteps, type StepSources } from './make-steps.ts';
import type { Omission, Plan } from './plan.ts';
import { isSelected } from './select.ts';

export function makePlan(
  sources: Pick<StepSources, 'requests' | 'checks'> & { readonly suites: readonly Suite[] },
  settings: Settings,
  extraKeys: readonly ExtraKey[],
): Plan {
  const { suites, requests, checks } = sources;
  const all = suites.flatMap(({ cases }) => cases);
  const missingFor = ({ needs }: Case) => needs.filter((need) => !isGiven(need, settings, extraKeys));
  const chosen = suites.flatMap(({ cases, added }) =>
    added && settings.only.length === 0 ? [] : cases.filter(({ id }) => isSelected(settings, id)),
  );
  const omissions = chosen.flatMap((testCase): Omission[] => {
    if (testCase.pointless) return [{ case: testCase.id, reason: testCase.pointless }];
    const missing = missingFor(testCase);
    return missing.length > 0 ? [{ case: testCase.id, reason: { kind: 'needs', settings: missing } }] : [];
  });
  const omitted = new Set(omissions.map((omission) => omission.case));
  const asked = chosen.filter(({ id }) => !omitted.has(id));
  const kept = all.filter(({ id }) => isSelected({ only: [], skip: settings.skip }, id));
  // Cases that judge what the chosen ones send, without being chosen. Nothing is sent for them.
  const isAnySent = asked.some(({ ask, over }) => ask !== undefined || over.length > 0);
  const partial = isAnySent ? kept.filter((testCase) => testCase.always && !chosen.includes(testCase)) : [];
  const available = kept.filter((testCase) => missingFor(testCase).length === 0 && testCase.pointless === undefined);
  const feeding = feedingOf(asked, available, { requests, checks, settings });
  const cases = new Map(all.map((testCase) => [testCase.id, testCase]));
  const { steps, stepsOf } = makeSteps(asked, feeding, { cases, requests, checks, settings });
  return {
    cases: all.filter((testCase) => chosen.includes(testCase) || partial.includes(testCase)),
    partial: partial.map(({ id }) => id),
    steps,
    stepsOf,
    omissions,
    least: sumCosts(steps.map(({ least }) => least)),
    most: sumCosts(steps.map(({ most }) => most)),
  };
}

function isGiven(need: Prerequisite, settings: Settings, extraKeys: readonly ExtraKey[]): boolean {
  const key = EXTRA_KEYS.find((use) => need === `${use}-key`);
  if (key) return extraKeys.includes(key);
  const given: Record<Exclude<Prerequisite, `${ExtraKey}-key`>, boolean> = {
    'forbidden-model': settings.forbiddenModel !== undefined,
    openapi: settings.openapi !== undefined,
    'fallback-model': settings.relay.fallbackModel !== undefined,
    'upstream-timeout': settings.relay.upstreamTimeout !== undefined,
    'upstream-model': settings.relay.upstreamModel.length > 0,
    parallel: settings.parallel > 1,
    patient: settings.patient,
    counts: settings.counts,
    'largest-body': settings.largestBody !== undefined,
    'context-tokens': settings.contextTokens !== undefined,
  };
  return given[need as keyof typeof given];
}
