/** The clauses that a relay is judged by: its own, and those of a gateway that its answers to the client have to keep. */
import type { Contract } from '../contract/contract.ts';
import { loadContract, withClauses } from '../contract/load-contract.ts';
import { type ChosenContract, changeContract, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { loadRelayCases } from './load-relay-suite.ts';

let joined: Contract | undefined;

export function loadRelayContract(chosen: ChosenContract = UNCHANGED): Contract {
  return changeContract((joined ??= joinContracts()), chosen, 'relay');
}

function joinContracts(): Contract {
  const judged = new Set(loadRelayCases().flatMap(({ expect }) => expect.map(({ clause }) => clause)));
  const ofGateway = loadContract().clauses.filter(({ id }) => judged.has(id));
  return withClauses([...loadContract('relay').clauses, ...ofGateway]);
}
