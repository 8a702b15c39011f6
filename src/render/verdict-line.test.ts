import { describe, expect, it } from 'vitest';
import { OUTCOMES, type Report } from '../report/report.ts';
import { baseline, KNOWN, NEW, report, WAIVED, WAIVER, waivers, warning } from '../../test/kit/excused-reports.ts';
import { underLoad } from '../../test/kit/load-reports.ts';
import { ENDINGS, FULL_REPORT } from '../../test/kit/reports.ts';
import { broken, clause, conforming, counts, expectation, oneCase } from '../../test/kit/sample-reports.ts';
import { render } from './index.ts';
import { coverageFact, verdictFacts, verdictLine } from './verdict-line.ts';

const UNDECIDED = { name: 'not-judged', exit: 3, mustClauses: 74, mustJudged: 3 } as const;
const unjudgedIn = (report: Report) => coverageFact(report)[0]?.text;
const notJudged = (more: Partial<Report>) => conforming({ outcome: UNDECIDED, ...more });

describe('the verdict line', () => {
  it('says how much of the contract was judged if not all of it was', () => {
    const outcome = { name: 'conforms-in-part', exit: 0, mustClauses: 74, mustJudged: 61 } as const;
    expect(verdictLine(conforming({ outcome }))).toBe('CONFORMS IN PART: 61 of 74 must clauses judged');
  });

  it('says what the must clauses need that were not judged, and counts them', () => {
    const clauses = [
      clause('a'),
      clause('b', { scope: 'extra-key', verdict: 'skipped' }),
      clause('c', { scope: 'description', verdict: 'skipped' }),
      clause('d', { scope: 'extra-key' }),
      clause('e', { scope: 'description', level: 'should', verdict: 'skipped' }),
      clause('f', { scope: 'comparison', verdict: 'skipped' }),
    ];
    const cases = [oneCase('a/b', [expectation('d')])];
    expect(verdictLine(conforming({ clauses, cases }))).toBe('CONFORMS: 75 of 77 must clauses judged, none broken');
    expect(unjudgedIn(conforming({ clauses, cases }))).toBe('of 77 must clauses, 2 need an extra key or --openapi');
    const outcome = { name: 'conforms-in-part', exit: 0, mustClauses: 74, mustJudged: 61 } as const;
    const part = conforming({ outcome, clauses: clauses.slice(0, 2) });
    expect(verdictLine(part)).toBe('CONFORMS IN PART: 61 of 75 must clauses judged');
    expect(unjudgedIn(part)).toBe('of 75 must clauses, 1 needs an extra key');
  });

  it('asks for a setting, and not for a key, where a setting is all that is missing', () => {
    const clauses = (['models', 'patience', 'budget'] as const).map((scope) =>
      clause(scope, { scope, verdict: 'skipped' }),
    );
    expect(unjudgedIn(conforming({ clauses }))).toContain(', 3 need a second --upstream-model, --budget or --patient');
  });

  it('asks for no key where the key is set and a setting that goes with it is missing', () => {
    const clauses = ['a', 'b'].map((id) => clause(id, { scope: 'extra-key', verdict: 'skipped' }));
    const lacking = (id: string, setting: 'forbidden-model' | 'limited-key') =>
      expectation(id, { verdict: 'skipped', reason: { kind: 'needs', settings: [setting] } });
    const lineWith = (...own: readonly ReturnType<typeof lacking>[]) =>
      unjudgedIn(conforming({ clauses, cases: [oneCase('a/b', own)] }));
    const forbidden = lacking('a', 'forbidden-model');
    expect(lineWith(forbidden, lacking('b', 'forbidden-model'))).toMatch(/, 2 need --forbidden-model$/);
    expect(lineWith(forbidden, lacking('b', 'limited-key'))).toMatch(/, 2 need an extra key or --forbidden-model$/);
  });

  it('asks for no setting where the clause never came up', () => {
    const idle = expectation('a', { verdict: 'skipped', reason: { kind: 'no-occasion', of: 'upstream' } });
    const clauses = [clause('a', { scope: 'models', verdict: 'skipped' })];
    expect(unjudgedIn(conforming({ clauses, cases: [oneCase('a/b', [idle])] }))).toMatch(/ clauses, 1 never came up$/);
  });

  it('says why each must clause was not judged, so that the numbers add up', () => {
    const { verdict: _none, ...unselected } = clause('x');
    const judged = ['a', 'b'].map((id) => clause(id));
    const clauses = [
      ...judged,
      clause('c', { scope: 'extra-key', verdict: 'skipped' }),
      { ...unselected, id: 'd', scope: 'extra-key' as const },
      { ...unselected, id: 'e' },
      clause('f', { verdict: 'skipped' }),
      clause('g', { verdict: 'inconclusive' }),
      clause('h', { verdict: 'skipped' }),
    ];
    const idle = { verdict: 'skipped', reason: { kind: 'no-occasion', of: 'error' } } as const;
    const untested = { verdict: 'skipped', reason: { kind: 'nothing-to-judge' } } as const;
    const cases = [oneCase('a/b', [expectation('f', idle), expectation('h', untested)])];
    const outcome = { name: 'conforms-in-part', exit: 0, mustClauses: 6, mustJudged: 2 } as const;
    expect(verdictLine(conforming({ outcome, clauses, cases }))).toBe('CONFORMS IN PART: 2 of 8 must clauses judged');
    expect(unjudgedIn(conforming({ outcome, clauses, cases }))).toBe(
      'of 8 must clauses, 1 needs an extra key; 1 had no clear answer; 1 not tested; 1 never came up; 2 not in this run',
    );
    const withG = (verdict: 'pass' | 'inconclusive', ...own: readonly ReturnType<typeof expectation>[]) =>
      unjudgedIn(
        conforming({
          outcome,
          clauses: clauses.map((each) => (each.id === 'g' ? { ...each, verdict } : each)),
          cases: [...cases, ...own.map((each, place) => oneCase(`g/${place}`, [each]))],
        }),
      );
    expect(withG('pass', expectation('g', { level: 'should' }))).toContain(
      ', 1 needs an extra key; 1 only at a lower level; 1 not tested;',
    );
    const unsure = { verdict: 'inconclusive', reason: { kind: 'not-200' } } as const;
    // A clause is judged by its own verdict, the worst of its cases.
    expect(withG('inconclusive', expectation('g'), expectation('g', unsure))).toContain(
      'of 8 must clauses, 1 needs an extra key; 1 had no clear answer; 1 not tested;',
    );
    const whole = { ...outcome, name: 'conforms', mustClauses: 2 } as const;
    expect(verdictLine(conforming({ outcome: whole, clauses: judged }))).toBe(
      'CONFORMS: all 2 must clauses judged, none broken',
    );
  });

  it('counts warnings, which do not prevent conformance', () => {
    const cases = [warning('a/b', 'a')];
    expect(verdictLine(conforming({ cases }))).toBe(
      'CONFORMS, WITH 1 WARNING: all 74 must clauses judged, none broken',
    );
    expect(render(conforming({ cases }), 'terminal', { colour: true })).toContain('\u001b[33m');
  });

  it('says that a should failed only because the run was strict', () => {
    const clauses = [clause('a', { level: 'should', verdict: 'fail' }), clause('b', { verdict: 'fail' })];
    expect(verdictLine(broken({ clauses, strict: true }))).toBe(
      'DOES NOT CONFORM: 1 must clause and 1 should clause (--strict) broken (60 of 74 must clauses judged)',
    );
  });

  it('stands alone where it lacks only how much was judged, which every format says beside it', () => {
    const failing = (level: 'must' | 'should', number: number) =>
      Array.from({ length: number }, (_, at) => clause(`${level}.${at}`, { level, verdict: 'fail' }));
    const own = broken({ clauses: [...failing('must', 10), ...failing('should', 10)], strict: true });
    expect(verdictLine(own)).toBe('DOES NOT CONFORM: 10 must clauses and 10 should clauses (--strict) broken');
    expect(verdictFacts(own)).toEqual([]);
    expect(verdictFacts({ ...own, ending: { kind: 'interrupted' } })[0]?.label).toBe('In full');
    const profile = { ...FULL_REPORT.profile, name: 'a-name-of-a-profile', version: '2026.1' };
    expect(verdictLine({ ...own, profile })).toContain(': 20 clauses broken');
    expect(verdictFacts({ ...own, profile })[0]?.label).toBe('In full');
  });

  it('counts a must clause that a suite judged as a should only as a should', () => {
    const clauses = [clause('a', { verdict: 'fail' })];
    const lineWith = (...levels: readonly ('must' | 'should')[]) => {
      const cases = levels.map((level) => oneCase(`own/${level}`, [expectation('a', { level, verdict: 'fail' })]));
      return verdictLine(broken({ clauses, cases, strict: true }));
    };
    expect(lineWith('should')).toContain(': 1 should clause (--strict) broken (60 of 74 must clauses judged)');
    expect(lineWith('should', 'must')).toContain(': 1 must clause broken (60 of 74 judged)');
  });

  it('says how many must clauses were judged beside a failure, unless all were', () => {
    const outcome = { name: 'does-not-conform', exit: 1, mustClauses: 63, mustJudged: 6 } as const;
    expect(verdictLine(broken({ outcome }))).toBe('DOES NOT CONFORM: 1 must clause broken (6 of 63 judged)');
    expect(verdictLine(broken({ outcome: { ...outcome, mustJudged: 63 } }))).toBe(
      'DOES NOT CONFORM: 1 must clause broken',
    );
    // One that needs a key counts as it does where nothing is broken.
    const clauses = [...broken().clauses, clause('k', { scope: 'extra-key', verdict: 'skipped' })];
    expect(verdictLine(broken({ outcome: { ...outcome, mustJudged: 63 }, clauses }))).toBe(
      'DOES NOT CONFORM: 1 must clause broken (63 of 64 judged)',
    );
  });

  it('keeps a failure that was found before an interrupt', () => {
    const report = broken({ ending: { kind: 'interrupted' } });
    expect(verdictLine(report)).toMatch(/^DOES NOT CONFORM: .*; ended early$/);
    expect(verdictFacts(report)).toEqual([]);
    expect(render(report, 'terminal').match(/interrupted/gi)).toHaveLength(1);
  });

  it.each([
    [{ ending: { kind: 'key-refused', status: 401 } }, 'the key was refused with 401'],
    [
      { ending: { kind: 'key-refused', status: 403, answer: { status: 403, isPage: true } } },
      'the key was answered with a web page (403)',
    ],
    [{ ending: { kind: 'budget', setting: 'max-completions' } }, 'the run reached --max-completions'],
    [{ ending: { kind: 'interrupted' } }, 'the run was interrupted'],
    [{ ending: { kind: 'recording-cut' } }, 'the recording is incomplete'],
    [{ ending: { kind: 'no-model', reason: 'empty-list' } }, 'there is no model to call'],
    [{ clauses: [clause('a', { verdict: 'inconclusive' })] }, '1 must clause'],
    [
      {
        clauses: [clause('a', { verdict: 'inconclusive' })],
        outcome: { ...UNDECIDED, undecided: { case: 'a/c', clause: 'a' } },
        cases: [
          oneCase('a/b', [expectation('a', { verdict: 'inconclusive', reason: { kind: 'control-unanswered' } })]),
          oneCase('a/c', [expectation('a', { verdict: 'inconclusive', reason: { kind: 'not-200' } })]),
        ],
      },
      '1 must clause (a/c: the status was not 200)',
    ],
    [{ outcome: { name: 'not-judged', exit: 3, mustClauses: 74, mustJudged: 0 } }, '0 of 74 must clauses judged'],
    [{ counts: { ...conforming().counts, cases: counts({ skipped: 3 }) }, cases: [oneCase('a/b', [])] }, 'no case ran'],
  ] satisfies [Partial<Report>, string][])('gives the reason if nothing was judged: %j', (more, reason) => {
    expect(verdictLine(notJudged(more))).toBe(`NOT JUDGED: ${reason}`);
  });
});

