/**
 * The command of `--during`: started without a shell and without keys. If wirecheck ends it, everything that it started is
 * ended too; a gateway that it restarted lives on otherwise.
 */
import { Child } from '../client/drive/child.ts';
import { clientEnvironment } from '../client/client-setup.ts';
import type { LoadDuring } from '../../report/load-report.ts';

export interface DuringOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The environment of the user, without keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command prints. */
  readonly onOutput?: (text: Buffer) => void;
}

/** Ended when `signal` aborts. Returns when it has ended, by itself or not, and never rejects. */
export async function runDuring(
  { command, cwd, env, onOutput = () => undefined }: DuringOptions,
  signal: AbortSignal,
): Promise<LoadDuring> {
  const began = performance.now();
  const { variables } = clientEnvironment(env);
  const streams = { takesInput: false, stdout: 'pipe', onStdout: onOutput, onStderr: onOutput } as const;
  const child = new Child(command, { env: variables, cwd, leavesOthers: true, ...streams });
  const kill = (): void => child.kill();
  signal.addEventListener('abort', kill);
  const end = await child.ended;
  signal.removeEventListener('abort', kill);
  const duration = Math.round(performance.now() - began);
  return { command, duration, end: signal.aborted ? { kind: 'ended-by-us' } : describeEnd(end) };
}

function describeEnd(end: Awaited<Child['ended']>): LoadDuring['end'] {
  switch (end.kind) {
    case 'exited':
      return { kind: 'exited', code: end.exit };
    case 'killed':
      return { kind: 'signalled', signal: end.signal };
    case 'not-started':
      return end;
  }
}

/** A command that failed proves nothing about the target. */
export function hasFailed({ end }: LoadDuring): boolean {
  return end.kind !== 'exited' || end.code !== 0;
}
