/** Programs in processes of their own, with nothing of this process's environment. */
import { spawn } from 'node:child_process';

export interface Ended {
  readonly exit: number | null;
  /** Of both outputs, as it came. */
  readonly text: string;
}

export type Variables = Readonly<Record<string, string>>;

export function runProgram([program = '', ...args]: readonly string[], cwd: string, env: Variables): Promise<Ended> {
  const child = spawn(program, args, { cwd, env });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  child.stderr.on('data', (data: Buffer) => (text += data.toString()));
  return new Promise((resolve) => child.on('close', (exit) => resolve({ exit, text })));
}

/** GitHub and GitLab both stop at the first command that fails. */
export function runBash(script: string, cwd: string, env: Variables): Promise<Ended> {
  return runProgram(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', script], cwd, env);
}
