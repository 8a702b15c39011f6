/** The clauses that an exploration is judged by: those of a gateway, and with an upstream behind it those of a relay. */
import { replaceClauses } from '../../contract/assemble-contract.ts';
import type { Contract } from '../../contract/contract.ts';
import { type ChosenContract, contractOf } from '../../contract/profile/apply-profile.ts';
import { loadRelayContract } from '../../relay/load-relay-suite.ts';

export function relayExploreContract(chosen: ChosenContract): Contract {
  const gateway = contractOf(chosen);
  const others = loadRelayContract(chosen).clauses.filter(({ id }) => !gateway.clause(id));
  return replaceClauses(gateway, [...gateway.clauses, ...others]);
}
