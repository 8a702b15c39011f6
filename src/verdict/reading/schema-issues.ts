/** Validates bodies against the contract's schemas, once for all clauses. */
import { oncePer } from '../../once-per.ts';
import { BodyMemo } from '../../exchange/reading/body-memo.ts';
import type { Contract, SchemaIssue } from '../../contract/contract.ts';
import type { Body, Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import type { RunView } from '../check.ts';
import { requestIssues } from '../../contract/request-issues.ts';

/** The most per clause: enough for a meaningful count of repeated issues in a long list. */
const MAX_ISSUES = 1_000;

const kept = new BodyMemo<{ readonly contract: Contract; readonly bySchema: Map<string, readonly SchemaIssue[]> }>();
/** Estimated memory of a cache entry, and of each issue in it. */
const BYTES_OF_AN_ENTRY = 200;
const BYTES_OF_AN_ISSUE = 400;

/** `value`: the parsed body. */
export function issuesOf({ contract }: RunView, schema: string, body: Body, value: Json): readonly SchemaIssue[] {
  const known = kept.get(body);
  const entry = known?.contract === contract ? known : { contract, bySchema: new Map() };
  const found = entry.bySchema.get(schema);
  if (found) return found;
  const issues = contract.validate(schema, value, MAX_ISSUES);
  entry.bySchema.set(schema, issues);
  let weight = BYTES_OF_AN_ENTRY;
  for (const { length } of entry.bySchema.values()) weight += length * BYTES_OF_AN_ISSUE;
  kept.set(body, entry, weight);
  return issues;
}

/** Violations of a contract in a request from a foreign recording. */
export const recordedIssues = oncePer((contract: Contract) =>
  oncePer(({ request: { endpoint, body = '' } }: Exchange) =>
    endpoint === 'chat' ? requestIssues(contract, body) : [],
  ),
);
