import { expect, it } from 'vitest';
import { loopDelay, machineUse, readTicks } from './generator.ts';

function useOf(idle: number, all: number) {
  return machineUse({ idle: 1_000, all: 5_000 }, { idle: 1_000 + idle, all: 5_000 + all });
}

it.each([
  ['half of the cores were idle', 500, 1_000, { machine: 0.5 }],
  ['hardly anything was idle', 20, 1_000, { machine: 0.98, isMachineBusy: true }],
  ['nothing was idle', 0, 1_000, { machine: 1, isMachineBusy: true }],
  ['the system does not tell', 0, 0, {}],
])('The use of the machine: %s', (_title, idle, all, expected) => {
  expect(useOf(idle, all)).toEqual(expected);
});

it('The system tells the use of this machine', () => {
  const began = readTicks();
  const until = performance.now() + 300;
  while (performance.now() < until);
  expect(machineUse(began, readTicks()).machine).toBeGreaterThan(0);
});

it.each([
  ['is never late', 12, 40, { delay: 2, isBusy: false }],
  ['is late again and again', 120, 200, { delay: 110, isBusy: true }],
  ['stood still once', 12, 6_000, { delay: 2, isBusy: true }],
])('An event loop that %s', (_title, usual, max, expected) => {
  expect(loopDelay({ percentile: () => usual * 1e6, max: max * 1e6 })).toEqual(expected);
});
