import { expect, it } from 'vitest';
import { Histogram, judgeBudget, lowerRank, upperRank } from './tally.ts';

const MEDIAN = { time: 'first-text', quantile: 'p50', most: 800 } as const;

function times(...values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return histogram;
}

const many = (count: number, value: number): readonly number[] => Array.from({ length: count }, () => value);

it('A histogram finds quantiles within the width of a bucket', () => {
  const histogram = times(...Array.from({ length: 1_000 }, (_, at) => at + 1));
  expect(histogram.quantile(0.5)).toBeGreaterThanOrEqual(500);
  expect(histogram.quantile(0.5)).toBeLessThan(530);
  expect(histogram.toTimes()).toMatchObject({ count: 1_000, max: 1_000 });
});

it('The ranks of a median are those of the binomial interval', () => {
  // Tables of sign tests: the 95 % interval of the median of 100 values.
  expect([lowerRank(100, 0.5), upperRank(100, 0.5)]).toEqual([40, 61]);
});

it.each([
  ['p50', 0.5, 6],
  ['p95', 0.95, 72],
  ['p99', 0.99, 368],
] as const)('The fewest answers that have both ranks of %s are needed', (quantile, share, needed) => {
  expect(judgeBudget({ ...MEDIAN, quantile }, times()).result).toMatchObject({ needed });
  const hasRanks = (answers: number): boolean =>
    lowerRank(answers, share) !== undefined && upperRank(answers, share) !== undefined;
  expect([hasRanks(needed - 1), hasRanks(needed)]).toEqual([false, true]);
});

it('A budget is broken if chance is excluded, and kept if the quantile is below it', () => {
  expect(judgeBudget(MEDIAN, times(...many(100, 1_200))).result).toMatchObject({ kind: 'broken', answers: 100 });
  expect(judgeBudget(MEDIAN, times(...many(100, 300))).result).toMatchObject({ kind: 'kept' });
});

it('A median that is above its budget by chance is not broken', () => {
  const close = times(...many(48, 700), ...many(52, 900));
  expect(judgeBudget(MEDIAN, close).result).toMatchObject({ kind: 'kept' });
});

it('Too few answers are not judged, and the number that would do is told', () => {
  expect(judgeBudget(MEDIAN, times(1_200, 1_200)).result).toEqual({ kind: 'not-judged', answers: 2, needed: 6 });
});
