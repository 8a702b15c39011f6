/** Starts the command as a process. Most tests call `runCommand` instead. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/contract/package-root.ts';
import type { Ended } from './command.ts';

/** What is tested is what people run: `npm test` builds it first. */
const CLI = join(packageRoot(), 'dist/cli.js');

export interface StartedCli {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export function startCli(args: readonly string[], cwd: string, env: Record<string, string>): StartedCli {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise<Ended>((resolve) => child.on('close', (exit) => resolve({ exit, stdout, stderr })));
  return { child, ended };
}
