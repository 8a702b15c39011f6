/** Issues of a body against a schema of the contract, found once for all clauses that look at it. */
import { onForgetting } from '../exchange/reading/body-memo.ts';
import type { Contract, SchemaIssue } from '../contract/contract.ts';
import type { Body } from '../exchange/exchange.ts';
import type { Json } from '../json.ts';
import type { RunView } from './check.ts';

/** Of each clause: so many that a count of the same issue in a long list says something. */
const MOST_ISSUES = 1_000;

interface Kept {
  readonly contract: Contract;
  readonly bySchema: Map<string, readonly SchemaIssue[]>;
}

// The checks of a case ask for the same body one after another. Only the last few are kept: a long recording needs no
// more memory than a short one, and neither do many bodies that are all faults.
const KEPT = 64;
const lately = new Map<Body, Kept>();

onForgetting(() => lately.clear());

function keptFor(body: Body, contract: Contract): Kept {
  const known = lately.get(body);
  if (known?.contract === contract) return known;
  const fresh: Kept = { contract, bySchema: new Map() };
  lately.delete(body);
  lately.set(body, fresh);
  for (const oldest of lately.keys()) {
    if (lately.size <= KEPT) break;
    lately.delete(oldest);
  }
  return fresh;
}

/** `value` is what the body holds. */
export function issuesOf(run: RunView, schema: string, body: Body, value: Json): readonly SchemaIssue[] {
  const { bySchema } = keptFor(body, run.contract);
  const issues = bySchema.get(schema) ?? run.contract.validate(schema, value, MOST_ISSUES);
  bySchema.set(schema, issues);
  return issues;
}
