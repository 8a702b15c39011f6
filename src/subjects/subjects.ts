/** The sides of the wire that can be judged, a row each. A fourth would be a row here, and its gathering. */
import { CLIENT_CHECKS } from '../client/client-checks.ts';
import { loadScenarios } from '../client/scenario.ts';
import type { Clause, Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { LOAD_CHECKS } from '../load/load-checks.ts';
import { loadLoadCases } from '../load/load-suite.ts';
import { RELAY_CHECKS } from '../relay/judge/checks.ts';
import { loadRelayCases } from '../relay/load-relay-suite.ts';
import { loadRelayContract } from '../relay/relay-contract.ts';
import type { AnyCase } from '../suite/case.ts';
import { loadSuites } from '../suite/load-suites.ts';
import type { CheckOf } from '../verdict/check.ts';
import { CHECKS } from '../verdict/checks/index.ts';

/** A check as everybody but its judge knows it. */
type KnownCheck = Pick<CheckOf<never>, 'summary' | 'options'>;

interface SubjectRow {
  /** What one of its cases is called, and the list of `wirecheck list` that has them. */
  readonly caseWord: 'case' | 'scenario';
  readonly list: string;
  contract(): Contract;
  /** `suites`: the user's choice, which only gateways have. */
  cases(suites: readonly string[]): readonly AnyCase[];
  /** By the names that its suites use. */
  readonly checks: Readonly<Record<string, KnownCheck>>;
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
    cases: () => loadScenarios(),
    checks: CLIENT_CHECKS,
  },
  relay: {
    caseWord: 'case',
    list: 'relay-cases',
    contract: () => loadRelayContract(),
    cases: () => loadRelayCases(),
    checks: RELAY_CHECKS,
  },
  load: {
    caseWord: 'case',
    list: 'load-cases',
    contract: () => loadContract('load'),
    cases: () => loadLoadCases(),
    checks: LOAD_CHECKS,
  },
} satisfies Record<string, SubjectRow>;

export type SubjectName = keyof typeof SUBJECTS;
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as readonly SubjectName[];

/** Of every subject. Some of a gateway also bind a relay. */
export function loadAllClauses(): readonly Clause[] {
  const clauses = SUBJECT_NAMES.flatMap((name) => SUBJECTS[name].contract().clauses);
  return [...new Map(clauses.map((clause) => [clause.id, clause])).values()];
}

/** Of every subject but gateways, whose cases the user may choose. */
export function loadOtherCases(): readonly AnyCase[] {
  return [...SUBJECTS.client.cases(), ...SUBJECTS.relay.cases(), ...SUBJECTS.load.cases()];
}

/** A check, and the subject that it judges. Two subjects may each have a check of the same name. */
export interface RegisteredCheck extends KnownCheck {
  readonly name: string;
  readonly subject: SubjectName;
}

/** Of every subject. */
export const ALL_CHECKS: readonly RegisteredCheck[] = SUBJECT_NAMES.flatMap((subject) =>
  Object.entries<KnownCheck>(SUBJECTS[subject].checks).map(([name, { summary, options }]) => ({
    name,
    subject,
    summary,
    ...(options && { options }),
  })),
);
