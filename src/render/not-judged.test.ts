import { describe, expect, it } from 'vitest';
import { broken, clause, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { statesOf } from './clause-states.ts';
import type { Shade } from './looks.ts';
import type { Reason, ReasonPhrase } from '../verdict/reason.ts';
import { render } from './index.ts';
import { countClauses, countUnjudged, groupUnjudged } from './unjudged.ts';

const needs = (...settings: readonly ('openapi' | 'exhausted-key' | 'limited-key')[]) =>
  ({ verdict: 'skipped', reason: { kind: 'needs', settings } }) as const;
const idle = { verdict: 'skipped', reason: { kind: 'no-occasion', of: 'error' } } as const;
const skipped = { verdict: 'skipped' } as const;

/** No case has them. */
const UNTESTED = ['a.none', 'a.outside'];

const report = broken({
  outcome: { ...broken().outcome, mustClauses: 5, mustJudged: 1 },
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

const groupsOf = (own: Report, shade: Shade) => groupUnjudged(own).filter((group) => group.shade === shade);
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
    const [group, ...others] = groupsOf(own, 'skipped');
    expect(group?.clauses.map(({ clause: { id } }) => id)).toEqual(['a.own', 'a.open']);
    expect(others).toEqual([]);
  });

  it('were recorded if some case recorded them, whatever the others had', () => {
    const unsure = { verdict: 'inconclusive', reason: { kind: 'no-occasion', of: 'error' } } as const;
    const open = { verdict: 'inconclusive', level: 'observe' } as const;
    const own = broken({
      clauses: [clause('a.recorded', open), clause('a.never', open)],
      cases: [
        oneCase('x/one', [expectation('a.recorded', unsure), expectation('a.never', unsure)]),
        oneCase('x/two', [expectation('a.recorded', { verdict: 'observed' })]),
      ],
    });
    expect(shadesOf(own)).toEqual({ 'a.recorded': 'observed', 'a.never': 'inconclusive' });
  });

  it('need a run of the target alone for an extra key, where several targets were checked', () => {
    const fleet = { ...report, target: { ...report.target, name: 'production' } };
    const remedies = ['set WIRECHECK_EXHAUSTED_KEY, in a run of this target alone', 'pass --openapi'];
    expect(groupsOf(fleet, 'skipped').map(({ reason }) => reason)).toEqual(remedies);
    expect(render(fleet, 'junit')).toContain('not tested: set WIRECHECK_LIMITED_KEY, in a run of this target alone');
  });

  it('are in one group each, with other settings that would do, and as many as the terminal counts', () => {
    const groups = groupsOf(report, 'skipped');
    const found = groups.map(({ reason, clauses }) => [
      reason,
      clauses.map(({ clause: { id }, others }) => [id, others]),
    ]);
    expect(found).toEqual([
      ['set WIRECHECK_EXHAUSTED_KEY', [['a.two-keys', ['set WIRECHECK_LIMITED_KEY']]]],
      ['pass --openapi', [['a.both', []]]],
    ]);
    expect(countClauses(groups)).toBe(2);
    expect(
      groupsOf(report, 'idle').flatMap(({ clauses }) => clauses.map(({ clause: { id }, why }) => [id, why])),
    ).toEqual([['a.idle', 'no answer was an error']]);
    expect(groupsOf(report, 'inconclusive')).toHaveLength(1);
  });

  it('are one block, whose total is that of the page and of the table, and which says each reason once', () => {
    const text = render(report, 'terminal');
    expect(text).toContain(
      [
        'Not judged: 6 of 7 clauses (6 of 7 must), 4 of 4 cases',
        '  ? no answer was an error (1 clause, 1 must, 1 case)',
        '  - set WIRECHECK_EXHAUSTED_KEY (1 clause, 1 must)',
        '  - pass --openapi (1 clause, 1 must)',
        '  - no case of this run tests them (1 clause, 1 must)',
        '  - never came up in this run (1 clause, 1 must)',
        '  - cannot be seen over the wire (1 clause, 1 must)',
        '',
      ].join('\n'),
    );
    expect(text.match(/not judged/gi)).toHaveLength(2);
    const page = render(report, 'html');
    expect(page).toMatch(/at=unjudged"[^]*?<strong>6<\/strong> not judged/);
    expect(page).toContain('Not judged <span class="count" data-count>6<');
    expect(render(report, 'summary')).toContain('\n### Not judged\n\n6 of 7 clauses (6 of 7 must), 4 of 4 cases.\n');
    expect(render(report, 'terminal', { detail: 'verbose' })).toContain('(1 clause, 1 must)\n    x/one, x/two\n');
  });

  it('do not hide the cases without a verdict whose clauses other cases judged', () => {
    const skippedCase = oneCase('x/five', [expectation('a.judged', needs('exhausted-key'))]);
    const unsureCase = oneCase('x/six', [
      expectation('a.judged', { verdict: 'inconclusive', reason: { kind: 'not-200' } }),
    ]);
    const own = { ...report, cases: [...report.cases, skippedCase, unsureCase] };
    expect(countUnjudged(own)).toBe('6 of 7 clauses (6 of 7 must), 6 of 6 cases');
    expect(render(own, 'terminal')).toContain('\n  ? the status was not 200 (1 case)\n');
    // The clause of x/one has the same reason.
    expect(groupsOf(own, 'skipped')[0]?.cases).toEqual(['x/one', 'x/two', 'x/five']);
    const alone = broken({ clauses: [clause('a.judged')], cases: [skippedCase] });
    expect(render(alone, 'terminal')).toContain(
      'Not judged: 1 of 1 case\n  - other cases judged their clauses (1 case)\n',
    );
  });

  it('are told from those that had no clear answer in some cases and were decided by others', () => {
    const decidedBy = (own: typeof report) =>
      groupsOf(own, 'inconclusive').flatMap(({ clauses }) => clauses.map((each) => each.decidedBy));
    expect(decidedBy(report)).toEqual([0]);
    const decided = { ...report, cases: [...report.cases, oneCase('x/five', [expectation('a.unsure')])] };
    expect(decidedBy(decided)).toEqual([1]);
    expect(render(decided, 'html')).toContain('(decided by 1 other case)');
    expect(render(report, 'html')).not.toContain('(decided by');
  });

  it('have one line for the reasons beyond the eighth, which names them', () => {
    const kinds = [
      'not-200',
      'not-json',
      'no-list',
      'no-key',
      'api-silent',
      'no-stream',
      'no-text',
      'no-stop',
    ] as const;
    const linesOf = (all: readonly ReasonPhrase[]) => {
      const asked = all.map((kind) =>
        expectation(`a.${kind}`, { verdict: 'inconclusive', reason: { kind } as Reason }),
      );
      const clauses = asked.map(({ clause: id }) => clause(id, { verdict: 'inconclusive' }));
      return render(broken({ clauses, cases: asked.map((each) => oneCase(`x/${each.clause}`, [each])) }), 'terminal');
    };
    expect(linesOf(kinds)).not.toContain('(2 clauses');
    const text = linesOf([...kinds, 'few-pieces', 'no-request']);
    expect(text).toMatch(/; the\s+client sent no request of this kind \(2 clauses, 2 must, 2 cases\)\n/);
  });
});
