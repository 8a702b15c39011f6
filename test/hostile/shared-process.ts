/**
 * A process that runs one command after another: starting one for each takes longer than its run. For targets whose point
 * is neither the memory nor the time that they cost.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/contract/package-root.ts';
import { collectFiles, type Ended, PEAK, prepareRun } from './run-cli.ts';

/** Runs what was built, and answers with what `main.ts` would end with. */
const PROGRAM = `${PEAK}
import { execute } from './commands/command-line.js';
import { UsageError } from './usage-error.js';

function forgetPeak() {
  gc();
  try {
    // Documented in proc(5): the peak starts again from what is in use.
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {}
}

process.on('message', async ({ args, cwd, env }) => {
  forgetPeak();
  const said = { stdout: '', stderr: '' };
  const screen = (name) => ({ colour: false, live: false, columns: undefined, write: (text) => void (said[name] += text) });
  const io = { cwd, env, stdout: screen('stdout'), stderr: screen('stderr'), onInterrupt: () => () => undefined };
  let exit;
  try {
    exit = await execute(args, io);
  } catch (error) {
    exit = error instanceof UsageError ? 2 : 70;
    said.stderr += error.stack;
  }
  process.send({ exit, ...said, peakMiB: peak() / 1024 });
});
`;

type Answer = Pick<Ended, 'exit' | 'stdout' | 'stderr' | 'peakMiB'>;

export interface SharedProcess {
  run(baseUrl: string, key: string, flags: readonly string[]): Promise<Ended>;
  close(): void;
}

export function startSharedProcess(env: Readonly<Record<string, string>>): SharedProcess {
  const built = pathToFileURL(join(packageRoot(), 'build/src')).href;
  const program = PROGRAM.replaceAll("from './", `from '${built}/`);
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], {
    env,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let crash = '';
  child.stderr?.on('data', (text: Buffer) => (crash += text.toString()));
  return {
    async run(baseUrl, key, flags) {
      const { folder, args, env: own } = prepareRun(baseUrl, key, flags);
      const began = performance.now();
      const answer = await ask(child, { args, cwd: folder, env: own });
      const seconds = (performance.now() - began) / 1000;
      return { ...answer, stderr: answer.stderr + crash, seconds, ...collectFiles(folder) };
    },
    close: () => void child.kill(),
  };
}

/** A process that ended answers with its exit code or signal. */
function ask(child: ChildProcess, message: object): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (code: number | null, signal: string | null) =>
      resolve({ exit: code ?? signal ?? 'gone', stdout: '', stderr: '', peakMiB: Number.NaN });
    if (child.exitCode !== null || child.signalCode !== null) return end(child.exitCode, child.signalCode);
    child.once('exit', end);
    child.once('message', (answer: Answer) => {
      child.off('exit', end);
      resolve(answer);
    });
    child.send(message);
  });
}
