import { describe, expect, it } from 'vitest';
import { broken, clause, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { statesOf } from './clause-states.ts';
import { render } from './index.ts';
import { countClauses, groupSkippedBeside, groupUnjudged, leftOutByReason } from './unjudged.ts';

const needs = (...settings: readonly ('openapi' | 'exhausted-key' | 'limited-key')[]) =>
  ({ verdict: 'skipped', reason: { kind: 'needs', settings } }) as const;
const idle = { verdict: 'skipped', reason: { kind: 'no-occasion', of: 'error' } } as const;
const skipped = { verdict: 'skipped' } as const;

/** No case has them. */
const UNTESTED = ['a.none', 'a.outside'];

const report = broken({
  clauses: [
    clause('a.two-keys', { ...skipped, scope: 'extra-key' }),
    clause('a.idle', skipped),
    clause('a.both', { ...skipped, scope: 'description' }),
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

const shadesOf = (own: Report) => Object.fromEntries([...statesOf(own)].map(([id, { shade }]) => [id, shade]));

describe('clauses that were not judged', () => {
  it('were not tested if a setting is missing, and had no occasion if that is the only reason', () => {
    expect(shadesOf(report)).toEqual({
      'a.two-keys': 'skipped',
      'a.idle': 'idle',
      'a.both': 'skipped',
      'a.judged': 'pass',
      'a.unsure': 'inconclusive',
      'a.none': 'none',
      'a.outside': 'outside',
    });
  });

  it('are not in this run if they need no setting and only a case with an extra key was selected', () => {
    const own = broken({
      clauses: [
        clause('a.usual', skipped),
        clause('a.own', { ...skipped, part: '-' }),
        clause('a.open', { ...skipped, level: 'observe' }),
      ],
      cases: [
        oneCase(
          'x/one',
          ['a.usual', 'a.own', 'a.open'].map((id) => expectation(id, needs('exhausted-key'))),
        ),
        oneCase('x/two', [expectation('a.own', needs('openapi'))]),
      ],
    });
    expect(shadesOf(own)).toEqual({
      'a.usual': 'none',
      'a.own': 'skipped',
      'a.open': 'skipped',
    });
    const [group, ...others] = groupUnjudged(own, 'skipped');
    expect(group?.clauses.map(({ clause: { id } }) => id)).toEqual(['a.own', 'a.open']);
    expect(others).toEqual([]);
  });

  it('need a run of the target alone for an extra key, where several targets were checked', () => {
    const fleet = { ...report, target: { ...report.target, name: 'production' } };
    const remedies = ['set WIRECHECK_EXHAUSTED_KEY, in a run of this target alone', 'pass --openapi'];
    expect(groupUnjudged(fleet, 'skipped').map(({ remedy }) => remedy)).toEqual(remedies);
    expect(render(fleet, 'junit')).toContain('not tested: set WIRECHECK_LIMITED_KEY, in a run of this target alone');
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
    expect(countClauses(groups)).toBe('2 clauses');
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
    expect(groupSkippedBeside({ ...report, cases })).toEqual([
      { reason: 'not tested: pass --openapi', cases: ['x/five'] },
    ]);
    expect(groupSkippedBeside(report)).toEqual([]);
  });

  it('are told from those that were inconclusive in some cases and decided by others', () => {
    const decidedBy = (own: typeof report) =>
      groupUnjudged(own, 'inconclusive').flatMap(({ clauses }) => clauses.map((each) => each.decidedBy));
    expect(decidedBy(report)).toEqual([0]);
    const decided = { ...report, cases: [...report.cases, oneCase('x/five', [expectation('a.unsure')])] };
    expect(decidedBy(decided)).toEqual([1]);
    const [text, before] = [decided, report].map((each) => render(each, 'summary'));
    expect(before).toMatch(/^- 1 clause: inconclusive: no answer was an error$/m);
    expect(text).toMatch(/^- 1 clause: inconclusive: no answer was an error \(only in some cases\)$/m);
    for (const each of [text, before]) expect(each).toMatch(/^1 of 7 clauses were judged or recorded\. The other 6:$/m);
    expect(render(decided, 'html')).toContain('(decided by 1 other case)');
    expect(render(report, 'html')).not.toContain('(decided by');
  });

  it('are as many in the terminal and in Markdown as in HTML, also if another clause of the case is broken', () => {
    const unsure = expectation('a.unsure', { verdict: 'inconclusive', reason: { kind: 'not-200' } });
    const inBroken = oneCase('x/six', [expectation('a.broken', { verdict: 'fail' }), unsure]);
    const own = { ...report, clauses: [...report.clauses, clause('a.broken', { verdict: 'fail' })], cases: [inBroken] };
    const terminal = render(own, 'terminal');
    expect(terminal).toContain(
      'Not judged (inconclusive): 1 clause in 1 case\n  ? the status was not 200 (1 case)\n    x/six\n',
    );
    expect(render(own, 'markdown')).toContain('<summary>Not judged (inconclusive): 1 clause in 1 case</summary>');
    expect(render(own, 'html')).toContain(
      'tabindex="-1">Not judged: inconclusive <span class="count" data-count>1</span>',
    );
    for (const text of [terminal, render(own, 'markdown')])
      expect(text).toContain('Each case counts once, by its worst verdict.');
    // A clause that is broken elsewhere is counted as that.
    const broken = { ...own, clauses: own.clauses.map((each) => ({ ...each, verdict: 'fail' as const })) };
    expect(render(broken, 'terminal')).not.toContain('inconclusive');
    const alone = { ...broken, cases: [inBroken, oneCase('x/seven', [unsure])] };
    expect(render(alone, 'terminal')).toContain(
      'Not judged (inconclusive): 1 case\n  ? the status was not 200 (1 case)\n    x/seven\n',
    );
  });
});
