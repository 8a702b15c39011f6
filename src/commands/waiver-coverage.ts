/** How much of a report a new waiver covers, in causes as every format counts them. Findings are waived one by one. */
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { type Entry, foldFindings } from '../render/fold.ts';
import { excuses } from '../report/excuses/apply-waivers.ts';
import type { Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import type { Waiver } from '../report/excuses/waivers.ts';

export function formatCoverage(waiver: Waiver, report: Report, file: string): string {
  const causes = foldFindings(report).map((entry) => coverageOf(waiver, entry));
  const covered = causes.filter((cause) => cause.covered.length > 0);
  const clauses = [...new Set(covered.map(({ clause }) => clause))];
  const { caseWord } = traitsOf(report);
  const start = `It covers ${formatCovered(covered, caseWord)} of ${inert(file, 300)}.`;
  const others = casesIn(causes.filter(({ clause }) => clauses.includes(clause)).flatMap(({ left }) => left));
  if (others === 0) return start;
  const [clause = ''] = clauses;
  const still = `in ${count(others, caseWord)}`;
  return clauses.length === 1
    ? `${start} ${inert(clause)} still counts ${still}: \`wirecheck waive ${inert(clause)}\` covers all of it.`
    : `${start} The same clauses still count ${still}: waive a clause, or more ${caseWord}s with *, to cover them.`;
}

interface Coverage {
  readonly clause: string;
  /** The cases of its findings, by whether the waiver covers them. One case may have some of both. */
  readonly covered: readonly string[];
  readonly left: readonly string[];
}

function coverageOf(waiver: Waiver, { expectation: { clause }, findings }: Entry): Coverage {
  const covered: string[] = [];
  const left: string[] = [];
  for (const finding of findings) {
    const [id = '', fingerprint = ''] = finding.split(' ');
    const isCovered = excuses(waiver, { case: id, clause }, fingerprint === '' ? undefined : fingerprint);
    (isCovered ? covered : left).push(id);
  }
  return { clause, covered, left };
}

/** `1 cause in 7 cases`; `3 causes, 1 of them in part, in 3 cases` */
function formatCovered(covered: readonly Coverage[], caseWord: string): string {
  if (covered.length === 0) return 'no cause';
  const parts = covered.filter(({ left }) => left.length > 0).length;
  const cases = `in ${count(casesIn(covered.flatMap((cause) => cause.covered)), caseWord)}`;
  if (parts === 0) return `${count(covered.length, 'cause')} ${cases}`;
  if (parts === covered.length) return `a part of ${count(parts, 'cause')}, ${cases}`;
  return `${count(covered.length, 'cause')}, ${parts} of them in part, ${cases}`;
}

function casesIn(ids: readonly string[]): number {
  return new Set(ids).size;
}
