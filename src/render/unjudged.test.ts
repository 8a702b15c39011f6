import { describe, expect, it } from 'vitest';
import { broken, clause, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import { countNotTested, leftOutByReason, notTestedByRemedy } from './left-out.ts';
import { render } from './index.ts';
import { groupSkippedBeside, groupUnjudged, shadesOfClauses } from './unjudged.ts';

const needs = (...settings: readonly ('openapi' | 'exhausted-key' | 'limited-key')[]) =>
  ({ verdict: 'skipped', reason: { kind: 'needs', settings } }) as const;
const idle = { verdict: 'skipped', reason: { kind: 'no-occasion', of: 'error' } } as const;
const skipped = { verdict: 'skipped' } as const;

/** No case has them. */
const UNTESTED = ['a.none', 'a.outside'];

const report = broken({
  clauses: [
    clause('a.two-keys', skipped),
    clause('a.idle', skipped),
    clause('a.both', skipped),
    clause('a.judged'),
    clause('a.unsure', { verdict: 'inconclusive' }),
    clause('a.none'),
    clause('a.outside', { kind: 'outside' }),
  ].map(({ verdict, ...rest }) => (UNTESTED.includes(rest.id) ? rest : { ...rest, ...(verdict && { verdict }) })),
  cases: [
    oneCase('x/one', [expectation('a.two-keys', needs('exhausted-key')), expectation('a.judged', needs('openapi'))]),
    oneCase('x/two', [expectation('a.two-keys', needs('limited-key')), expectation('a.idle', idle)]),
    oneCase('x/three', [expectation('a.both', idle), expectation('a.judged')]),
    oneCase('x/four', [
      expectation('a.both', needs('openapi')),
      expectation('a.unsure', { verdict: 'inconclusive', reason: { kind: 'no-occasion', of: 'error' } }),
    ]),
  ],
});

describe('clauses that were not judged', () => {
  it('were not tested if a setting is missing, and had no occasion if that is the only reason', () => {
    expect(Object.fromEntries(shadesOfClauses(report))).toEqual({
      'a.two-keys': 'skipped',
      'a.idle': 'idle',
      'a.both': 'skipped',
      'a.judged': 'pass',
      'a.unsure': 'inconclusive',
      'a.none': 'none',
      'a.outside': 'outside',
    });
  });

  it('are in one group each, with other settings that would do, and as many as the terminal counts', () => {
    const groups = groupUnjudged(report, 'skipped');
    const found = groups.map(({ remedy, clauses }) => [
      remedy,
      clauses.map(({ clause: { id }, others }) => [id, others]),
    ]);
    expect(found).toEqual([
      ['set WIRECHECK_EXHAUSTED_KEY', [['a.two-keys', ['set WIRECHECK_LIMITED_KEY']]]],
      ['pass --openapi', [['a.both', []]]],
    ]);
    const listed = notTestedByRemedy(report);
    expect(countNotTested(listed)).toBe('2 clauses');
    expect(listed.map(({ remedy, clauses }) => [remedy, clauses])).toEqual([
      ['set WIRECHECK_EXHAUSTED_KEY', ['a.two-keys']],
      ['pass --openapi', ['a.both']],
    ]);
    expect(groupUnjudged(report, 'idle').flatMap(({ clauses }) => clauses.map(({ clause: { id } }) => id))).toEqual([
      'a.idle',
    ]);
    expect(groupUnjudged(report, 'inconclusive')).toHaveLength(1);
  });

  it('leave a case with several reasons in one place, under all of them', () => {
    expect(leftOutByReason(report, 'skipped')).toEqual([
      { reason: 'not tested: set WIRECHECK_EXHAUSTED_KEY; not tested: pass --openapi', cases: ['x/one'] },
      { reason: 'not tested: pass --openapi', cases: ['x/four'] },
      { reason: 'not tested: set WIRECHECK_LIMITED_KEY; no answer was an error', cases: ['x/two'] },
      { reason: 'no answer was an error', cases: ['x/three'] },
    ]);
  });

  it('do not hide the cases that were skipped beside them', () => {
    const besides = oneCase('x/five', [expectation('a.judged', needs('openapi')), expectation('a.both', idle)]);
    const cases = [...report.cases, besides];
    // Nothing judged another clause of x/one.
    expect(groupSkippedBeside({ ...report, cases })).toEqual([['not tested: pass --openapi', ['x/five']]]);
    expect(groupSkippedBeside(report)).toEqual([]);
  });

  it('are told from those that were inconclusive in some cases and decided by others', () => {
    const decidedBy = (own: typeof report) =>
      groupUnjudged(own, 'inconclusive').flatMap(({ clauses }) => clauses.map((each) => each.decidedBy));
    expect(decidedBy(report)).toEqual([0]);
    const decided = { ...report, cases: [...report.cases, oneCase('x/five', [expectation('a.unsure')])] };
    expect(decidedBy(decided)).toEqual([1]);
    const [text, before] = [decided, report].map((each) => render(each, 'summary'));
    expect(before).toContain('- 1 clause: inconclusive: ');
    expect(text).not.toContain('inconclusive: ');
    expect(text).toMatch(
      /^2 of 7 clauses were judged or observed \(1 of them inconclusive in some cases\)\. The other 5:$/m,
    );
    expect(render(decided, 'html')).toContain('(decided by 1 other case)');
    expect(render(report, 'html')).not.toContain('(decided by');
  });
});
