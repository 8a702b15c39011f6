import { expect, it } from 'vitest';
import { countAnswersNeeded, smallestRate } from './plan.ts';

it('Enough answers to see a fault in 1 of N with 95 % confidence', () => {
  expect([1, 2, 3, 10, 100].map(countAnswersNeeded)).toEqual([1, 5, 8, 29, 299]);
});

it('The smallest rate that would have been seen', () => {
  expect([1, 8, 29].map((answers) => smallestRate(answers).toFixed(3))).toEqual(['0.950', '0.312', '0.098']);
});
