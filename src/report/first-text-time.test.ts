import { expect, it } from 'vitest';
import { firstTextTime } from './first-text-time.ts';

const observed = (testCase: string, name: 'first-text-time' | 'lateness', value: number) => ({
  ...{ clause: 'stream.timing', case: testCase, name, value },
});

it.each([
  ['a quick machine', 300, 5, 300],
  ['a machine that was behind for less than half of it', 300, 140, 300],
  ['a machine that was behind for most of it', 129.2, 88.7, undefined],
  ['a short time, of which little was lost', 4.6, 3.1, 4.6],
] as const)('The time to the first text on %s', (_machine, time, lateness, expected) => {
  const observations = [observed('a', 'first-text-time', time), observed('a', 'lateness', lateness)];
  expect(firstTextTime({ observations })).toBe(expected);
});

it('The time to the first text is the median of the streams that could be timed', () => {
  const observations = [
    ...[observed('a', 'first-text-time', 100), observed('b', 'first-text-time', 900), observed('b', 'lateness', 800)],
    ...[observed('c', 'first-text-time', 120), observed('d', 'first-text-time', 140)],
  ];
  expect(firstTextTime({ observations })).toBe(120);
  expect(firstTextTime({ observations: [] })).toBeUndefined();
});
