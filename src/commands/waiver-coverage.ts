/** How many findings of a report a new waiver covers. A report has one entry per cause, but findings are waived one by one. */
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { excuses } from '../report/excuses/apply-waivers.ts';
import { type Expected, isBroken } from '../report/excuses/expected.ts';
import type { Report } from '../report/report.ts';
import type { Waiver } from '../report/excuses/waivers.ts';

export function formatCoverage(waiver: Waiver, report: Report, file: string): string {
  const all = findingsOf(report);
  const covered = all.filter(({ fingerprint, ...expected }) => excuses(waiver, expected, fingerprint));
  const clauses = [...new Set(covered.map(({ clause }) => clause))];
  const others = all.filter(
    (expectation) => clauses.includes(expectation.clause) && !covered.includes(expectation),
  ).length;
  const start = `It covers ${covered.length === 0 ? 'no finding' : count(covered.length, 'finding')} of ${inert(file, 300)}.`;
  if (others === 0) return start;
  const [clause = ''] = clauses;
  return clauses.length === 1
    ? `${start} ${count(others, 'other')} of ${inert(clause)} still ${others === 1 ? 'counts' : 'count'}: \`wirecheck waive ${inert(clause)}\` covers them all.`
    : `${start} ${count(others, 'other')} of the same clauses still ${others === 1 ? 'counts' : 'count'}: waive a clause, or more cases with *, to cover them.`;
}

interface Found extends Expected {
  readonly fingerprint: string | undefined;
}

function findingsOf({ cases }: Report): readonly Found[] {
  return cases.flatMap(({ id, expectations }) =>
    expectations.filter(isBroken).flatMap(({ clause, findings }): readonly Found[] => {
      const fingerprints = new Set(findings.map(({ fingerprint }) => fingerprint));
      return (findings.length === 0 ? [undefined] : [...fingerprints]).map((fingerprint) => ({
        case: id,
        clause,
        fingerprint,
      }));
    }),
  );
}
