/** The sides of the wire that can be judged, a row each. A fourth would be a row here, and its gathering. */
import { checkOf, CLIENT_CHECKS } from '../client/client-checks.ts';
import { loadScenarios, type Scenario } from '../client/scenario.ts';
import type { Clause, Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import type { Json } from '../json.ts';
import { RELAY_CHECKS } from '../relay/judge/checks.ts';
import { loadRelayCases } from '../relay/load-relay-suite.ts';
import type { SourcePlace } from '../suite/case.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { CHECKS } from '../verdict/checks/index.ts';

/** A case or a scenario, as commands know it by its name. */
export interface NamedCase {
  readonly id: string;
  readonly title: string;
  readonly source: SourcePlace;
  readonly expect: readonly { readonly clause: string; readonly check: string }[];
}

/** A check, as commands know it by its name. */
export interface NamedCheck {
  readonly summary: string;
  readonly options?: { readonly [name: string]: Json };
}

interface SubjectRow {
  /** What one of its cases is called, and the list of `wirecheck list` that has them. */
  readonly caseWord: 'case' | 'scenario';
  readonly list: string;
  contract(): Contract;
  /** `suites`: the user's choice, which only gateways have. */
  cases(suites: readonly string[]): readonly NamedCase[];
  readonly checks: Readonly<Record<string, NamedCheck>>;
}

export const SUBJECTS = {
  gateway: {
    caseWord: 'case',
    list: 'cases',
    contract: () => loadContract(),
    cases: (suites) => loadSuites(suites, loadContract()).flatMap(({ cases }) => cases),
    checks: CHECKS,
  },
  client: {
    caseWord: 'scenario',
    list: 'scenarios',
    contract: () => loadContract('client'),
    cases: () => loadScenarios(loadContract('client')).map(scenarioCase),
    checks: CLIENT_CHECKS,
  },
  relay: {
    caseWord: 'case',
    list: 'relay-cases',
    contract: () => loadContract('relay'),
    cases: () => loadRelayCases(),
    checks: RELAY_CHECKS,
  },
} satisfies Record<string, SubjectRow>;

export type SubjectName = keyof typeof SUBJECTS;
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as readonly SubjectName[];

function scenarioCase(scenario: Scenario): NamedCase {
  const { id, title, source, clause } = scenario;
  return { id, title, source, expect: [{ clause, check: checkOf(scenario) }] };
}

/** Of every subject. */
export function loadAllClauses(): readonly Clause[] {
  return SUBJECT_NAMES.flatMap((name) => SUBJECTS[name].contract().clauses);
}

/** Of every subject but gateways, whose cases the user may choose. */
export function loadOtherCases(): readonly NamedCase[] {
  return [...SUBJECTS.client.cases(), ...SUBJECTS.relay.cases()];
}
