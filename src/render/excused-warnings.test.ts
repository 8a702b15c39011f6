import { describe, expect, it } from 'vitest';
import { baseline, report, WAIVED, WAIVER, waivers, warning } from '../../test/kit/excused-reports.ts';
import { clause } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { countExcused } from './excused.ts';
import { render } from './index.ts';
import { factLine } from './document/document.ts';
import { verdictFacts, verdictLine } from './verdict-line.ts';

const FAILED = clause('errors.code', { verdict: 'fail' });
const warned = (id: string) => clause(id, { level: 'should', verdict: 'warn' });

it('A warning counts also where another case could not judge its clause, as its card is shown', () => {
  const clauses = [clause('a.open', { level: 'should', verdict: 'inconclusive' })];
  const said = report([warning('auth/i', 'a.open')], 'conforms', { clauses });
  expect(verdictLine(said)).toContain('CONFORMS, WITH 1 WARNING');
});

describe('an excused warning', () => {
  const cases = [WAIVED, warning('auth/g', 'a.waived', 'waived'), warning('auth/h', 'a.known', 'known')];
  const all = [...cases, warning('auth/i', 'a.open')];
  const of = (shown: Report['cases'], more: Partial<Report> = {}) =>
    report(shown, 'conforms-but-waived', {
      waivers: waivers(WAIVER),
      baseline,
      clauses: [FAILED, ...['a.waived', 'a.known', 'a.open'].map(warned)],
      ...more,
    });

  it.each([
    [all, ['a.waived', 'a.known', 'a.open'], '3 clauses (1 waived, 1 in the baseline)'],
    [cases, ['a.waived'], '1 clause (waived)'],
    [cases, ['a.known'], '1 clause (in the baseline)'],
    [all, ['a.open'], '1 clause'],
    [[...cases, warning('auth/j', 'a.waived')], ['a.waived'], '1 clause'],
    [[...cases, warning('auth/j', 'a.other', 'waived')], ['a.waived', 'a.other'], '2 clauses (all waived)'],
  ])('is told apart in the verdict line, and is no failure that is waived: %#', (shown, ids, words) => {
    const own = shown.filter(({ expectations }) =>
      expectations.some(({ clause: id }) => ['errors.code', ...ids].includes(id)),
    );
    const said = of(own, { clauses: [FAILED, ...ids.map(warned)] });
    const line = 'CONFORMS EXCEPT FOR 1 WAIVED: 1 must clause broken';
    expect([line, `${line}; warnings: ${words}`]).toContain(verdictLine(said));
    const above = verdictFacts(said).map(factLine);
    expect([verdictLine(said), ...above].join('\n').toLowerCase()).toContain(`warnings: ${words}`);
  });

  it('is counted below the table of cases', () => {
    const waived = '1 of the broken cases is waived.';
    expect(countExcused(of(all))).toEqual([waived, '1 of the cases with warnings is waived, 1 is in the baseline.']);
    expect(countExcused(of([WAIVED, warning('auth/i', 'a.open')]))).toEqual([waived]);
  });

  it('is excused in metrics, unless another warning of its clause counts', () => {
    const isExcused = (shown: Report['cases'], id: string) =>
      new RegExp(`clause="${id}",level="should",verdict="warn",excused="true"`).test(render(of(shown), 'prometheus'));
    expect(['a.waived', 'a.known', 'a.open'].map((id) => isExcused(all, id))).toEqual([true, true, false]);
    expect(isExcused([...all, warning('auth/j', 'a.waived')], 'a.waived')).toBe(false);
  });

  it('is named for agents beside the line of its waiver, and not among the warnings', () => {
    const second = { ...WAIVER, clause: 'a.waived', line: 8 };
    const text = render(of(all, { waivers: waivers(WAIVER, second) }), 'agent');
    expect(text).toMatch(/^Waived by w\.yaml:3, 8: errors\.code, a\.waived$/m);
    expect(text).toMatch(/^In the baseline old\.json: a\.known$/m);
    expect(text).toMatch(/^Warnings, which do not fail the run: 1 cause in 1 case \(a\.open\)/m);
  });
});
