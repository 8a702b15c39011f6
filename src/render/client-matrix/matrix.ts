/** Clients × scenarios, from the reports on the clients. */
import type { CaseReport, Report } from '../../report/report.ts';
import { groupBy } from '../../report/counts.ts';
import { count } from '../../text/layout.ts';
import { isAboutRequests } from '../client-text.ts';
import { makeAnchors } from '../html/view.ts';

export interface MatrixRow {
  readonly id: string;
  readonly title: string;
  /** Its place in the page. */
  readonly anchor: string;
  /** Whether some client fails it, or may have. */
  readonly isNotable: boolean;
  /** Judged by the requests of all scenarios, without one of its own. */
  readonly isOfRequests: boolean;
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
    rows: cases.map(({ id, title, suite }) => {
      const cells = byReport.map((own) => own.get(id));
      const isNotable = cells.some((cell, at) => cell !== undefined && notable[at]?.includes(cell.verdict));
      const isOfRequests = isAboutRequests({ suite });
      return { id, title, anchor: anchorOf.get(id) ?? '', isNotable, isOfRequests, cells };
    }),
  }));
}

/** `171 scenarios and 10 checks of requests`, as many scenarios as a run plays. */
export function countRows(rows: readonly Pick<MatrixRow, 'isOfRequests'>[]): string {
  const checks = rows.filter(({ isOfRequests }) => isOfRequests).length;
  const scenarios = rows.length - checks;
  const parts = [
    ...(scenarios > 0 || checks === 0 ? [count(scenarios, 'scenario')] : []),
    ...(checks > 0 ? [`${count(checks, 'check')} of requests`] : []),
  ];
  return parts.join(' and ');
}
