/**
 * Headings of the lists of a report. The table of areas counts each case once, by its worst verdict; a list has every
 * case with an expectation of its verdict. If the two numbers differ, the heading has both.
 */
import type { Report } from '../report/report.ts';
import type { Entry, VerdictName } from './fold.ts';
import { count } from '../text/layout.ts';

/** `Skipped: 61 expectations in 12 cases, of which 2 count as skipped` */
export function leftOutHeading(report: Report, verdict: 'inconclusive' | 'skipped', title: string): string {
  return `${title}: ${countLeftOut(report, verdict)}`;
}

export function countLeftOut(report: Report, verdict: 'inconclusive' | 'skipped'): string {
  const ids = report.cases.flatMap(({ id, expectations }) =>
    expectations.filter((each) => each.verdict === verdict).map(() => id),
  );
  return `${count(ids.length, 'expectation')} in ${inCases(report, verdict, new Set(ids))}`;
}

/** `Warnings: 3 findings of 1 cause, in 3 cases, of which 2 count as warn` */
export function findingsHeading(report: Report, entries: readonly Entry[], title: string): string {
  return `${title}: ${countFindings(report, entries)}`;
}

export function countFindings(report: Report, entries: readonly Entry[]): string {
  const cases = new Set(entries.flatMap((entry) => entry.cases));
  const number = entries.reduce((sum, { findings }) => sum + findings.length, 0);
  const causes = entries.length === number ? '' : ` of ${count(entries.length, 'cause')},`;
  const start = `${count(number, 'finding')}${causes} in`;
  const [first] = entries;
  if (first?.excused === undefined) return `${start} ${inCases(report, first?.verdict ?? 'fail', cases)}`;
  const counted = report.cases.filter(
    ({ id, expectations }) =>
      cases.has(id) && expectations.some((each) => each.verdict === 'fail' && each.excused === undefined),
  ).length;
  const besides = counted === 0 ? '' : `, of which ${counted} also fail${counted === 1 ? 's' : ''} for another reason`;
  return `${start} ${count(cases.size, 'case')}${besides}`;
}

function inCases(report: Report, verdict: VerdictName, ids: ReadonlySet<string>): string {
  const counted = report.cases.filter((one) => ids.has(one.id) && one.verdict === verdict).length;
  const which = counted === 0 ? 'none of which counts' : `of which ${counted} count${counted === 1 ? 's' : ''}`;
  const besides = counted === ids.size ? '' : `, ${which} as ${verdict}`;
  return `${count(ids.size, 'case')}${besides}`;
}
