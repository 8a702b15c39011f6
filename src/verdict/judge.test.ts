import { describe, expect, it } from 'vitest';
import type { Level } from '../contract/contract.ts';
import type { Ending } from '../exchange/ending.ts';
import { type Settings } from '../settings.ts';
import { COMPLETION, plainExchange } from '../../test/kit/exchanges.ts';
import type { CheckInput } from './check.ts';
import type { CheckResult, Verdict } from './verdict.ts';
import { BROKEN, FINDING, CLAUSES, caseOf, judge, says } from '../../test/kit/judging.ts';

/** The verdict on one clause of this level. */
function verdictAt(level: Level, result: CheckResult, settings: Partial<Settings> = {}): Verdict | undefined {
  return judge({
    cases: [caseOf('own/a', CLAUSES[level], 'it')],
    exchanges: [plainExchange({ json: COMPLETION })],
    checks: { it: says(result) },
    settings,
  })[0];
}

describe('level and result', () => {
  it.each<[Level, CheckResult, string, string]>([
    // level, result, verdict, verdict with --strict
    ['must', { kind: 'holds' }, 'pass', 'pass'],
    ['must', BROKEN, 'fail', 'fail'],
    ['must', { kind: 'inconclusive', reason: { kind: 'not-json' } }, 'inconclusive', 'inconclusive'],
    ['must', { kind: 'skipped', reason: { kind: 'not-json' } }, 'skipped', 'skipped'],
    ['should', { kind: 'holds' }, 'pass', 'pass'],
    ['should', BROKEN, 'warn', 'fail'],
    ['should', { kind: 'inconclusive', reason: { kind: 'not-json' } }, 'inconclusive', 'inconclusive'],
    ['observe', { kind: 'holds' }, 'observed', 'observed'],
    ['observe', BROKEN, 'observed', 'observed'],
    ['observe', { kind: 'inconclusive', reason: { kind: 'not-json' } }, 'inconclusive', 'inconclusive'],
    ['observe', { kind: 'observed', observations: [] }, 'observed', 'observed'],
    ['must', { kind: 'observed', observations: [] }, 'observed', 'observed'],
  ])('%s and %j: %s, and with --strict %s', (level, result, verdict, strict) => {
    expect(verdictAt(level, result)?.verdict).toBe(verdict);
    expect(verdictAt(level, result, { strict: true })?.verdict).toBe(strict);
  });

  it.each<[Level, Level, string]>([
    ['must', 'should', 'warn'],
    ['must', 'observe', 'observed'],
    ['should', 'must', 'fail'],
    ['observe', 'must', 'fail'],
  ])('A %s that the user changed to %s is judged accordingly: %s', (level, changed, verdict) => {
    expect(verdictAt(level, BROKEN, { levels: { [CLAUSES[level]]: changed } })).toMatchObject({
      verdict,
      level: changed,
    });
  });

  it('Reason, findings, observations and flakiness are kept', () => {
    expect(verdictAt('must', { kind: 'holds', flaky: true })?.flaky).toBe(true);
    expect(verdictAt('must', BROKEN)?.findings).toMatchObject([
      { ...FINDING, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
    ]);
    expect(verdictAt('must', { kind: 'skipped', reason: { kind: 'not-json' } })?.reason).toEqual({ kind: 'not-json' });
    const observations = [{ name: 'choices', value: 1 } as const];
    expect(verdictAt('observe', { kind: 'observed', observations })?.observations).toEqual(observations);
  });

  it('A verdict points to three exchanges at most', () => {
    const exchanges = ['a', 'b', 'c', 'd'].map((id) => plainExchange({ id, step: id }));
    const [verdict] = judge({
      cases: [caseOf('own/a', 'errors.code', 'it')],
      exchanges,
      checks: { it: says({ kind: 'holds' }) },
    });
    expect(verdict?.exchanges).toEqual(['a', 'b', 'c']);
  });
});

describe('a case that was not sent', () => {
  const asks = caseOf('own/a', CLAUSES.must, 'it', {});
  const checks = { it: says({ kind: 'holds' }) };

  it('is inconclusive at every level, with the ending of the run as the reason', () => {
    const reasonOf = (ending: Ending) => judge({ cases: [asks], checks, ending })[0];
    expect(reasonOf({ kind: 'budget', setting: 'max-time' })).toMatchObject({
      verdict: 'inconclusive',
      reason: { kind: 'run-ended', ending: { kind: 'budget', setting: 'max-time' } },
    });
    expect(reasonOf({ kind: 'interrupted' })?.reason).toEqual({ kind: 'run-ended', ending: { kind: 'interrupted' } });
    expect(reasonOf({ kind: 'complete' })?.reason).toEqual({ kind: 'basis-unanswered' });
    expect(judge({ cases: [caseOf('own/a', CLAUSES.observe, 'it', {})], checks })[0]?.verdict).toBe('inconclusive');
  });

  it('for lack of a key is skipped, with the settings that would enable it', () => {
    const reason = { kind: 'needs', settings: ['limited-key'] } as const;
    const omissions = [{ case: 'own/a', reason }];
    expect(judge({ cases: [asks], checks, omissions })[0]).toMatchObject({ verdict: 'skipped', reason });
  });

  it('may still be judged if the check looks at the whole run', () => {
    const [verdict] = judge({ cases: [asks], checks: { it: { ...says({ kind: 'holds' }), needsNoExchange: true } } });
    expect(verdict?.verdict).toBe('pass');
  });

  it.each<Ending>([
    { kind: 'not-this-api', status: 200 },
    { kind: 'unreachable', failure: { kind: 'refused', code: 'X', detail: '' } },
  ])('is inconclusive if the target is not this API, whatever it answered: %j', (ending) => {
    const exchanges = [plainExchange({ step: 'own/a' })];
    const parts = { cases: [asks], stepsOf: { 'own/a': ['own/a'] }, exchanges, ending };
    expect(judge({ ...parts, checks: { it: says(BROKEN) } })[0]?.verdict).toBe('inconclusive');
    expect(judge({ ...parts, checks: { it: says({ kind: 'holds' }) } })[0]?.verdict).toBe('inconclusive');
  });
});

it('An unknown check is a bug of the caller', () => {
  expect(() => judge({ cases: [caseOf('own/a', 'errors.code', 'nothing')], exchanges: [plainExchange()] })).toThrow(
    'does not exist',
  );
});

describe('a check that judges a body if nobody else does', () => {
  /** Whether it is told that nobody does, with these other cases beside its own. */
  function isTold(...others: readonly ReturnType<typeof caseOf>[]): boolean {
    let told = false;
    const asking = {
      ...says({ kind: 'holds' }),
      asksWhetherBodiesAreJudged: true as const,
      execute({ isBodyUnjudged = false }: CheckInput): CheckResult {
        told = isBodyUnjudged;
        return { kind: 'holds' };
      },
    };
    judge({
      cases: [caseOf('own/a', CLAUSES.must, 'asks', {}), ...others],
      stepsOf: { 'own/a': ['chat'] },
      exchanges: [plainExchange({ json: COMPLETION })],
      checks: {
        asks: asking,
        bodies: { ...says({ kind: 'holds' }), judgesWholeBodies: 'plain' },
        other: says({ kind: 'holds' }),
      },
    });
    return told;
  }

  it('is told so in a run of its case alone', () => {
    expect(isTold()).toBe(true);
    expect(isTold(caseOf('own/b', CLAUSES.must, 'other'))).toBe(true);
  });

  it('is not told so where a case over all answers judges bodies', () => {
    const all = { ...caseOf('own/b', CLAUSES.must, 'bodies'), over: ['replies'] };
    expect(isTold(all)).toBe(false);
  });
});
