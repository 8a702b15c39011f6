import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GENERAL_HELP } from './commands/command-table.ts';
import { packageRoot } from './contract/package-root.ts';
import { EXIT, firstExit } from './exit-codes.ts';

const CODES = Object.values(EXIT);
const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

/** Of the rows `| 0 | …` and `| 70, 130 | …` of the tables of a page. */
function codesIn(page: string): readonly number[] {
  const rows = [...read(page).matchAll(/^\| (\d+(?:, \d+)*) \|/gm)];
  return rows.flatMap(([, codes = '']) => codes.split(', ').map(Number));
}

it('the README has every exit code', () => {
  expect([...new Set(codesIn('README.md'))]).toEqual(CODES);
});

it('the guides have no exit code that does not exist', () => {
  const codes = ['docs/ci-gate.md', 'docs/release-check.md', 'docs/fleet.md'].flatMap(codesIn);
  expect(codes.length).toBeGreaterThan(8);
  for (const code of codes) expect(CODES).toContain(code);
});

it('the help has every exit code, in lines of at most 80 characters', () => {
  const [, codes = ''] = GENERAL_HELP.split('Exit codes: ');
  expect([...codes.matchAll(/(?:^|; )\s*(\d+) /g)].map(([, code]) => Number(code))).toEqual(CODES);
  for (const line of GENERAL_HELP.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

it('several runs end with the first of 2, 70, 130, 1, 3 and 0', () => {
  const order = [2, 70, 130, 1, 3, 0];
  for (const [at, code] of order.entries()) expect(firstExit(order.slice(at).toReversed())).toBe(code);
  expect(firstExit([])).toBe(0);
});
