/**
 * Lists by reason or clause: cases that could not be judged, findings of the baseline that this run does not have, and with
 * `--verbose` also skipped cases and observations.
 */
import type { OlderFinding } from '../../report/excuses/excuse-report.ts';
import { inert } from '../../text/inert.ts';
import { columnsOf, count, hang, listFirst, padEnd } from '../../text/layout.ts';
import { baselineDay, countOlder, olderByClause } from '../excused.ts';
import { countSkipped, inconclusiveHeading } from '../headings.ts';
import { leftOutByReason } from '../left-out.ts';
import { listObserved, type ObservedClause } from '../observed.ts';
import type { Page, Section } from './page.ts';

/** Shown of a list, unless everything is asked for. */
const MAX_ITEMS = 4;
const MAX_VALUE = 60;
const MAX_SENTENCE = 400;

function listCases({ options }: Page, cases: readonly string[]): string {
  return listFirst(cases, options.detail === 'verbose' ? Infinity : MAX_ITEMS);
}

export function inconclusiveSection(page: Page): Section {
  return leftOutSection(page, 'inconclusive', inconclusiveHeading(page.report));
}

export function skippedSection(page: Page): Section {
  return leftOutSection(page, 'skipped', `Skipped, at least in part: ${countSkipped(page.report)}`);
}

function leftOutSection(page: Page, verdict: 'inconclusive' | 'skipped', heading: string): Section {
  const { report, options, paint } = page;
  const reasons = leftOutByReason(report, verdict);
  if (reasons.length === 0) return [];
  const mark = verdict === 'skipped' ? '-' : '?';
  return [
    paint('strong', paint(verdict === 'skipped' ? 'quiet' : 'unsure', heading)),
    ...reasons.flatMap(({ reason, cases }) => {
      const ids = cases.map((id) => inert(id));
      return [
        ...hang(`  ${mark} `, `${reason} (${count(cases.length, 'case')})`, options.width),
        ...hang('    ', listCases(page, ids), options.width),
      ];
    }),
  ];
}

export function baselineSections(page: Page): readonly Section[] {
  const { baseline } = page.report;
  if (baseline === undefined) return [];
  return [
    olderSection(page, `Fixed since ${baselineDay(page.report)}`, '✓', baseline.fixed),
    olderSection(page, 'In the baseline, but not judged in this run', '?', baseline.notJudged),
  ];
}

function olderSection(page: Page, title: string, mark: string, findings: readonly OlderFinding[]): Section {
  if (findings.length === 0) return [];
  return [
    page.paint('strong', `${title}: ${countOlder(page.report, findings)}`),
    ...olderByClause(findings).flatMap(({ clause, cases }) =>
      hang(`  ${mark} `, `${clause} in ${listCases(page, cases)}`, page.options.width),
    ),
  ];
}

export function observationSection({ report, options, paint }: Page): Section {
  const all = listObserved(report);
  if (all.length === 0) return [];
  const label = Math.max(...all.map(({ clause }) => columnsOf(clause))) + 4;
  const lines = all.flatMap((each) => hang(padEnd(`  ${each.clause}`, label), formatFacts(each), options.width));
  const why = all.some(({ isLowered }) => isLowered) ? ', or at the level observe' : '';
  return [paint('strong', `Observed (not specified by the contract${why}, never judged)`), ...lines];
}

function formatFacts({ facts, isLowered }: ObservedClause): string {
  return facts
    .map(([name, values]) => {
      const shown = values.map((value) => inert(value, isLowered ? MAX_SENTENCE : MAX_VALUE));
      return `${inert(name, 60)}: ${shown.length === 0 ? 'none' : listFirst(shown, MAX_ITEMS)}`;
    })
    .join('; ');
}
