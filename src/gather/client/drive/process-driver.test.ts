import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { IS_POSIX } from '../../../../test/kit/platform.ts';
import { createProcessDriver, type Task } from './drivers.ts';

const TASK: Task = {
  scenario: 'client/plain',
  baseUrl: 'http://127.0.0.1:1/v1',
  apiKey: 'sk-service-x',
  model: 'sea-small',
  mode: 'plain',
  prompt: 'Hi; $(echo) "there"',
  timeoutMs: 2500,
};

async function ask(body: string, limit = 20_000, variables: Record<string, string> = {}) {
  const command = [process.execPath, '-e', body];
  const driver = createProcessDriver({ command, variables, cwd: process.cwd() });
  try {
    return await driver.ask(TASK, limit);
  } finally {
    await driver.close();
  }
}

/** A process that nobody has waited for yet still has its id, but does nothing any more. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

describe('a process per scenario', { concurrent: true }, () => {
  // Windows adds variables that programs need there.
  it.runIf(IS_POSIX)('gets the call in its environment, and nothing else', async () => {
    const answer = await ask('console.log(JSON.stringify(process.env))', undefined, { OWN: '1' });
    const { OWN, __CF_USER_TEXT_ENCODING: _, ...variables } = JSON.parse(answer.said) as Record<string, string>;
    expect(OWN).toBe('1');
    expect(variables).toEqual({
      OPENAI_BASE_URL: TASK.baseUrl,
      OPENAI_API_KEY: TASK.apiKey,
      WIRECHECK_BASE_URL: TASK.baseUrl,
      WIRECHECK_API_KEY: TASK.apiKey,
      WIRECHECK_MODEL: TASK.model,
      WIRECHECK_PROMPT: TASK.prompt,
      WIRECHECK_MODE: 'plain',
      WIRECHECK_TIMEOUT_MS: '2500',
    });
  });

  it('returns its stdout without one line end, and its exit code', async () => {
    expect(await ask(String.raw`process.stdout.write('a\n b\n\n')`)).toMatchObject({
      kind: 'returned',
      said: 'a\n b\n',
      exit: 0,
    });
    expect(await ask(`console.error('no'); process.exit(7)`)).toMatchObject({
      kind: 'failed',
      exit: 7,
      complaint: 'no\n',
    });
  });

  it('loses nothing of its stdout if it exits while nobody reads', async () => {
    const answer = ask('for (let line = 0; line < 2000; line++) console.log(line); process.exit(0)');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    expect((await answer).said.split('\n')).toHaveLength(2000);
  });

  it('keeps the end of its stderr, where a stack trace says what happened', async () => {
    const { complaint } = await ask(
      `console.error('x'.repeat(60_000)); console.error('KeyError: no'); process.exit(1)`,
    );
    expect(complaint).toHaveLength(4096);
    expect(complaint.endsWith('KeyError: no\n')).toBe(true);
  });

  it.runIf(IS_POSIX)('tells which signal ended it', async () => {
    expect(await ask(`process.kill(process.pid, 'SIGTERM')`)).toMatchObject({ kind: 'failed', signal: 'SIGTERM' });
  });

  it('is ended at the limit', async () => {
    const answer = await ask(`console.log('begun'); setInterval(() => {}, 1000)`, 1_500);
    expect(answer).toMatchObject({ kind: 'timed-out' });
    expect(answer.time).toBeLessThan(15_000);
  });

  it('is ended when it floods its output, of which little is kept', async () => {
    const flood = (stream: string) =>
      `const go = () => { while (process.${stream}.write('x'.repeat(65536))); process.${stream}.once('drain', go); }; go();`;
    const answer = await ask(flood('stdout'));
    expect(answer.kind).toBe('flooded');
    expect(answer.said.length).toBeLessThanOrEqual(1024 * 1024);
    const complaint = await ask(flood('stderr'));
    expect(complaint.kind).toBe('flooded');
    expect(complaint.complaint.length).toBeLessThanOrEqual(4096);
  });

  // `poll` must know its test, which only the test's own `expect` does while others run beside it.
  it.runIf(IS_POSIX)('leaves no process of its group behind that holds its output open', async ({ expect }) => {
    const answer = await ask(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      console.log(child.pid); process.exit(0);`);
    expect(answer.kind).toBe('returned');
    await expect.poll(() => isAlive(Number(answer.said))).toBe(false);
  });

  it('that escaped its group does not hold up the result', async () => {
    const answer = await ask(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit', detached: true });
      console.log(child.pid); child.unref(); process.exit(0);`);
    expect(answer.kind).toBe('returned');
    process.kill(Number(answer.said));
  });

  it.each([
    ['./no-such-program', 'ENOENT'],
    ...(IS_POSIX ? [[process.cwd(), 'EACCES']] : []),
    ['a\0b', 'ERR_INVALID_ARG_VALUE'],
  ])('that cannot be started says so: %j', async (file, code) => {
    const driver = createProcessDriver({ command: [file], variables: {}, cwd: process.cwd() });
    expect(await driver.ask(TASK, 5_000)).toMatchObject({ kind: 'not-started', code });
  });
});
