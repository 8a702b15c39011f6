/**
 * Headings of the lists of a report. A list has every case with an expectation of its verdict; the table of areas counts
 * each case once, by its worst verdict.
 */
import type { Report } from '../report/report.ts';
import { excusedCases } from './excused.ts';
import type { Entry, VerdictName } from './fold.ts';
import { count } from '../text/layout.ts';

/** `Warnings: 1 cause in 3 cases` */
export function findingsHeading(entries: readonly Entry[], title: string): string {
  return `${title}: ${countFindings(entries)}`;
}

export function countFindings(entries: readonly Entry[]): string {
  const cases = new Set(entries.flatMap((entry) => entry.cases));
  return `${count(entries.length, 'cause')} in ${count(cases.size, 'case')}`;
}

/** `12 cases` */
export function countLeftOut({ cases }: Report, verdict: 'inconclusive' | 'skipped'): string {
  const own = cases.filter(({ expectations }) => expectations.some((each) => each.verdict === verdict));
  return count(own.length, 'case');
}

/** The verdicts that have a list of their own. */
const LISTED: readonly VerdictName[] = ['fail', 'warn', 'inconclusive'];

/** Only where the lists of cases would seem to contradict the table. */
export function tableNotes(report: Report): readonly string[] {
  const isInTwoLists = report.cases.some(
    ({ expectations }) =>
      new Set(expectations.map(({ verdict }) => verdict).filter((verdict) => LISTED.includes(verdict))).size > 1,
  );
  const excused = excusedCases(report).length;
  return [
    ...(isInTwoLists ? ['Each case counts once, by its worst verdict.'] : []),
    ...(excused > 0
      ? [`${excused} of the failed cases ${excused === 1 ? 'is' : 'are'} waived or in the baseline.`]
      : []),
  ];
}
