import { expect, it } from 'vitest';
import { MachineWatch } from './generator.ts';

function useOf(idle: number, all: number) {
  const readings = [
    { idle: 1_000, all: 5_000 },
    { idle: 1_000 + idle, all: 5_000 + all },
  ];
  return new MachineWatch(() => readings.shift() ?? { idle: 0, all: 0 }).stop();
}

it.each([
  ['half of the cores were idle', 500, 1_000, { used: 0.5, isFull: false }],
  ['hardly anything was idle', 20, 1_000, { used: 0.98, isFull: true }],
  ['nothing was idle', 0, 1_000, { used: 1, isFull: true }],
  ['the system does not tell', 0, 0, { isFull: false }],
])('The use of the machine: %s', (_title, idle, all, expected) => {
  expect(useOf(idle, all)).toEqual(expected);
});

it('The system tells the use of this machine', () => {
  const watch = new MachineWatch();
  const until = performance.now() + 300;
  while (performance.now() < until);
  expect(watch.stop().used).toBeGreaterThan(0);
});
