import { expect, it } from 'vitest';
import { clause, conforming } from '../../test/kit/sample-reports.ts';
import { reportOf } from '../../test/kit/fold-reports.ts';
import { foldFindings } from './fold.ts';
import { addCauses } from './json.ts';
import { verdictLine } from './verdict-line.ts';

const REPORT = reportOf({ id: 'a', status: 500 }, { id: 'b', status: 500 }, { id: 'c', status: 503 });

it('The causes are those of the other formats, in their order, with the sentence of the verdict', () => {
  const { causes = [], outcome } = addCauses(REPORT);
  expect(outcome.line).toBe(verdictLine(REPORT));
  expect(causes.map(({ clause, cases }) => ({ clause, cases }))).toEqual(
    foldFindings(REPORT).map(({ expectation, cases }) => ({ clause: expectation.clause, cases })),
  );
  expect(causes.map(({ cases, fingerprints }) => ({ cases, fingerprints }))).toEqual([
    { cases: ['a', 'b'], fingerprints: ['a', 'b'] },
    { cases: ['c'], fingerprints: ['c'] },
  ]);
});

it('The numbers of the sentence stand beside it', () => {
  const further = clause('openapi.served', { scope: 'description', verdict: 'skipped' });
  const report = conforming({ clauses: [...conforming().clauses, further] });
  const { line = '', mustClausesInLine, mustJudgedInLine, mustClauses } = addCauses(report).outcome;
  expect(line).toContain(`${mustJudgedInLine} of ${mustClausesInLine} must clauses judged`);
  expect(mustClausesInLine).toBe(mustClauses + 1);
});
