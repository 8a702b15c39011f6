import { expect, it } from 'vitest';
import { formatPool, formatPoolTrial, isPoolPassed, leastFound, type PoolTrial, summarizePool } from './try-pool.ts';

const used = { requests: 600, completions: 120, tokens: 900 };
const fault = (isRight: boolean, hasPassed = false): PoolTrial => ({
  subject: { kind: 'fault', id: 'error-code-integer' },
  seed: 1,
  isRight,
  hasPassed,
  others: [],
  used,
});
const variant = (...others: readonly string[]): PoolTrial => ({
  subject: { kind: 'variant', id: 'gzip' },
  seed: 1,
  isRight: others.length === 0,
  hasPassed: false,
  others,
  used,
});
const found = (count: number): readonly PoolTrial[] => Array.from({ length: count }, () => fault(true));

it('A pool passes if as many faults are found as 95 of 100 make likely, and no variant trips anything', () => {
  const missed = (count: number): readonly PoolTrial[] => Array.from({ length: count }, () => fault(false));
  expect([leastFound(20), leastFound(40), leastFound(900)]).toEqual([17, 36, 844]);
  expect(isPoolPassed(summarizePool([...found(36), ...missed(4), variant()]))).toBe(true);
  expect(isPoolPassed(summarizePool([...found(35), ...missed(5), variant()]))).toBe(false);
  expect(isPoolPassed(summarizePool([...found(20), variant('errors.code')]))).toBe(false);
});

it('A 5xx that a retry replaced counts neither way, and is named', () => {
  const summary = summarizePool([fault(true), fault(false, true)]);
  expect(summary).toMatchObject({ faults: 1, found: 1 });
  expect(formatPool(1, summary)).toBe(
    'seed 1: must faults found 1/1 · variants left alone 0/0 · at most 600 requests and 120 completions a run\n' +
      '  not counted (a retry replaced a 5xx): error-code-integer (1)\n',
  );
  expect(formatPoolTrial(fault(false, true))).toBe('');
  expect(formatPoolTrial(fault(false))).toBe('fault error-code-integer (seed 1): not found\n');
  expect(formatPoolTrial({ ...fault(true), others: ['errors.type'] })).toBe(
    'fault error-code-integer (seed 1): also reported as broken: errors.type\n',
  );
  expect(formatPoolTrial(variant('errors.code'))).toBe('variant gzip (seed 1): reported as broken: errors.code\n');
});
