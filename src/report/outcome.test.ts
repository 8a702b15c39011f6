import { describe, expect, it } from 'vitest';
import type { Clause, Level } from '../contract/contract.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Verdict, VerdictName } from '../verdict/verdict.ts';
import { findRoot, runOutcome } from './outcome.ts';
import { ENDINGS } from '../../test/kit/reports.ts';
import { expectation, oneCase } from '../../test/kit/sample-reports.ts';

const clause = (id: string, level: Clause['level'] = 'must', scope: Clause['scope'] = 'run'): Clause => ({
  id,
  part: '1',
  kind: 'stated',
  level,
  scope,
  summary: 's',
});

const CLAUSES = [
  clause('a'),
  clause('b'),
  clause('extra', 'must', 'extra-key'),
  clause('two', 'must', 'comparison'),
  clause('s', 'should'),
  clause('o', 'observe'),
  clause('out', 'none'),
];

const LEVELS: Readonly<Record<string, Level>> = { a: 'must', b: 'must', extra: 'must', s: 'should', o: 'observe' };

function verdict(id: string, name: VerdictName, level: Level = LEVELS[id] ?? 'must'): Verdict {
  return {
    case: `own/${id}`,
    clause: id,
    kind: 'stated',
    level,
    check: 'it',
    verdict: name,
    flaky: false,
    findings: [],
    observations: [],
    exchanges: [],
  };
}

const PASSED = [verdict('a', 'pass'), verdict('b', 'pass')];

interface Parts {
  readonly ending?: Ending;
  readonly strict?: boolean;
  readonly staleWaiver?: boolean;
}

const outcome = (
  verdicts: readonly Verdict[],
  { ending = ENDINGS.complete, strict = false, staleWaiver = false }: Parts = {},
) => runOutcome({ verdicts, clauses: CLAUSES, ending, strict, staleWaiver });

describe('the exit code', () => {
  it('is 0 if no must failed or is inconclusive, and something ran', () => {
    expect(
      outcome([...PASSED, verdict('s', 'warn'), verdict('s', 'inconclusive'), verdict('extra', 'skipped')]),
    ).toMatchObject({ name: 'conforms', exit: 0 });
  });

  it('is 1 if a must failed, or a should with --strict', () => {
    expect(outcome([...PASSED, verdict('a', 'fail')])).toMatchObject({ name: 'does-not-conform', exit: 1 });
    // What --strict makes of a should has been decided before: it is a fail.
    expect(outcome([...PASSED, verdict('s', 'fail')], { strict: true })).toMatchObject({
      name: 'does-not-conform',
      exit: 1,
    });
    expect(outcome([...PASSED, verdict('s', 'warn')])).toMatchObject({ exit: 0 });
  });

  it('is 3 if a must is inconclusive, or a should with --strict', () => {
    expect(outcome([...PASSED, verdict('b', 'inconclusive')])).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(outcome([...PASSED, verdict('s', 'inconclusive')], { strict: true })).toMatchObject({
      name: 'not-judged',
      exit: 3,
    });
    expect(outcome([...PASSED, verdict('o', 'inconclusive')], { strict: true })).toMatchObject({ exit: 0 });
  });

  it.each(Object.values(ENDINGS).filter(({ kind }) => kind !== 'complete' && kind !== 'interrupted'))(
    'is 3 if the run ended early without a failure: $kind',
    (ending) => {
      expect(outcome(PASSED, { ending })).toMatchObject({ name: 'not-judged', exit: 3 });
    },
  );

  it('is 130 for an interrupt, whatever was found', () => {
    expect(outcome(PASSED, { ending: ENDINGS.interrupted })).toMatchObject({ name: 'not-judged', exit: 130 });
    expect(outcome([verdict('a', 'fail')], { ending: ENDINGS.interrupted })).toMatchObject({
      name: 'does-not-conform',
      exit: 130,
    });
  });

  it('prefers a failure over inconclusive cases and over every early end except an interrupt', () => {
    const verdicts = [verdict('a', 'fail'), verdict('b', 'inconclusive')];
    for (const ending of Object.values(ENDINGS)) {
      expect(outcome(verdicts, { ending }).exit).toBe(ending.kind === 'interrupted' ? 130 : 1);
    }
  });

  it('is 1 for unused waivers, if the user asked for it and nothing failed', () => {
    const stale = { staleWaiver: true };
    expect(outcome(PASSED, stale)).toMatchObject({ name: 'unused-waivers', exit: 1 });
    expect(outcome([verdict('a', 'inconclusive')], stale)).toMatchObject({ name: 'unused-waivers', exit: 1 });
    expect(outcome([verdict('a', 'fail')], stale)).toMatchObject({ name: 'does-not-conform', exit: 1 });
    expect(outcome(PASSED, { ...stale, ending: ENDINGS.interrupted })).toMatchObject({ name: 'not-judged', exit: 130 });
  });

  it('is never 0 if nothing was judged', () => {
    expect(outcome([])).toMatchObject({ name: 'not-judged', exit: 3 });
    expect(outcome([verdict('extra', 'skipped'), verdict('s', 'inconclusive')])).toMatchObject({
      name: 'not-judged',
      exit: 3,
    });
    expect(outcome([verdict('o', 'observed')])).toMatchObject({ name: 'conforms-in-part', exit: 0 });
  });

  it('is 0 if the only case found no occasion for its clause, and 3 if it could not look', () => {
    const reason = { kind: 'no-occasion', of: 'unexpected-error' } as const;
    expect(outcome([{ ...verdict('a', 'skipped'), reason }])).toMatchObject({ name: 'conforms-in-part', exit: 0 });
    expect(outcome([{ ...verdict('a', 'skipped'), reason: { kind: 'key-not-used-up' } }]).exit).toBe(3);
  });
});

