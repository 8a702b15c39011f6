/** What a target does with fields that the contract does not have. */
import type { Contract } from '../contract/contract.ts';
import type { ReportedChecks } from '../verdict/check.ts';
import { isItemList } from '../verdict/observation.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { ToleranceReport } from './report.ts';

/** Part 9.3, in both directions: unknown fields that the target ignores in requests, and those it adds to answers. */
export function toleranceOf(
  verdicts: readonly Verdict[],
  { clauses }: Pick<Contract, 'clauses'>,
  checks: ReportedChecks,
): ToleranceReport {
  const counted = new Set(clauses.filter(({ tally }) => tally === 'unknown-request-fields').map(({ id }) => id));
  const judged = verdicts.filter(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'skipped');
  const asked = judged.filter(({ clause }) => counted.has(clause));
  const looked = judged.filter(({ check }) => checks[check]?.observesUnknownFields);
  const fields = looked.flatMap(({ observations }) =>
    observations.flatMap(({ value }) => (isItemList(value) ? value : [])),
  );
  return {
    unknownRequestFields: { asked: asked.length, ignored: asked.filter(({ verdict }) => verdict === 'pass').length },
    ...(looked.length > 0 && { unknownAnswerFields: fields }),
  };
}
