/** Tolerance in both directions (part 9.3): what the target ignores in requests, and what it adds to answers. */
import { isItemList } from '../verdict/observation.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { ToleranceReport } from './report.ts';

const REQUEST_CLAUSES = ['tolerance.unknown-request-field', 'tolerance.unknown-message-field'];

export function toleranceOf(verdicts: readonly Verdict[]): ToleranceReport {
  const asked = verdicts.filter(({ clause, verdict }) => {
    return REQUEST_CLAUSES.includes(clause) && verdict !== 'inconclusive' && verdict !== 'skipped';
  });
  const fields = verdicts
    .filter(({ check }) => check === 'unknown-fields')
    .flatMap(({ observations }) => observations.flatMap(({ value }) => (isItemList(value) ? value : [])));
  return {
    unknownRequestFields: { asked: asked.length, ignored: asked.filter(({ verdict }) => verdict === 'pass').length },
    unknownAnswerFields: fields,
  };
}
