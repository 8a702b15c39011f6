import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';

it.each([
  ['m', 'm'],
  ['m', 'm=other'],
  ['m=a', 'm=b'],
])('A model that --upstream-model names twice is refused: %s and %s', async (first, second) => {
  const args = ['--upstream-port', '9', '--upstream-model', first, '--upstream-model', second];
  const { exit, stderr } = await runCommand(['relay', 'http://127.0.0.1:1/v1', ...args], tmpdir());
  expect([exit, stderr]).toEqual([2, '--upstream-model has the model m twice: name each model once.\n']);
});