describe('no verdict line is longer than 100 characters', () => {
  const clauses = Array.from({ length: 900 }, (_, at) =>
    clause(`area.clause-with-a-long-name-${at}`, {
      level: at % 2 === 0 ? 'must' : 'should',
      verdict: (['fail', 'warn', 'inconclusive', 'skipped', 'pass'] as const)[at % 5] ?? 'pass',
    }),
  );
  const excuses = [WAIVED, KNOWN, NEW];
  const longest: Partial<Report> = {
    clauses,
    strict: true,
    baseline,
    waivers: { ...waivers({ ...WAIVER, state: 'unused' }), failOnUnused: true },
  };
  const manyChanges = Array.from({ length: 400 }, () => FULL_REPORT.profile.changes).flat();
  const profiles = [
    undefined,
    { ...FULL_REPORT.profile, name: 'p'.repeat(200), changes: manyChanges, safetyChanges: 12 },
    { ...FULL_REPORT.profile, name: 'common-servers', version: '2026.1' },
  ];
  const endings = Object.values(ENDINGS).flat();
  const bare = conforming();
  const all = OUTCOMES.flatMap((name) =>
    profiles.flatMap((profile) =>
      endings.flatMap((ending) =>
        [bare, report(excuses, name, longest), { ...underLoad(), clauses }].map((own): Report => {
          const outcome = { ...own.outcome, name, detect: { oneIn: 20, short: clauses.map(({ id }) => id) } };
          return { ...own, outcome, ending, ...(profile && { profile }) };
        }),
      ),
    ),
  );

  it('whatever is judged, by whichever profile, and however it ended', () => {
    expect(all.length).toBeGreaterThan(500);
    for (const each of all) {
      const line = verdictLine(each);
      expect.soft(line.length, line).toBeLessThanOrEqual(100);
      expect.soft(line).toMatch(/^[A-Z][A-Z ]+/);
      if (each.profile) expect.soft(line).toMatch(/v1 |common-servers|ppp/i);
      const { message } = JSON.parse(render(each, 'badge')) as { message: string };
      expect.soft(message.length, message).toBeLessThanOrEqual(100);
    }
  });

  it('and the title of a page and the first line for an agent neither', () => {
    for (const each of all.filter((_, at) => at % 40 === 0)) {
      const [, title = ''] = /<title>(.*?)<\/title>/.exec(render({ ...each, clauses: [] }, 'html')) ?? [];
      expect.soft(title.replace(' (wirecheck)', '').length, title).toBeLessThanOrEqual(100);
      const [first = ''] = render(each, 'agent').split('\n');
      expect.soft(first.length, first).toBeLessThanOrEqual(100);
    }
  });
});
