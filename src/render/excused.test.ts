import { describe, expect, it } from 'vitest';
import { baseline, failing, NEW, report, KNOWN, WAIVED, WAIVER, waivers } from '../../test/kit/excused-reports.ts';
import { fullyExcusedClauses, formatExcuse, countExcused, excusedClauses } from './excused.ts';
import { foldFindings } from './fold.ts';
import { render } from './index.ts';
import { FORMAT_NAMES } from '../settings/format-names.ts';
import { broken, clause, conforming, expectation, finding, oneCase } from '../../test/kit/sample-reports.ts';
import { verdictFacts, verdictLine } from './verdict-line.ts';

describe('the verdict line', () => {
  it('says that the gateway conforms except for waived findings', () => {
    const waived = report([WAIVED], 'conforms-but-waived', { waivers: waivers(WAIVER) });
    expect(verdictLine(waived)).toBe('CONFORMS EXCEPT FOR 1 WAIVED: 1 must clause broken');
  });

  it('says how much was judged if not everything was', () => {
    const outcome = { name: 'conforms-but-waived', exit: 0, mustClauses: 74, mustJudged: 61 } as const;
    expect(verdictLine(report([WAIVED], 'conforms-but-waived', { outcome }))).toMatch(
      /; 61 of 74 must clauses judged$/,
    );
  });

  it('says that nothing is new, and the date of the baseline', () => {
    expect(verdictLine(report([KNOWN], 'no-new-violations', { baseline }))).toBe(
      'NO NEW VIOLATIONS: 1 known since 2030-03-01 (1 must clause broken)',
    );
    expect(verdictLine(report([KNOWN, WAIVED], 'no-new-violations', { baseline }))).toBe(
      'NO NEW VIOLATIONS: 1 known since 2030-03-01, 1 waived (2 must clauses broken)',
    );
  });

  it('counts only unexcused failures, and names the rest', () => {
    expect(verdictLine(report([NEW, KNOWN, WAIVED], 'does-not-conform', { baseline }))).toBe(
      'DOES NOT CONFORM: 1 must clause broken; not counted: 1 in the baseline, 1 waived',
    );
  });

  it('hides nothing if a clause is waived in one case and counts, or is in the baseline, in another', () => {
    const waived = failing('auth/d', 'errors.message', 'waived', { waiver: 1 });
    expect(verdictLine(report([NEW, waived], 'does-not-conform', { baseline }))).toBe(
      'DOES NOT CONFORM: 1 must clause broken; not counted: 1 waived',
    );
    const both = [KNOWN, failing('auth/d', 'errors.object', 'waived', { waiver: 1 })];
    expect(verdictLine(report(both, 'no-new-violations', { baseline }))).toBe(
      'NO NEW VIOLATIONS: 1 known since 2030-03-01, 1 waived (1 must clause broken)',
    );
  });

  it('hides nothing if one finding of an expectation is waived and another is in the baseline', () => {
    const findings = [finding({ waiver: 1 }), finding({ since: 'known', fingerprint: 'f'.repeat(16) })];
    const mixed = oneCase('auth/a', [expectation('errors.code', { verdict: 'fail', excused: 'known', findings })]);
    expect(verdictLine(report([mixed], 'no-new-violations', { baseline }))).toBe(
      'NO NEW VIOLATIONS: 1 known since 2030-03-01, 1 waived (1 must clause broken)',
    );
  });

  it('covers a run with waived findings, baseline findings and a partial verdict', () => {
    const outcome = { name: 'no-new-violations', exit: 0, mustClauses: 74, mustJudged: 61 } as const;
    expect(verdictLine(report([KNOWN, WAIVED], 'no-new-violations', { baseline, outcome }))).toBe(
      'NO NEW VIOLATIONS: 1 known since 2030-03-01, 1 waived; 61 of 74 must clauses judged',
    );
  });

  it('names excused findings if the rest was not judged', () => {
    const outcome = { name: 'not-judged', exit: 3, mustClauses: 74, mustJudged: 61 } as const;
    const clauses = [clause('a', { verdict: 'inconclusive' })];
    expect(verdictLine(report([KNOWN, WAIVED], 'not-judged', { baseline, outcome, clauses }))).toBe(
      'NOT JUDGED: 1 must clause; not counted: 1 known since 2030-03-01, 1 waived',
    );
  });

  it('says that an unused waiver fails the run', () => {
    const stale = { ...waivers({ ...WAIVER, state: 'unused' }), failOnUnused: true };
    const outcome = { name: 'unused-waivers', exit: 1, mustClauses: 74, mustJudged: 61 } as const;
    const line = 'UNUSED WAIVERS: 1 (--fail-on-unused-waivers); nothing else failed';
    expect(verdictLine(conforming({ waivers: stale, outcome }))).toBe(line);
    for (const format of ['terminal', 'markdown', 'html', 'github', 'sarif'] as const) {
      const text = render(conforming({ waivers: stale, outcome }), format);
      expect([format, text.includes('UNUSED WAIVERS')]).toEqual([format, true]);
      expect([format, text.includes('nothing else failed')]).toEqual([format, true]);
    }
    expect(verdictLine(report([WAIVED], 'unused-waivers', { waivers: stale, outcome }))).toBe(
      `${line}; not counted: 1 waived`,
    );
    const cases = [oneCase('a/b', [expectation('a', { verdict: 'inconclusive', reason: { kind: 'not-200' } })])];
    const clauses = [clause('a', { verdict: 'inconclusive' })];
    const open = { ...outcome, undecided: { case: 'a/b', clause: 'a' } };
    const undecided = conforming({ waivers: stale, outcome: open, cases, clauses });
    expect(verdictLine(undecided)).toBe(line);
    expect(verdictFacts(undecided)).toContainEqual({
      label: 'Not judged',
      text: '1 must clause (a/b: the status was not 200)',
    });
    expect(verdictLine(broken({ waivers: stale }))).toMatch(/^DOES NOT CONFORM: .*; unused waivers: 1$/);
  });
});

