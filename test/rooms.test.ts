/** The size of every room: more lines in one are a decision, made in the table of ARCHITECTURE.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';

/** Blank lines and comments do not count; imports do. */
const NO_CODE = /^\s*($|\/\/|\/?\*)/;

function countCode(path: string): number {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => !NO_CODE.test(line)).length;
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(packageRoot(), folder, file));

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** Code lines of each folder of `src`, of the files directly in it, and of the self-test. */
function measureRooms(): Readonly<Record<string, number>> {
  const entries = readdirSync(join(packageRoot(), 'src'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `src/${name}`);
  const sizes = [...folders, 'selftest'].map((folder) => [folder, sum(filesOf(folder).map(countCode))] as const);
  const own = entries.filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return {
    'src/*.ts': sum(own.map(({ name }) => countCode(join(packageRoot(), 'src', name)))),
    ...Object.fromEntries(sizes),
  };
}

/** `| src/plan | 1,350 |` */
function readBudgets(): Readonly<Record<string, number>> {
  const page = readFileSync(join(packageRoot(), 'ARCHITECTURE.md'), 'utf8');
  const table = page.slice(page.indexOf('## The size of each room'));
  const rows = [...table.matchAll(/^\| `([^`]+)` \| ([\d,]+) \|$/gm)];
  return Object.fromEntries(rows.map(([, room = '', lines = '']) => [room, Number(lines.replaceAll(',', ''))]));
}

it('No room holds more code than ARCHITECTURE.md gives it', () => {
  const budgets = readBudgets();
  const rooms = measureRooms();
  expect(Object.keys(budgets).toSorted()).toEqual(Object.keys(rooms).toSorted());
  const larger = Object.entries(rooms).filter(([room, lines]) => lines > (budgets[room] ?? 0));
  expect(larger).toEqual([]);
});

it('There are at most 620 source files', () => {
  expect(filesOf('src').length + filesOf('selftest').length).toBeLessThanOrEqual(620);
});
