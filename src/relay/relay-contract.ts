/** The clauses that a relay is judged by: its own, and those of a gateway that its answers to the client have to keep. */
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { loadRelayCases } from './load-relay-suite.ts';

export function loadRelayContract(): Contract {
  const gateway = loadContract();
  const relay = loadContract('relay');
  const judged = new Set(loadRelayCases().flatMap(({ expect }) => expect.map(({ clause }) => clause)));
  return {
    clauses: [...relay.clauses, ...gateway.clauses.filter(({ id }) => judged.has(id))],
    clause: (id) => relay.clause(id) ?? gateway.clause(id),
    get hash() {
      return relay.hash;
    },
    get schemaNames() {
      return relay.schemaNames;
    },
    clausesOf: (schema) => relay.clausesOf(schema),
    validate: (schema, value, most) => relay.validate(schema, value, most),
  };
}
