/**
 * Headings of the lists of a report. A list has every case with an expectation of its verdict, except that a failed case is
 * also listed as inconclusive only for a clause that is; the table of areas counts each case once, by its worst verdict.
 */
import type { Report } from '../report/report.ts';
import { countExcused } from './excused.ts';
import type { Entry, VerdictName } from './fold.ts';
import { count } from '../text/layout.ts';
import { listLeftOut } from './left-out.ts';

/** `Warnings: 1 cause in 3 cases` */
export function findingsHeading(entries: readonly Entry[], title: string): string {
  return `${title}: ${countFindings(entries)}`;
}

/** `noun`: what the subject of the report calls its cases. */
export function countFindings(entries: readonly Entry[], noun = 'case'): string {
  const cases = new Set(entries.flatMap((entry) => entry.cases));
  return `${count(entries.length, 'cause')} in ${count(cases.size, noun)}`;
}

/** `12 cases` */
export function countSkipped(report: Report): string {
  return countCases(report, 'skipped');
}

/** `Inconclusive: 3 clauses in 12 cases`; without clauses if each of them is broken in another case. */
export function inconclusiveHeading(report: Report): string {
  const clauses = report.clauses.filter(({ verdict }) => verdict === 'inconclusive').length;
  const cases = countCases(report, 'inconclusive');
  return `Inconclusive: ${clauses === 0 ? cases : `${count(clauses, 'clause')} in ${cases}`}`;
}

function countCases(report: Report, verdict: 'inconclusive' | 'skipped'): string {
  return count(new Set(listLeftOut(report, verdict).map(({ testCase }) => testCase)).size, 'case');
}

/** The verdicts that have a list of causes. */
const LISTED: readonly VerdictName[] = ['fail', 'warn'];

/** Only where the lists of cases would seem to contradict the table. */
export function tableNotes(report: Report): readonly string[] {
  const undecided = new Set(listLeftOut(report, 'inconclusive').map(({ testCase }) => testCase));
  const isInTwoLists = report.cases.some((testCase) => {
    const listed = testCase.expectations.map(({ verdict }) => verdict).filter((verdict) => LISTED.includes(verdict));
    return new Set(listed).size + (undecided.has(testCase) ? 1 : 0) > 1;
  });
  return [...(isInTwoLists ? ['Each case counts once, by its worst verdict.'] : []), ...countExcused(report)];
}
