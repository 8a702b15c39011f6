import { expect, it } from 'vitest';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { FULL_REPORT } from '../../../test/kit/reports.ts';
import type { Report } from '../../report/report.ts';
import { boardHtml } from './board-html.ts';
import { makeBoard, summarizeReport } from './board.ts';

it('A clause without an occasion differs from one that was not tested, in the key too', () => {
  const skipped = { verdict: 'skipped' } as const;
  const report = conforming({
    clauses: [clause('a.idle', skipped), clause('a.key', skipped)],
    cases: [
      oneCase('a/b', [
        expectation('a.idle', { ...skipped, reason: { kind: 'no-occasion', of: 'error' } }),
        expectation('a.key', { ...skipped, reason: { kind: 'needs', settings: ['openapi'] } }),
      ]),
    ],
  });
  const board = makeBoard([summarizeReport(report, { report: 'report.json' })], { failOn: 'must' });
  expect(board.targets[0]?.idle).toEqual(['a.idle']);
  const page = boardHtml(board);
  const reasons = 'no clear answer, not tested, never came up, not in this run';
  expect(page).toContain(`<strong>? – ∅ □ not judged</strong> ${reasons}`);
  expect(page).toMatch(/class="v-idle"[^>]*>\s*∅/);
  expect(page).toMatch(/class="v-skipped"[^>]*>\s*–/);
});

it('The sign of an area counts the clauses that it stands for; warnings stand beside it', () => {
  const pageOf = (...verdicts: readonly ('fail' | 'warn')[]) => {
    const level = { fail: 'must', warn: 'should' } as const;
    const id = (at: number) => `request.a${at}`;
    const clauses = verdicts.map((verdict, at) => clause(id(at), { verdict, level: level[verdict] }));
    const failed = verdicts.map((verdict, at) =>
      expectation(id(at), { verdict, level: level[verdict], findings: [finding({ pointer: `/a${at}` })] }),
    );
    const report = broken({ clauses, cases: [oneCase('a/b', failed)] });
    return boardHtml(makeBoard([summarizeReport(report, { report: 'report.json' })], { failOn: 'must' }));
  };
  expect(pageOf('fail', 'warn', 'fail', 'warn', 'warn')).toMatch(
    /aria-label="broken, warning: request 2, 3"\s*>✗ 2 <span class="beside">! 3</,
  );
  expect(pageOf('fail', 'fail')).toMatch(/aria-label="broken: request 2"\s*>✗ 2</);
  expect(pageOf('warn', 'warn')).toMatch(/aria-label="warning: request 2"\s*>! 2</);
});

it('The footer names the flag for clauses of your own only if a target was judged by some', () => {
  const { profile } = FULL_REPORT;
  const pageOf = (report: Report) =>
    boardHtml(makeBoard([summarizeReport(report, { report: 'report.json' })], { failOn: 'must' }));
  expect(pageOf(broken({ profile }))).toContain('<code>--suite FILE</code>');
  expect(pageOf(broken())).not.toContain('--suite FILE');
});
