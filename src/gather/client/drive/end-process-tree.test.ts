import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IS_POSIX } from '../../../../test/kit/platform.ts';
import { endProcessTree } from './child.ts';

/** A script stands in for Windows' own taskkill, which is a program and cannot be replaced there. */
describe.runIf(IS_POSIX)('a process tree without process groups', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirecheck-taskkill-'));
    mkdirSync(join(folder, 'System32'));
    const script = `#!/bin/sh\necho "$@" >> '${join(folder, 'calls')}'\nkill -9 "$2"\n`;
    writeFileSync(join(folder, 'System32/taskkill.exe'), script, { mode: 0o755 });
    vi.stubEnv('SystemRoot', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  const startIdle = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

  it('is ended by taskkill, with all its children', async () => {
    const root = startIdle();
    const exited = once(root, 'exit');
    endProcessTree(root, false);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe(`/PID ${root.pid} /T /F\n`);
    expect(await exited).toEqual([null, 'SIGKILL']);
  });

  it('is left alone once its root has ended, since another process may have its id', async () => {
    const root = startIdle();
    const exited = once(root, 'exit');
    root.kill();
    await exited;
    endProcessTree(root, false);
    expect(existsSync(join(folder, 'calls'))).toBe(false);
  });
});

describe('a process that could not be started', () => {
  it.each([true, false])('has nothing to end, with process groups: %s', async (hasGroups) => {
    const root = spawn(join(tmpdir(), 'no-such-program'));
    await once(root, 'error');
    expect(() => endProcessTree(root, hasGroups)).not.toThrow();
  });
});
