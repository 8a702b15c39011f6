import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import { runCommand } from '../kit/command.ts';

const CLI = join(packageRoot(), 'dist/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'wirecheck-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DEMO = ['demo', '--only', 'models/list'];

/** As a process: exit code and outputs are its own. */
function demo(flags: readonly string[], stdout: 'pipe' | number = 'pipe') {
  return spawnSync(process.execPath, [CLI, ...DEMO, ...flags], {
    cwd: folder,
    env: {},
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
    timeout: 60_000,
  });
}

describe('a problem on our own side', { timeout: 120_000 }, () => {
  it.runIf(existsSync('/proc/self')).each([
    [['--out', '/proc/none'], 'Cannot write /proc/none/report.json (ENOENT): choose another place'],
    [['--reporter', 'json=/proc/none/a.json'], 'Cannot write /proc/none/a.json (ENOENT): choose another place'],
    [['--out', 'none', '--record', '/proc/none/a'], 'Cannot write /proc/none/a (ENOENT): choose another file'],
    [['--out', join(CLI, 'x')], `Cannot write ${join(CLI, 'x')}`],
  ])('is reported before the first request: %j', async (flags, sentence) => {
    const { exit, stdout, stderr } = await runCommand([...DEMO, ...flags], folder);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([exit, stdout]).toEqual([2, '']);
  });

  it.runIf(existsSync('/dev/full'))('is one sentence if stdout cannot be written', () => {
    const { status, stderr } = demo(['--out', 'none'], openSync('/dev/full', 'w'));
    expect(stderr).toContain('Cannot write to stdout (ENOSPC).\n');
    expect(stderr).not.toContain('bug');
    expect(status).toBe(2);
  });

  it.runIf(existsSync('/dev/full'))(
    'is one sentence if a report cannot be written, and the verdict is still shown',
    () => {
      const { status, stdout, stderr } = demo(['--reporter', 'json=/dev/full']);
      expect(stdout).toContain('CONFORMS');
      expect(stderr).toContain('Cannot write /dev/full (ENOSPC). [WIRECHECK_E_FILE_UNWRITABLE]\n');
      expect(status).toBe(2);
    },
  );
});
