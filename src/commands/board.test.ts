import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';
import { broken, conforming } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-board-'));
  write('reports/good/report.json', conforming());
  write('reports/bad/report.json', broken());
  writeFileSync(join(folder, 'reports/bad/report.html'), '<p>');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, report: Report): void {
  const name = file.split('/').at(-2) ?? '';
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify({ ...report, target: { ...report.target, name } }));
}

const board = (...args: readonly string[]) => runCommand(['board', ...args], folder);
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

it('A folder means the reports below it, and the board has a page, JSON, Markdown and a badge per target', async () => {
  const { exit, stdout } = await board('reports');
  expect(exit).toBe(1);
  expect(stdout).toMatch(/^✗ bad .*DOES NOT CONFORM[^]*✓ good .*CONFORMS[^]*1 of 2 targets fails \(bad\)\n$/);
  expect(read('wirecheck-board/board.html')).toContain('href="./../reports/bad/report.html"');
  expect(JSON.parse(read('wirecheck-board/board.json'))).toMatchObject({ format: 'wirecheck-board', exit: 1 });
  expect(read('wirecheck-board/board.md')).toContain('1 of 2 targets fails (bad)');
  expect(JSON.parse(read('wirecheck-board/badges/bad.json'))).toMatchObject({ message: '1 broken', color: '#c9352b' });
});

it('The same reports give the same board, named one by one and in any order', async () => {
  await board('reports');
  const whole = read('wirecheck-board/board.html');
  await board('reports/good/report.json', 'reports/bad/report.json', 'reports/good');
  expect(read('wirecheck-board/board.html')).toBe(whole);
});

it('A reporter replaces the folder, and one may write to stdout', async () => {
  const { exit, stdout } = await board('reports', '--reporter', 'markdown', '--fail-on', 'none', '--title', 'Ours');
  expect([exit, stdout.slice(0, 6)]).toEqual([0, '# Ours']);
  expect(existsSync(join(folder, 'wirecheck-board'))).toBe(false);
});

it.each([
  [['reports', '--fail-on', 'should'], '--fail-on is "should": it must be "must" or "none".'],
  [['reports', '--reporter', 'markdwon'], 'Unknown reporter "markdwon" for a board. Did you mean "markdown"?'],
  [['reports/bad/report.html'], 'reports/bad/report.html is not JSON: give the report.json of a run.'],
  [['reports', '--reporter', 'json=reports/good/report.json'], 'would be overwritten'],
  [['none'], 'Cannot read the report none'],
])('%j is refused', async (args, message) => {
  const { exit, stderr } = await board(...args);
  expect(stderr).toContain(message);
  expect(exit).toBe(2);
  expect(existsSync(join(folder, 'wirecheck-board'))).toBe(false);
});

it('A folder without reports is refused', async () => {
  mkdirSync(join(folder, 'empty'));
  const { exit, stderr } = await board('empty');
  expect([exit, stderr]).toEqual([2, expect.stringContaining('empty has no report.json: name the folder')]);
});

it('has output for agents, with the command that shows the causes of each failing target', async () => {
  const { exit, stdout } = await board('reports', '--reporter', 'agent');
  expect(exit).toBe(1);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('1 of 2 targets fails (bad)');
  expect(lines[2]).toMatch(/^\[1\] bad: does not conform, \d+ must /);
  expect(stdout).toContain('\nBroken (must): errors.code\nBroken (should): json.label\n');
  expect(stdout).toMatch(/^Details: .*wirecheck render reports\/bad\/report\.json --reporter agent$/m);
  expect(stdout).toMatch(/\nPassing: good\nExit code 1: the latest run of a target failed\n$/);
  // The page is what a board is for: text on stdout does not replace it.
  expect(existsSync(join(folder, 'wirecheck-board/board.html'))).toBe(true);
  expect(existsSync(join(folder, 'wirecheck-board/badges/bad.json'))).toBe(true);
});

it('gives a coding agent that output by itself, unless a reporter is named', async () => {
  const run = (...args: readonly string[]) => runCommand(['board', 'reports', ...args], folder, { AI_AGENT: 'one' });
  expect((await run()).stdout).toMatch(
    /^Output for agents \(AI_AGENT is set\); --reporter terminal for people\n1 of 2 /,
  );
  expect((await run('--reporter', 'terminal')).stdout).toMatch(/^✗ bad /);
  const ignored = await run('--fail-on', 'none');
  expect([ignored.exit, ignored.stdout.split('\n').at(-2)]).toEqual([
    0,
    'Exit code 0: failures do not count (--fail-on none)',
  ]);
});

it('keeps output for agents to 8 KB, and names the targets without details', async () => {
  for (let at = 0; at < 120; at += 1) write(`reports/gateway-${'x'.repeat(30)}-${at}/report.json`, broken());
  const { stdout } = await board('reports', '--reporter', 'agent', '--out', 'none');
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(8 * 1024);
  expect(stdout).toMatch(/^\d+ more targets without details: gateway-/m);
});
