/** Clients × scenarios, from the reports on the clients. */
import type { CaseReport, Report } from '../../report/report.ts';
import { groupBy } from '../../report/counts.ts';

export interface MatrixRow {
  readonly id: string;
  readonly title: string;
  /** One per client; undefined where a client was not asked. */
  readonly cells: readonly (CaseReport | undefined)[];
}

export interface MatrixArea {
  readonly area: string;
  readonly rows: readonly MatrixRow[];
}

/** Areas and rows are in the order of the first report that has them. */
export function makeMatrix(reports: readonly Report[]): readonly MatrixArea[] {
  const byReport = reports.map(({ cases }) => new Map(cases.map((testCase) => [testCase.id, testCase])));
  const all = new Map(reports.flatMap(({ cases }) => cases.map((testCase) => [testCase.id, testCase] as const)));
  return [...groupBy([...all.values()], ({ suite }) => suite)].map(([area, cases]) => ({
    area,
    rows: cases.map(({ id, title }) => ({ id, title, cells: byReport.map((own) => own.get(id)) })),
  }));
}
