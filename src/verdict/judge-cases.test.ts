import { describe, expect, it } from 'vitest';
import { contractOf } from '../contract/profile/apply-profile.ts';
import type { Level } from '../contract/contract.ts';
import { finding, broken } from './finding.ts';
import { HOLDS, inconclusive } from './check-result.ts';
import { judgeCases, type Judging } from './judge-cases.ts';
import { plainExchange } from '../../test/kit/exchanges.ts';
import type { CheckResult } from './verdict.ts';

const CLAUSE = 'errors.code';
const FOUND = broken([
  finding(plainExchange({ id: 'a' }), {
    mismatch: 'absent',
    expected: { kind: 'json-object' },
    actualType: 'absent',
    actual: { kind: 'absent' },
  }),
]);

/** A subject whose evidence is the result itself. */
interface Evidence {
  readonly case: Parameters<typeof judgeCases>[0][number]['case'];
  readonly result: CheckResult;
}

const CHECKS = { given: true };

function judge(result: CheckResult, level: Level, more: Partial<Judging<Evidence, boolean>> = {}, check = 'given') {
  const own = { id: 'own/x', suite: 'own', title: 'X', source: { file: 'f', line: 1 } };
  const [verdict] = judgeCases<Evidence, boolean>(
    [{ case: { ...own, expect: [{ clause: CLAUSE, check, options: {} }] }, result }],
    {
      contract: contractOf({ levels: { [CLAUSE]: level } }),
      settings: { strict: false },
      checks: CHECKS,
      whyNot: () => undefined,
      execute: (evidence) => ({ result: evidence.result, exchanges: ['a', 'b', 'c', 'd'] }),
      requestOf: () => undefined,
      ...more,
    },
  );
  return verdict;
}

describe('judgeCases', () => {
  it.each([
    ['must', HOLDS, 'pass'],
    ['must', FOUND, 'fail'],
    ['should', FOUND, 'warn'],
    ['observe', FOUND, 'observed'],
    ['observe', HOLDS, 'observed'],
    ['must', inconclusive({ kind: 'nothing-to-judge' }), 'inconclusive'],
  ] as const)('At the level %s, %o is %s', (level, result, verdict) => {
    expect(judge(result, level)).toMatchObject({ case: 'own/x', clause: CLAUSE, level, verdict });
  });

  it('makes a broken should a failure of a strict run', () => {
    expect(judge(FOUND, 'should', { settings: { strict: true } })?.verdict).toBe('fail');
  });

  it('asks no check about a case that cannot be judged', () => {
    const verdict = judge(HOLDS, 'must', {
      whyNot: () => inconclusive({ kind: 'control-unanswered' }),
      execute: () => {
        throw new Error('asked');
      },
    });
    expect(verdict).toMatchObject({ verdict: 'inconclusive', reason: { kind: 'control-unanswered' }, exchanges: [] });
  });

  it('lists three exchanges, and gives each finding a fingerprint that the request is part of', () => {
    const verdict = judge(FOUND, 'must');
    expect(verdict?.exchanges).toEqual(['a', 'b', 'c']);
    const streamed = judge(FOUND, 'must', { requestOf: () => ({ endpoint: 'chat', mode: 'stream' }) });
    expect(streamed?.findings[0]?.fingerprint).not.toBe(verdict?.findings[0]?.fingerprint);
  });

  it('refuses a check that does not exist: the loader should have found it', () => {
    expect(() => judge(HOLDS, 'must', {}, 'gievn')).toThrow('own/x asks for the check gievn, which does not exist');
  });
});
