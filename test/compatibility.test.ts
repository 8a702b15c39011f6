/** What docs/programs.md promises to keep. The files in `compatibility/` are of version 2, and are never written again. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { EXIT } from '../src/exit-codes.ts';
import type { Report } from '../src/report/report.ts';
import { ACTUAL_TYPES } from '../src/verdict/actual-type.ts';
import { MISMATCHES } from '../src/verdict/mismatch.ts';
import { VERDICTS } from '../src/verdict/verdict.ts';
import { runCommand } from './kit/command.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-compatibility-'));
cpSync(join(packageRoot(), 'test/compatibility'), cwd, { recursive: true });
afterAll(() => rmSync(cwd, { recursive: true }));

it('Exit codes and verdicts keep their meaning', () => {
  expect(EXIT).toEqual({ passed: 0, failed: 1, usage: 2, notJudged: 3, bug: 70, interrupted: 130 });
  expect(VERDICTS.toSorted()).toEqual(['fail', 'inconclusive', 'observed', 'pass', 'skipped', 'warn']);
});

it('Ids of findings are added, never respelled', async () => {
  const ids = [...MISMATCHES.map((id) => `mismatch ${id}`), ...ACTUAL_TYPES.map((id) => `actualType ${id}`)];
  await expect(`${ids.toSorted().join('\n')}\n`).toMatchFileSnapshot('compatibility/finding-ids.txt');
});

it('A report of version 2 is shown, and has its verdicts where they always were', async () => {
  const { exit, stdout } = await runCommand(['render', 'report-2.json'], cwd);
  expect([exit, stdout]).toEqual([expect.any(Number), expect.stringContaining('DOES NOT CONFORM')]);
  const { cases, clauses, outcome } = JSON.parse(readFileSync(join(cwd, 'report-2.json'), 'utf8')) as Report;
  expect(cases.map(({ id, verdict }) => `${id} ${verdict}`)).toContain('models/every-list fail');
  expect([typeof clauses[0]?.id, outcome.exit]).toEqual(['string', 1]);
});

it.each([
  ['gateway-2.ndjson.gz', 1, 'errors.code'],
  ['client-2.ndjson.gz', 0, 'client.bearer'],
  ['relay-2.ndjson.gz', 1, 'relay.mid-stream-failure'],
])('A recording of version 2 is judged: %s', async (file, exit, clause) => {
  const judged = await runCommand(['judge', file, '--reporter', `json=${file}.json`], cwd);
  expect(judged.exit, judged.stderr).toBe(exit);
  const { clauses } = JSON.parse(readFileSync(join(cwd, `${file}.json`), 'utf8')) as Report;
  expect(clauses.find(({ id }) => id === clause)?.verdict).toBe(clause === 'client.bearer' ? 'pass' : 'fail');
});

it('A report of version 1 is refused in one sentence that says what to do', async () => {
  writeFileSync(join(cwd, 'report-1.json'), '{"format":"wirecheck-report","version":1}');
  const { exit, stderr } = await runCommand(['render', 'report-1.json'], cwd);
  expect([exit, stderr]).toEqual([
    2,
    'report-1.json is a report of version 1; this wirecheck reads version 2. Run the check again, or judge its recording.\n',
  ]);
});
