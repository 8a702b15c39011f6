/**
 * Headings of the lists of a report. A list has every case with an expectation of its verdict, except that a failed case is
 * not also listed as inconclusive; the table of areas counts each case once, by its worst verdict.
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
export function countLeftOut(report: Report, verdict: 'inconclusive' | 'skipped'): string {
  return count(new Set(listLeftOut(report, verdict).map(({ testCase }) => testCase)).size, 'case');
}

/** The verdicts that have a list of their own. */
const LISTED: readonly VerdictName[] = ['fail', 'warn', 'inconclusive'];

/** Only where the lists of cases would seem to contradict the table. */
export function tableNotes(report: Report): readonly string[] {
  const isInTwoLists = report.cases.some(({ verdict: worst, expectations }) => {
    const listed = expectations.map(({ verdict }) => verdict).filter((verdict) => LISTED.includes(verdict));
    // A failed case is not listed as inconclusive.
    return new Set(worst === 'fail' ? listed.filter((verdict) => verdict !== 'inconclusive') : listed).size > 1;
  });
  const excused = countExcused(report);
  return [
    ...(isInTwoLists ? ['Each case counts once, by its worst verdict.'] : []),
    ...(excused === undefined ? [] : [excused]),
  ];
}
