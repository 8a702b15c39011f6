/** Plans of the built-in suites, or of made-up cases. */
import { loadContract } from '../../src/contract/read-contract.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import type { Ask, Case, ExtraKey } from '../../src/suite/case.ts';
import { loadRequests, loadSuites } from '../../src/suite/read-suites.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { type Plan, type Step } from '../../src/plan/plan.ts';
import { CHECKS } from '../../src/verdict/checks/index.ts';

const suites = loadSuites([], loadContract());

export function planOf(changes: Partial<Settings> = {}, keys: readonly ExtraKey[] = [], from = suites): Plan {
  const sources = { suites: from, requests: loadRequests(), checks: CHECKS };
  return makePlan(sources, { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...changes }, keys);
}

/** A suite of made-up cases. */
export function suiteOf(...cases: readonly (Partial<Ask> & { readonly id: string; readonly on?: string })[]) {
  const made = cases.map(({ id, on = 'chat', ...ask }): Case => {
    const base = loadRequests().get(on);
    if (!base) throw new Error(`no ${on}`);
    return {
      id,
      suite: 'own',
      title: id,
      source: { file: 'own.yaml', line: 1 },
      ask: { base, edits: [], sample: false, closing: false, ...ask },
      over: [],
      needs: [],
      expect: [{ clause: 'errors.code', check: 'answered', options: {} }],
    };
  });
  return [{ name: 'own', title: 'Own', cases: made }];
}

export const step = (plan: Plan, id: string): Step | undefined => plan.steps.find((planned) => planned.id === id);

export const ids = ({ steps }: Plan): readonly string[] => steps.map(({ id }) => id);
