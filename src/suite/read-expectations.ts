/** Reads what a case expects: a clause with a check, or a schema that stands for all its clauses. */
import type { Contract } from '../contract/contract.ts';
import type { Json } from '../json.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import type { Expectation, SourcePlace } from './case.ts';

export interface ExpectEntry {
  readonly clause?: string;
  readonly check?: string;
  readonly schema?: string;
  readonly [option: string]: Json | undefined;
}

/** Clauses that every refusal is judged by, whatever the case tests (part 7). */
export const REFUSAL_EXPECTATIONS: readonly Expectation[] = [
  { clause: 'errors.no-server-error', check: 'no-server-error', options: {} },
  ...['json', 'object', 'message', 'type', 'code', 'message-not-empty'].map((part) => ({
    clause: `errors.${part}`,
    check: 'error-body',
    options: { part },
  })),
];

export function readExpectation(entry: ExpectEntry, source: SourcePlace, contract: Contract): readonly Expectation[] {
  const { clause, check, schema, ...rest } = entry;
  if (schema !== undefined && !contract.schemaNames.includes(schema)) {
    throw new UsageError(`unknown schema "${schema}".${didYouMean(schema, contract.schemaNames)}`, source);
  }
  if (schema !== undefined && clause === undefined) {
    return contract.clausesOf(schema).map((id) => ({ clause: id, check: 'schema', options: { schema } }));
  }
  if (clause === undefined || check === undefined) {
    throw new UsageError('incomplete expectation. Give it a clause and a check, or a schema.', source);
  }
  const known = contract.clause(clause);
  if (!known) {
    const ids = contract.clauses.map(({ id }) => id);
    throw new UsageError(`unknown clause "${clause}".${didYouMean(clause, ids)}`, source);
  }
  if (known.level === 'none') {
    throw new UsageError(
      `the clause ${clause} cannot be judged. Remove it. (${known.why ?? 'It does not show over the wire.'})`,
      source,
    );
  }
  return [{ clause, check, options: { ...rest, ...(schema !== undefined && { schema }) } }];
}
