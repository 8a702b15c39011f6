/** Boards of sample reports. */
import { type Board, makeBoard, summarizeReport } from '../../src/render/board/board.ts';
import type { Report } from '../../src/report/report.ts';
import { clause } from './sample-reports.ts';

export type Given = { readonly report: Report; readonly file?: string };

export function boardOf(...given: readonly Given[]): Board {
  const summaries = given.map(({ report, file = 'report.json' }) => summarizeReport(report, { report: file }));
  return makeBoard(summaries, { failOn: 'must' });
}

/** A report on the target of this name, of a day in May. */
export function on(name: string, day: number, report: Report): Given {
  const startedAt = `2030-05-${String(day).padStart(2, '0')}T08:00:00.000Z`;
  return {
    report: { ...report, target: { ...report.target, name }, provenance: { ...report.provenance, startedAt } },
    file: `${name}/${day}/report.json`,
  };
}

export const verdicts = (...clauses: readonly Parameters<typeof clause>[]): Pick<Report, 'clauses'> => ({
  clauses: clauses.map((parts) => clause(...parts)),
});
