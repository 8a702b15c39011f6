#!/usr/bin/env node
/** The process: arguments in, exit code out. Nothing is loaded before it is known to be needed. */
import type { Screen, Surroundings } from './commands/surroundings.ts';

const BUG = 70;
const USAGE = 2;
const INTERRUPTED = 130;

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--version' || args[0] === '-V') {
    const { packageVersion } = await import('./contract/package-root.ts');
    screen(process.stdout).write(`${packageVersion()}\n`);
    return;
  }
  const { execute } = await import('./commands/command-line.ts');
  process.exitCode = await execute(args, surroundings());
}

/** One sentence for what the user can put right; everything else is a bug, and says so. */
async function explain(error: unknown): Promise<void> {
  const { UsageError } = await import('./usage-error.ts');
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    // The runner shows it on the page of the run, where people look first.
    if (process.env['GITHUB_ACTIONS'] === 'true') {
      const { errorAnnotation } = await import('./render/github/github.ts');
      process.stderr.write(errorAnnotation(error.message));
    }
    process.exitCode = USAGE;
    return;
  }
  const { bugReport } = await import('./commands/bug-report.ts');
  const { packageVersion } = await import('./contract/package-root.ts');
  process.stderr.write(bugReport(error, packageVersion(), process.env));
  process.exitCode = BUG;
}

function surroundings(): Surroundings {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: screen(process.stdout),
    stderr: screen(process.stderr),
    ...(isTerminal(process.stdin) &&
      isTerminal(process.stderr) && {
        ask: async (question: string) => (await import('./commands/ask.ts')).ask(question),
      }),
    onInterrupt: (handler) => {
      let again = false;
      const listener = () => {
        if (again) process.exit(INTERRUPTED);
        again = true;
        handler();
      };
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}

/** What kept stdout from being written. Said at the end: whatever else there is to do is done first. */
const faults = new Set<string>();
process.on('exit', (code) => {
  if (faults.size === 0 || code === BUG) return;
  process.stderr.write(`Cannot write to stdout (${[...faults].join()}).\n`);
  process.exitCode = USAGE;
});

function screen(stream: NodeJS.WriteStream): Screen {
  const fault = ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    // Whoever read our output has gone, as in `wirecheck list | head`. The run and its exit code do not depend on that.
    if (code !== 'EPIPE' && stream === process.stdout) faults.add(code);
  };
  stream.on('error', fault);
  return {
    write(text) {
      try {
        if (!stream.destroyed) stream.write(text);
      } catch (error) {
        // A file is written at once, and says at once that the disk is full.
        fault(error as NodeJS.ErrnoException);
      }
    },
    colour: wantsColour(stream),
    live: isTerminal(stream) && !isSet('CI') && process.env['TERM'] !== 'dumb',
    columns: stream.columns,
  };
}

/** NO_COLOR (https://no-color.org) goes before FORCE_COLOR, that before what the stream is. */
function wantsColour(stream: NodeJS.WriteStream): boolean {
  if (isSet('NO_COLOR')) return false;
  if (isSet('FORCE_COLOR')) return process.env['FORCE_COLOR'] !== '0' && process.env['FORCE_COLOR'] !== 'false';
  return isTerminal(stream) && process.env['TERM'] !== 'dumb';
}

/** Absent, rather than false, on anything else. */
function isTerminal({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY ?? false;
}

function isSet(variable: string): boolean {
  return (process.env[variable] ?? '') !== '';
}

process.on('uncaughtException', async (error) => {
  try {
    await explain(error);
  } finally {
    // Also if that fails, which would be the next uncaught exception, and so on for ever.
    process.exit(BUG);
  }
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  await explain(error);
}
