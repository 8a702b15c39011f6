import { describe, expect, it } from 'vitest';
import { reportOf } from '../../test/kit/fold-reports.ts';
import { expectation, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { FORMAT_NAMES } from '../settings/format-names.ts';
import { formatFinding } from './finding-text.ts';
import { membersOf } from './excused.ts';
import type { ExpectationReport } from '../report/report.ts';
import { foldFindings } from './fold.ts';
import { render } from './index.ts';

describe('answers that show the same and could not be judged', () => {
  const CLAUSE = 'errors.no-server-error';
  const open = (id: string, parts: Partial<ExpectationReport>, clause = CLAUSE) =>
    oneCase(id, [expectation(clause, { verdict: 'inconclusive', ...parts })], { exchange: id });
  const unanswered = (status: number) => ({ reason: { kind: 'control-unanswered', answer: { status } } }) as const;
  const withOpen = (...cases: Report['cases']): Report => {
    const report = reportOf({ id: 'chat' });
    return { ...report, cases: [...report.cases, ...cases] };
  };
  const alsoIn = (report: Report) => foldFindings(report).map((entry) => formatFinding(report, entry).also);

  it('are counted beside those that were', () => {
    expect(alsoIn(withOpen(open('a/b', unanswered(500))))).toEqual(['500 in 1 more case that could not be judged']);
    const unbased = { reason: { kind: 'basis-unanswered', answer: { status: 500 } } } as const;
    expect(alsoIn(withOpen(open('a/b', unanswered(500)), open('a/c', unbased)))).toEqual([
      '500 in 2 more cases that could not be judged',
    ]);
  });

  it.each([
    ['of another status', open('a/b', unanswered(503))],
    ['for another clause', open('a/b', unanswered(500), 'errors.code')],
    ['without an answer', open('a/b', { reason: { kind: 'control-unanswered' } })],
    ['that were judged', open('a/b', { verdict: 'pass' })],
  ])('are not those %s', (_, testCase) => {
    expect(alsoIn(withOpen(testCase))).toEqual([undefined]);
  });

  it('belong to the cause, and not to each of its cases', () => {
    const report = withOpen(open('a/b', unanswered(500)));
    const [place] = report.cases.flatMap(membersOf);
    expect(place && formatFinding(report, place).also).toBeUndefined();
  });

  it.each(FORMAT_NAMES.filter((format) => !['json', 'badge', 'prometheus'].includes(format)))(
    'stand in %s',
    (format) => {
      const text = render(withOpen(open('a/b', unanswered(500))), format);
      expect(text.replaceAll(/\s+/g, ' ')).toContain('500 in 1 more case that could not be judged');
    },
  );
});
