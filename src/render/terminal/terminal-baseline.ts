/** Findings of the baseline that this run does not have: fixed, or not judged this time. */
import type { OlderFinding } from '../../report/excuses/excuse-report.ts';
import { baselineDay, olderByClause } from '../excused.ts';
import { count, hang, listFirst } from '../../text/layout.ts';
import type { Page, Section } from './page.ts';

const MAX_CASES = 4;

export function baselineSections(page: Page): readonly Section[] {
  const { baseline } = page.report;
  if (baseline === undefined) return [];
  const { fixed, notJudged } = baseline;
  return [
    section(page, `Fixed since ${baselineDay(page.report)}`, '✓', fixed),
    section(page, 'In the baseline, but not judged in this run', '?', notJudged),
  ];
}

function section(page: Page, title: string, mark: string, findings: readonly OlderFinding[]): Section {
  if (findings.length === 0) return [];
  return [page.paint('strong', `${title}: ${count(findings.length, 'finding')}`), ...list(page, mark, findings)];
}

function list({ options }: Page, mark: string, findings: readonly OlderFinding[]): Section {
  const most = options.detail === 'verbose' ? Infinity : MAX_CASES;
  return olderByClause(findings).flatMap(({ clause, cases }) =>
    hang(`  ${mark} `, `${clause} in ${listFirst(cases, most)}`, options.width),
  );
}