describe('an excused finding', () => {
  it('is separate from those that count, by clause and by case', () => {
    const all = report(
      [NEW, KNOWN, WAIVED, failing('auth/d', 'errors.message', 'waived', { waiver: 1 })],
      'does-not-conform',
    );
    expect(excusedClauses(all, 'waived', 'fail')).toEqual(['errors.code', 'errors.message']);
    expect(fullyExcusedClauses(all, 'fail')).toEqual(['errors.object', 'errors.code']);
    expect(excusedClauses(all, 'known', 'fail')).toEqual(['errors.object']);
    expect(countExcused(all)).toEqual(['2 of the broken cases are waived, 1 is in the baseline.']);
    expect(countExcused(report([NEW, KNOWN], 'does-not-conform'))).toEqual([
      '1 of the broken cases is in the baseline.',
    ]);
    expect(countExcused(report([NEW], 'does-not-conform'))).toEqual([]);
  });

  it('never shares an entry with one that counts', () => {
    const cases = [WAIVED, failing('auth/e', 'errors.code', undefined, {})];
    const entries = foldFindings(report(cases, 'does-not-conform'));
    expect(entries.map(({ excused, cases: ids }) => [excused, ids])).toEqual([
      ['waived', ['auth/a']],
      [undefined, ['auth/e']],
    ]);
  });

  it.each([
    [WAIVED, 'waived until 2030-12-31 by gateway team: Codes are numbers until 2.4. (https://tracker.example/42)'],
    [KNOWN, 'already in the baseline of 2030-03-01'],
    [NEW, 'new since 2030-03-01'],
    [
      failing('auth/f', 'errors.code', undefined, { since: 'new-case' }),
      'new case or expectation: the baseline did not have it',
    ],
    [
      failing('auth/f', 'errors.code', undefined, { since: 'not-asked' }),
      'not judged in the baseline, so it may be older',
    ],
    [failing('auth/f', 'errors.code', undefined, {}), undefined],
  ])('has its reason: %#', (testCase, words) => {
    const [entry] = foldFindings(report([testCase], 'does-not-conform', { waivers: waivers(WAIVER), baseline }));
    expect(
      entry && formatExcuse(report([testCase], 'does-not-conform', { waivers: waivers(WAIVER), baseline }), entry),
    ).toBe(words);
  });

  it('names the date and the place of an announcement', () => {
    const { until: _, link: __, ...rest } = WAIVER;
    const announced = { ...rest, announced: { date: '2030-06-01', link: 'https://gateway.example/changelog' } };
    const text = render(report([WAIVED], 'conforms-but-waived', { waivers: waivers(announced) }), 'terminal', {
      width: 120,
    });
    expect(text).toContain('removal announced for 2030-06-01 by gateway team: Codes are numbers until 2.4.');
    expect(text).toContain('https://gateway.example/changelog');
  });
});

