import { expect, it } from 'vitest';
import { clause, conforming } from '../../../test/kit/sample-reports.ts';
import type { Report } from '../../report/report.ts';
import { BOARD_FORMATS, boardHtml } from './board-html.ts';
import { type Board, makeBoard, summarizeReport } from './board.ts';

function boardOf(reports: Readonly<Record<string, Report>>): Board {
  const summaries = Object.entries(reports).map(([name, report]) =>
    summarizeReport({ ...report, target: { ...report.target, name } }, { report: `${name}/report.json` }),
  );
  return makeBoard(summaries, { failOn: 'must' });
}

it('A board keeps targets that fail for a clause apart from those that only warn', () => {
  const failing = conforming({ clauses: [clause('a.one', { verdict: 'fail' })] });
  const warning = conforming({ clauses: [clause('a.one', { verdict: 'warn', level: 'should' })] });
  const mixed = boardOf({ t: failing, u: warning });
  expect(BOARD_FORMATS.markdown(mixed)).toContain('| `a.one` | must | `t` |\n| `a.one` | should | `u` |');
  const line = (board: Board) => /<ul class="most-broken">[^]*?<\/ul>/.exec(boardHtml(board))?.[0] ?? '';
  expect(line(mixed)).toMatch(/v-fail[^]*<strong>t<\/strong>[^]*v-warn[^]*<strong>u<\/strong>/);
  const same = boardOf({ t: failing, u: failing });
  expect(BOARD_FORMATS.markdown(same)).toContain('| `a.one` | must | `2 targets` |');
  expect(line(same)).not.toContain('v-warn');
});
