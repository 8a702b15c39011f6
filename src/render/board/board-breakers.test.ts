import { expect, it } from 'vitest';
import { clause, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import type { Report } from '../../report/report.ts';
import { BOARD_FORMATS, boardHtml } from './board-html.ts';
import { formatBoardVerdict } from './board-text.ts';
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
  const line = (board: Board) => /<table class="most-broken">[^]*?<\/table>/.exec(boardHtml(board))?.[0] ?? '';
  expect(line(mixed)).toMatch(/v-fail[^]*<strong>t<\/strong>[^]*v-warn[^]*<strong>u<\/strong>/);
  const same = boardOf({ t: failing, u: failing });
  expect(BOARD_FORMATS.markdown(same)).toContain('| `a.one` | must | `2 targets` |');
  expect(line(same)).not.toContain('v-warn');
});

it('A board says how many clauses it leaves out', () => {
  const breaking = (number: number): Board => {
    const clauses = Array.from({ length: number }, (_, at) => clause(`a.c${at}`, { verdict: 'fail' }));
    return boardOf({ t: conforming({ clauses }) });
  };
  expect(BOARD_FORMATS.markdown(breaking(17))).toMatch(/\| `a\.c14` .*\n\nand 2 more clauses\n/);
  expect(boardHtml(breaking(17))).toMatch(/<\/table>\s*<\/div>\s*<p class="note">and 5 more clauses<\/p>/);
  for (const text of [BOARD_FORMATS.markdown(breaking(12)), boardHtml(breaking(12))])
    expect(text).not.toContain('more clause');
});

it('A pass with warnings has the sign of a warning, unless all of them are accepted', () => {
  const clauses = [clause('a.one', { verdict: 'warn', level: 'should' })];
  const rowOf = (report: Report): string =>
    /<td class="v-[^]*?<\/td>/.exec(boardHtml(boardOf({ t: report })))?.[0] ?? '';
  const markOf = (report: Report): string => BOARD_FORMATS.markdown(boardOf({ t: report }));
  expect(rowOf(conforming({ clauses }))).toMatch(/v-warn">\s*! conforms, with warnings/);
  expect(markOf(conforming({ clauses }))).toContain('| 🟡 |');
  expect(rowOf(conforming())).toMatch(/v-pass">\s*✓ conforms/);
  const warned = expectation('a.one', {
    level: 'should',
    verdict: 'warn',
    excused: 'known',
    findings: [finding({ since: 'known' })],
  });
  const known = conforming({ clauses, cases: [oneCase('a/b', [warned])] });
  expect(rowOf(known)).toMatch(/v-pass">\s*✓ conforms/);
});

it('A long name of a target costs the verdict of a board no count', () => {
  const down = conforming({ outcome: { ...conforming().outcome, name: 'not-judged', exit: 3 } });
  const failing = conforming({ outcome: { ...conforming().outcome, name: 'does-not-conform', exit: 1 } });
  const lineOf = (name: string) =>
    formatBoardVerdict(boardOf({ [name]: failing, [`${name}2`]: down, z: conforming() }));
  expect(lineOf('gateway.example')).toBe('1 of 3 targets fails (gateway.example), 1 not judged (gateway.example2)');
  expect(lineOf('gateway.example/'.repeat(6))).toBe(
    '1 of 3 targets fails (gateway.example/gateway…), 1 not judged (gateway.example/gateway…)',
  );
});
