/** What a new waiver covers of a report, and what of the same clauses still counts. */
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { countIds, coverCauses, formatCovered } from '../render/covered-causes.ts';
import { foldFindings } from '../render/fold.ts';
import type { Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import type { WaiverEntry } from '../report/excuses/waivers.ts';

export function formatCoverage(entry: WaiverEntry, report: Report, file: string): string {
  const causes = coverCauses(entry, foldFindings(report));
  const clauses = [...new Set(causes.flatMap(({ clause, covered }) => (covered.length > 0 ? [clause] : [])))];
  const { caseWord } = traitsOf(report);
  const start = `It covers ${formatCovered(causes, caseWord)} of ${inert(file, 300)}.`;
  const others = countIds(causes.filter(({ clause }) => clauses.includes(clause)).flatMap(({ left }) => left));
  if (others === 0) return start;
  const [clause = ''] = clauses;
  const still = `in ${count(others, caseWord)}`;
  return clauses.length === 1
    ? `${start} ${inert(clause)} still counts ${still}: \`wirecheck waive ${inert(clause)}\` covers all of it.`
    : `${start} The same clauses still count ${still}: waive a clause, or more ${caseWord}s with *, to cover them.`;
}
