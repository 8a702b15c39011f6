import { afterEach, describe, expect, it } from 'vitest';
import { runDuring } from './run-load.ts';

/** Starts another process, as a script restarts a gateway, says its id, and ends. */
const STARTS_ANOTHER = `
  const { spawn } = require('node:child_process');
  const other = spawn(process.execPath, ['-e', 'setInterval(() => console.log("up"), 20)'], { stdio: 'inherit' });
  process.stdout.write(\`\${other.pid}\\n\`, () => HOW);
`;

const left: number[] = [];

afterEach(() => {
  for (const pid of left.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function start(how: string, signal: AbortSignal) {
  let resolve = (_pid: number): void => undefined;
  const printed = new Promise<number>((done) => (resolve = done));
  const ended = runDuring(
    {
      command: [process.execPath, '-e', STARTS_ANOTHER.replace('HOW', how)],
      cwd: process.cwd(),
      env: process.env,
      onOutput: (text) => resolve(Number.parseInt(text.toString(), 10)),
    },
    signal,
  );
  const other = await printed;
  left.push(other);
  return { ended, other };
}

describe('what a command during a load started', () => {
  it('lives on after the command has ended by itself, and can still print', async () => {
    const { ended, other } = await start('process.exit(0)', new AbortController().signal);
    expect((await ended).end).toEqual({ kind: 'exited', code: 0 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isAlive(other)).toBe(true);
  });

  it('is ended with the command if the run ends first', async () => {
    const end = new AbortController();
    const { ended, other } = await start('0', end.signal);
    end.abort();
    expect((await ended).end).toEqual({ kind: 'ended-by-us' });
    await expect.poll(() => isAlive(other), { timeout: 5_000 }).toBe(false);
  });
});
