/** Clients × scenarios, from the reports on the clients. */
import type { CaseReport, Report } from '../../report/report.ts';
import { groupBy } from '../../report/counts.ts';
import { makeAnchors } from '../html/anchors.ts';

export interface MatrixRow {
  readonly id: string;
  readonly title: string;
  /** Its place in the page. */
  readonly anchor: string;
  /** Whether some client fails it, or may have. */
  readonly isNotable: boolean;
  /** One per client; undefined where a client was not asked. */
  readonly cells: readonly (CaseReport | undefined)[];
}

export interface MatrixArea {
  readonly area: string;
  readonly rows: readonly MatrixRow[];
}

/** Verdicts that somebody has to look at. */
const NOTABLE: readonly CaseReport['verdict'][] = ['fail', 'warn', 'inconclusive'];
/** A client that was not judged is inconclusive in every row, which says nothing about a scenario. */
const NOTABLE_IF_NOT_JUDGED: readonly CaseReport['verdict'][] = ['fail', 'warn'];

/** Areas and rows are in the order of the first report that has them. */
export function makeMatrix(reports: readonly Report[]): readonly MatrixArea[] {
  const byReport = reports.map(({ cases }) => new Map(cases.map((testCase) => [testCase.id, testCase])));
  const notable = reports.map(({ outcome }) => (outcome.name === 'not-judged' ? NOTABLE_IF_NOT_JUDGED : NOTABLE));
  const all = new Map(reports.flatMap(({ cases }) => cases.map((testCase) => [testCase.id, testCase] as const)));
  const anchors = makeAnchors(
    'scenario',
    [...all.keys()].map((id) => [id]),
  );
  const anchorOf = new Map([...all.keys()].map((id, at) => [id, anchors[at] ?? '']));
  return [...groupBy([...all.values()], ({ suite }) => suite)].map(([area, cases]) => ({
    area,
    rows: cases.map(({ id, title }) => {
      const cells = byReport.map((own) => own.get(id));
      const isNotable = cells.some((cell, at) => cell !== undefined && notable[at]?.includes(cell.verdict));
      return { id, title, anchor: anchorOf.get(id) ?? '', isNotable, cells };
    }),
  }));
}
