/** Counts the verdicts that a report lists. Whatever version made it, its counts are these. */
import { countVerdicts } from '../counts.ts';
import type { Report } from '../report.ts';

export function recount({ cases, clauses }: Report): Report['counts'] {
  return {
    cases: countVerdicts(cases.map(({ verdict }) => verdict)),
    clauses: countVerdicts(clauses.flatMap(({ verdict }) => verdict ?? [])),
    expectations: countVerdicts(cases.flatMap(({ expectations }) => expectations.map(({ verdict }) => verdict))),
  };
}
