/** The sides of the wire that can be judged, a row each. A fifth would be a row here, one in `all-checks.ts`, and its gathering. */
import { loadScenarios } from '../gather/client/scenario.ts';
import { type Clause, type Contract, CONTRACT_SUBJECTS, type Subject } from '../contract/contract.ts';
import { type ChosenContract, contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { forwardingCases, listExploreCases } from '../gather/explore/explore-cases.ts';
import { loadContractUnder, loadLoadCases } from '../gather/load/plan-load.ts';
import { loadRelayCases, loadRelayContract } from '../gather/relay/read-relay-suite.ts';
import type { AnyCase } from '../suite/case.ts';
import { loadSuites } from '../suite/read-suites.ts';

interface SubjectRow {
  contract(chosen?: ChosenContract): Contract;
  /** `suites`: the user's choice, which only gateways have. */
  cases(suites: readonly string[]): readonly AnyCase[];
}

export const SUBJECTS = {
  gateway: {
    contract: (chosen = UNCHANGED) => contractOf(chosen),
    cases: (suites) => loadSuites(suites, contractOf(UNCHANGED)).flatMap(({ cases }) => cases),
  },
  client: { contract: (chosen = UNCHANGED) => contractOf(chosen, 'client'), cases: () => loadScenarios() },
  relay: { contract: (chosen = UNCHANGED) => loadRelayContract(chosen), cases: () => loadRelayCases() },
  load: {
    contract: (chosen = UNCHANGED) => loadContractUnder(chosen, loadLoadCases()),
    cases: () => loadLoadCases(),
  },
} satisfies Record<string, SubjectRow>;

export type SubjectName = keyof typeof SUBJECTS;
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as readonly SubjectName[];

/** The clauses of every subject. Some of a gateway also bind a relay. */
export function loadAllClauses(chosen: ChosenContract = UNCHANGED): readonly Clause[] {
  const clauses = SUBJECT_NAMES.flatMap((name) => SUBJECTS[name].contract(chosen).clauses);
  return [...new Map(clauses.map((clause) => [clause.id, clause])).values()];
}

/** The cases of every subject but gateways, whose cases the user may choose. */
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
