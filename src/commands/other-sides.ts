/** Clauses and cases of the other two sides of the wire, for commands that know every name. */
import { loadScenarios, type Scenario } from '../client/scenario.ts';
import { type Clause, SUBJECTS } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { loadRelayCases } from '../relay/load-relay-suite.ts';
import type { SourcePlace } from '../suite/case.ts';

/** A case as `list`, `waive` and waiver files know it. */
export interface NamedCase {
  readonly id: string;
  readonly title: string;
  readonly source: SourcePlace;
  readonly expect: readonly { readonly clause: string }[];
}

/** Of gateways, clients and relays. */
export function loadAllClauses(): readonly Clause[] {
  return [undefined, ...SUBJECTS].flatMap((subject) => loadContract(subject).clauses);
}

export function loadOtherCases(): readonly NamedCase[] {
  return [...loadScenarios(loadContract('client')).map(toCase), ...loadRelayCases()];
}

function toCase({ id, title, source, clause }: Scenario): NamedCase {
  return { id, title, source, expect: [{ clause }] };
}
