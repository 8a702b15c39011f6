import { expect, it } from 'vitest';
import { clause, conforming, expectation, oneCase } from '../../../test/kit/sample-reports.ts';
import { boardHtml } from './board-html.ts';
import { makeBoard } from './board.ts';
import { summarizeReport } from './summary.ts';

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
  expect(page).toMatch(/<strong>∅ no occasion<\/strong> nothing in this run gave an occasion to judge it/);
  expect(page).toMatch(/class="v-idle"[^>]*>\s*∅/);
  expect(page).toMatch(/class="v-skipped"[^>]*>\s*–/);
});