describe('every format', () => {
  it.each(FORMAT_NAMES)('%s shows waived findings and baseline findings', (format) => {
    const all = report([WAIVED, KNOWN], 'no-new-violations', { waivers: waivers(WAIVER), baseline });
    const text = render(all, format);
    const shown = format === 'badge' ? ['no new violations'] : ['errors.code', 'errors.object'];
    for (const words of shown) expect(text).toContain(words);
  });
});

describe('every format for findings', () => {
  const NEW_CASE = failing('auth/f', 'errors.code', undefined, { since: 'new-case' });
  const shown = FORMAT_NAMES.filter((format) => !['json', 'badge', 'prometheus'].includes(format));

  it.each(shown)('%s says why a finding is new', (format) => {
    const text = render(report([NEW_CASE], 'does-not-conform', { baseline }), format);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('new case or expectation');
  });
});

describe('the terminal', () => {
  const excused = report([NEW, KNOWN, WAIVED], 'does-not-conform', { waivers: waivers(WAIVER), baseline });

  it('shows waived and baseline findings in short, separate from failures', () => {
    const text = render(excused, 'terminal', { width: 120 });
    expect(text).toMatch(
      /Waived: 1 cause in 1 case; --verbose has the evidence\n\n~ auth\/a[^]*In the baseline of 2030-03-01: 1 cause in 1 case; --verbose has the evidence\n\n~ auth\/b[^]*Broken: 1 cause in 1 case\n\n✗ auth\/c/,
    );
    const [folded = '', counted = ''] = text.split('Broken: ');
    expect(folded).toMatch(/^ +Requirement .* \(errors\.code\)$/m);
    expect(folded).not.toMatch(/^ +(?:Expected|Actual|Repeat|Explain) /m);
    expect(counted).toMatch(/^ +Expected /m);
    expect(text).toContain('  Waiver       waived until 2030-12-31 by gateway team: Codes are numbers until 2.4.');
    expect(text).toContain('  Baseline     new since 2030-03-01');
  });

  it('shows their evidence with --verbose', () => {
    const text = render(excused, 'terminal', { width: 120, detail: 'verbose' });
    expect(text).toMatch(/Waived: 1 cause in 1 case\n\n~ auth\/a[^]*Expected[^]*In the baseline of/);
  });

  it('shows fixed findings, and those that this run could not check', () => {
    const older = (id: string) => ({ case: id, clause: 'errors.code', fingerprint: id });
    const now = conforming({
      baseline: { ...baseline, fixed: [older('auth/a'), older('auth/b')], notJudged: [older('auth/c')] },
    });
    const text = render(now, 'terminal');
    expect(text).toContain('Fixed since 2030-03-01: 2 cases\n  ✓ errors.code in auth/a, auth/b\n');
    expect(text).toContain('In the baseline, but not judged in this run: 1 case\n  ? errors.code in auth/c\n');
  });

  it('makes all text from waivers and baselines inert', () => {
    const nasty = '\u001b[2J\u202e';
    const hostile = { ...WAIVER, reason: nasty, owner: nasty, link: nasty };
    const all = report([WAIVED, KNOWN], 'no-new-violations', {
      waivers: waivers(hostile),
      baseline: { ...baseline, fixed: [{ case: nasty, clause: nasty, fingerprint: nasty }] },
    });
    // oxlint-disable-next-line no-control-regex -- colours are control sequences
    expect(render(all, 'terminal', { detail: 'verbose' })).not.toMatch(/[\u001b\u202e]/);
  });

  it('does not change a report without waivers and baseline', () => {
    expect(render(broken(), 'terminal')).not.toMatch(/Excuse|Baseline|Waived|Fixed/);
  });
});
