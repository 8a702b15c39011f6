/** What became of the findings of the baseline: those that are fixed, and those of which this run cannot tell. */
import type { OlderFinding } from '../report/report.ts';
import { baselineDay } from './excused.ts';
import { groupBy } from './fold.ts';
import { inert } from './inert.ts';
import { count, hang, someOf } from './layout.ts';
import type { Page, Section } from './page.ts';

const MOST_CASES = 4;

export function baselineSection(page: Page): Section {
  const { baseline } = page.report;
  if (baseline === undefined) return [];
  const { fixed, untold } = baseline;
  const day = baselineDay(page.report);
  const heading = (text: string) => page.paint('strong', text);
  return [
    ...(fixed.length === 0
      ? []
      : [heading(`Fixed since ${day}: ${count(fixed.length, 'finding')}`), ...list(page, '✓', fixed)]),
    ...(untold.length === 0
      ? []
      : [
          heading(`In the baseline, and not asked again: ${count(untold.length, 'finding')}`),
          ...list(page, '?', untold),
        ]),
  ];
}

function list({ options }: Page, mark: string, findings: readonly OlderFinding[]): Section {
  return [...groupBy(findings, ({ clause }) => clause)].flatMap(([clause, group]) => {
    const cases = [...new Set(group.map((finding) => inert(finding.case)))];
    const most = options.detail === 'verbose' ? Infinity : MOST_CASES;
    return hang(`  ${mark} `, `${inert(clause)} in ${someOf(cases, most)}`, options.width);
  });
}
