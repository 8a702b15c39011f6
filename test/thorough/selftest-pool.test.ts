import { expect, it } from 'vitest';
import { runCommand } from '../kit/command.ts';

const SLOW = 120_000;

it(
  'A fault of one replica is found and a variant left alone, also if each connection keeps to one replica',
  async () => {
    const args = ['selftest', '--pool', 'error-code-integer', 'gzip', '--one-in', '2/connection'];
    const { exit, stdout } = await runCommand(args, '.');
    expect(stdout).toMatch(
      /^seed 1: must faults found 1\/1 · variants left alone 1\/1 · at most \d+ requests and \d+ completions a run\n$/,
    );
    expect(exit).toBe(0);
  },
  SLOW,
);

it.each([
  [['--seeds', 'x'], '--seeds is "x": it must be a whole number from 1 to 100.'],
  [['--one-in', '3/day'], '--one-in is "3/day": it must be'],
  [['gzzip'], '"gzzip" is not a variant or a must fault that a pool can test. Did you mean "gzip"?'],
])('%j is refused with the remedy', async (args, message) => {
  const { exit, stderr } = await runCommand(['selftest', '--pool', ...args], '.');
  expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
});
