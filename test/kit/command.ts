/** Runs a command in this process: a process of its own costs a second, and is the point of few tests. */
import type { CommandIo } from '../../src/commands/command-row.ts';
import { execute } from '../../src/commands/command-line.ts';
import { UsageError } from '../../src/usage-error.ts';

export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit 2 with its sentence for a UsageError, as `main.ts` ends the process. */
export async function runCommand(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  more: Pick<CommandIo, 'loadPace'> = {},
): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const screen = { colour: false, live: false, columns: undefined };
  try {
    const exit = await execute(args, {
      cwd,
      env,
      stdout: { ...screen, write: (text) => void (stdout += text) },
      stderr: { ...screen, write: (text) => void (stderr += text) },
      onInterrupt: () => () => undefined,
      ...more,
    });
    return { exit, stdout, stderr };
  } catch (error) {
    if (error instanceof UsageError) return { exit: 2, stdout, stderr: `${stderr}${error.message}\n` };
    throw error;
  }
}