describe('CONFORMS', () => {
  it('requires a verdict on every must clause that needs no extra key, second run or description', () => {
    expect(outcome(PASSED)).toEqual({ name: 'conforms', exit: 0, mustClauses: 2, mustJudged: 2, mustIdle: 0 });
    expect(outcome([verdict('a', 'pass')])).toEqual({
      name: 'conforms-in-part',
      exit: 0,
      mustClauses: 2,
      mustJudged: 1,
      mustIdle: 0,
    });
    expect(outcome([verdict('a', 'pass'), verdict('b', 'skipped')])).toMatchObject({
      name: 'conforms-in-part',
      mustJudged: 1,
    });
    // Such as a connection that was closed on a large body.
    expect(outcome([verdict('a', 'pass'), verdict('b', 'observed')])).toMatchObject({
      name: 'conforms',
      mustJudged: 2,
    });
  });

  it('is not taken away by a clause that was asked for and had no occasion, which is counted apart', () => {
    const idle = { ...verdict('b', 'skipped'), reason: { kind: 'no-occasion', of: 'field' } as const };
    expect(outcome([verdict('a', 'pass'), idle])).toMatchObject({ name: 'conforms', mustJudged: 1, mustIdle: 1 });
    const unasked = { ...verdict('b', 'skipped'), reason: { kind: 'not-recorded' } as const };
    expect(outcome([verdict('a', 'pass'), idle, unasked])).toMatchObject({ name: 'conforms-in-part', mustIdle: 0 });
  });

  it('needs only one case that judged a clause', () => {
    expect(outcome([...PASSED, verdict('b', 'skipped')]).name).toBe('conforms');
  });

  it('counts a clause as judged by its own verdict, the worst of its cases', () => {
    const failed = verdict('a', 'fail');
    expect(outcome([failed, verdict('b', 'pass'), verdict('b', 'inconclusive')]).mustJudged).toBe(1);
    expect(outcome([failed, verdict('b', 'fail'), verdict('b', 'inconclusive')]).mustJudged).toBe(2);
    const lower = { ...verdict('b', 'inconclusive'), level: 'should' as const };
    expect(outcome([...PASSED, lower])).toMatchObject({ name: 'conforms', mustJudged: 2 });
  });
});

describe('the reason that explains most', () => {
  const undecided = (check: string, level: Level = 'must') =>
    expectation('a', { verdict: 'inconclusive', reason: { kind: 'not-200' }, level, check });
  const checks = { answered: { summary: 's', expectsAnswer: true as const }, other: { summary: 's' } };
  const rootOf = (...expectations: readonly ReturnType<typeof expectation>[]) => {
    const cases = expectations.map((each, place) => oneCase(`own/${place}`, [each]));
    return findRoot(cases, false, checks).undecided?.case;
  };

  it('is that of a request that should have been answered, or else the first', () => {
    expect(rootOf(undecided('other'), undecided('answered'), undecided('answered'))).toBe('own/1');
    expect(rootOf(undecided('other'), undecided('unknown'))).toBe('own/0');
  });

  it('is absent if everything that counts was judged', () => {
    expect(rootOf(undecided('answered', 'should'), expectation('a', { verdict: 'pass' }))).toBeUndefined();
  });
});
