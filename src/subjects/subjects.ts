/** The sides of the wire that can be judged, a row each. A fourth would be a row here, and its gathering. */
import { CLIENT_CHECKS } from '../client/client-checks.ts';
import { loadScenarios } from '../client/scenario.ts';
import { type Clause, type Contract, CONTRACT_SUBJECTS, type Subject } from '../contract/contract.ts';
import { type ChosenContract, contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { listExploreCases } from '../explore/explore-cases.ts';
import { forwardingCases } from '../explore/relay/forwarding-cases.ts';
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
  contract(chosen?: ChosenContract): Contract;
  /** `suites`: the user's choice, which only gateways have. */
  cases(suites: readonly string[]): readonly AnyCase[];
  /** By the names that its suites use. */
  readonly checks: Readonly<Record<string, KnownCheck>>;
}

export const SUBJECTS = {
  gateway: {
    contract: (chosen = UNCHANGED) => contractOf(chosen),
    cases: (suites) => loadSuites(suites, contractOf(UNCHANGED)).flatMap(({ cases }) => cases),
    checks: CHECKS,
  },
  client: {
    contract: (chosen = UNCHANGED) => contractOf(chosen, 'client'),
    cases: () => loadScenarios(),
    checks: CLIENT_CHECKS,
  },
  relay: {
    contract: (chosen = UNCHANGED) => loadRelayContract(chosen),
    cases: () => loadRelayCases(),
    checks: RELAY_CHECKS,
  },
  load: {
    contract: (chosen = UNCHANGED) => contractOf(chosen, 'load'),
    cases: () => loadLoadCases(),
    checks: LOAD_CHECKS,
  },
} satisfies Record<string, SubjectRow>;

export type SubjectName = keyof typeof SUBJECTS;
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as readonly SubjectName[];

/** Of every subject. Some of a gateway also bind a relay. */
export function loadAllClauses(chosen: ChosenContract = UNCHANGED): readonly Clause[] {
  const clauses = SUBJECT_NAMES.flatMap((name) => SUBJECTS[name].contract(chosen).clauses);
  return [...new Map(clauses.map((clause) => [clause.id, clause])).values()];
}

/** Of every subject but gateways, whose cases the user may choose. */
export function loadOtherCases(): readonly (AnyCase & { readonly subject: Subject })[] {
  return CONTRACT_SUBJECTS.flatMap((subject) => SUBJECTS[subject].cases().map((each) => ({ ...each, subject })));
}

/** The cases of `wirecheck explore`, and those that `wirecheck relay --explore` adds. What draws requests is not loaded. */
export function loadExploreCases(
  chosen: ChosenContract = UNCHANGED,
): readonly (AnyCase & { readonly subject?: Subject })[] {
  const forwarded = forwardingCases(chosen).map((testCase) => ({ ...testCase, subject: 'relay' as const }));
  return [...listExploreCases(contractOf(chosen)), ...forwarded];
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
