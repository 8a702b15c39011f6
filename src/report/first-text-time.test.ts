import { expect, it } from 'vitest';
import { firstTextTime } from './first-text-time.ts';

const observed = (value: number | 'checker-late') =>
  ({ clause: 'stream.timing', case: 'a/b', name: 'first-text-time', value }) as const;

it.each([
  ['the median of the streams that could be timed', [100, 'checker-late', 120, 140], 120],
  ['unknown if wirecheck was too late in each of them', ['checker-late', 'checker-late'], 'checker-late'],
  ['unknown if no stream had text', [], 'no-stream'],
] as const)('The time to the first text is %s', (_rule, values, expected) => {
  const lateness = { clause: 'stream.timing', case: 'a/b', name: 'lateness', value: 900 } as const;
  expect(firstTextTime({ observations: [...values.map(observed), lateness] })).toBe(expected);
});
