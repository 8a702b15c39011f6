/**
 * Lists by reason or clause: cases that could not be judged, findings of the baseline that this run does not have, and with
 * `--verbose` also skipped cases and observations.
 */
import { groupBy } from '../../report/counts.ts';
import type { OlderFinding } from '../../report/excuses/excuse-report.ts';
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { columnsOf, count, hang, listFirst, padEnd } from '../../text/layout.ts';
import { formatObservationName, formatObservations } from '../../verdict/observation.ts';
import { baselineDay, olderByClause } from '../excused.ts';
import { countLeftOut } from '../headings.ts';
import { leftOutByReason } from '../left-out.ts';
import type { Page, Section } from './page.ts';

/** Shown of a list, unless everything is asked for. */
const MAX_ITEMS = 4;

function listCases({ options }: Page, cases: readonly string[]): string {
  return listFirst(cases, options.detail === 'verbose' ? Infinity : MAX_ITEMS);
}

export function inconclusiveSection(page: Page): Section {
  return leftOutSection(page, 'inconclusive', 'Inconclusive', '?');
}

export function skippedSection(page: Page): Section {
  return leftOutSection(page, 'skipped', 'Skipped, at least in part', '-');
}

function leftOutSection(page: Page, verdict: 'inconclusive' | 'skipped', title: string, mark: string): Section {
  const { report, options, paint } = page;
  const reasons = leftOutByReason(report, verdict);
  if (reasons.length === 0) return [];
  const heading = `${title}: ${countLeftOut(report, verdict)}`;
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
    page.paint('strong', `${title}: ${count(findings.length, 'finding')}`),
    ...olderByClause(findings).flatMap(({ clause, cases }) =>
      hang(`  ${mark} `, `${clause} in ${listCases(page, cases)}`, page.options.width),
    ),
  ];
}

export function observationSection({ report, options, paint }: Page): Section {
  const byClause = [...groupBy(report.observations, ({ clause }) => clause)];
  if (byClause.length === 0) return [];
  const label = Math.max(...byClause.map(([clause]) => columnsOf(clause))) + 4;
  const lines = byClause.flatMap(([clause, group]) =>
    hang(padEnd(`  ${clause}`, label), formatValues(group), options.width),
  );
  return [paint('strong', 'Observed (not specified by the contract, never judged)'), ...lines];
}

function formatValues(observations: Report['observations']): string {
  return [...groupBy(observations, formatObservationName)]
    .map(([name, group]) => {
      const values = formatObservations(group.map(({ value }) => value)).map((value) => inert(value, 60));
      return `${inert(name, 60)}: ${values.length === 0 ? 'none' : listFirst(values, MAX_ITEMS)}`;
    })
    .join('; ');
}
