/** The process: arguments in, exit code out. Code is loaded only when it is needed, so that `--version` is fast. */
import { EXIT } from './exit-codes.ts';
import type { Interface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import type { CommandIo, Screen } from './commands/command-row.ts';

// Set before anything else is loaded, and never changed. V8 would let garbage pile up to several times what is in use;
// judging 100,000 exchanges would then take more than 150 MB, and some hostile targets more than 200 MB.
setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=100');

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--version' || args[0] === '-V') {
    const { packageVersion } = await import('./contract/package-files.ts');
    screen(process.stdout).write(`${packageVersion()}\n`);
    return;
  }
  const { execute } = await import('./commands/command-line.ts');
  process.exitCode = await execute(args, commandIo());
}

/** A usage error is one sentence; everything else is a bug. */
async function reportError(error: unknown): Promise<void> {
  const { formatUsageError, UsageError, usageErrorJson } = await import('./usage-error.ts');
  if (error instanceof UsageError) {
    if (wantsJson(process.argv.slice(2))) screen(process.stdout).write(usageErrorJson(error));
    process.stderr.write(`${formatUsageError(error)}\n`);
    // The runner shows an annotation on the page of the run, where people look first.
    if (process.env['GITHUB_ACTIONS'] === 'true') {
      const { errorAnnotation } = await import('./render/github/github.ts');
      process.stderr.write(errorAnnotation(error.message));
    }
    process.exitCode = EXIT.usage;
    return;
  }
  const { packageVersion } = await import('./contract/package-files.ts');
  process.stderr
    .write(`This is a bug in wirecheck, not a finding about the target. Please report it to the maintainers with these lines:

wirecheck ${packageVersion()}, Node ${process.version}, ${process.platform} ${process.arch}
${traceOf(error)}
`);
  process.exitCode = EXIT.bug;
}

/** What follows two dashes is the command of a client. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** A stack may quote what was being handled, so keys are removed. */
function traceOf(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const keys = Object.entries(process.env).flatMap(([name, value = '']) =>
    /^WIRECHECK_.*KEY$/.test(name) && value.trim().length >= 8 ? [value.trim()] : [],
  );
  return keys.reduce((text, key) => text.replaceAll(key, '(key)'), trace).replaceAll(/sk-service-[\w-]+/g, '(key)');
}

function commandIo(): CommandIo {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: screen(process.stdout),
    stderr: screen(process.stderr),
    ...(isTerminal(process.stdin) && isTerminal(process.stderr) && { ask, onEnter }),
    onInterrupt: (handler) => {
      let again = false;
      const listener = (signal: NodeJS.Signals) => {
        // A terminal that is closed, and its shell, may both say so.
        if (again && signal !== 'SIGHUP') process.exit(EXIT.interrupted);
        again = true;
        handler();
      };
      // Without a terminal, somebody may have asked to live on when it is closed.
      const signals = ['SIGINT', 'SIGTERM', ...(isTerminal(process.stdin) ? ['SIGHUP'] : [])];
      for (const signal of signals) process.on(signal, listener);
      return () => signals.forEach((signal) => process.off(signal, listener));
    },
  };
}

function onEnter(handler: () => void): () => void {
  // The terminal may be closed.
  process.stdin.on('data', handler).on('error', () => undefined);
  return () => void process.stdin.off('data', handler).pause();
}

let lines: Interface | undefined;
/** Keeps what was typed ahead, or pasted, for the next question. */
let answers: AsyncIterator<string> | undefined;

/** Asks on stderr, since stdout may be piped. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  lines ??= createInterface({ input: process.stdin, output: process.stderr });
  answers ??= lines[Symbol.asyncIterator]();
  lines.setPrompt(question);
  lines.prompt();
  const { value, done } = await answers.next();
  if (done) {
    const { usageError } = await import('./usage-error.ts');
    throw usageError.VALUE_MISSING('Input ended before every question was answered. Nothing was written.');
  }
  // A stream that is read from would keep the process alive.
  lines.pause();
  return value;
}

/** Errors of stdout. Reported at the end, after everything else is done. */
const stdoutErrors = new Set<string>();

function reportStdoutErrors(code: number): void {
  if (stdoutErrors.size === 0 || code === EXIT.bug) return;
  process.stderr.write(`Cannot write to stdout (${[...stdoutErrors].join()}).\n`);
  process.exitCode = EXIT.usage;
}

function screen(stream: NodeJS.WriteStream): Screen {
  const onError = ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    // The reader has gone, as in `wirecheck list | head`. The run and its exit code do not depend on it.
    if (code !== 'EPIPE' && stream === process.stdout) stdoutErrors.add(code);
  };
  stream.on('error', onError);
  return {
    write(text) {
      try {
        if (!stream.destroyed) stream.write(text);
      } catch (error) {
        // Writes to a file are synchronous, so a full disk throws here.
        onError(error as NodeJS.ErrnoException);
      }
    },
    colour: wantsColour(stream),
    live: isTerminal(stream) && !isSet('CI') && process.env['TERM'] !== 'dumb',
    // Both are 0 or absent where no size is known. A window may be resized.
    get columns() {
      return Number(process.env['COLUMNS']) || stream.columns || undefined;
    },
    isTerminal: isTerminal(stream),
  };
}

/** NO_COLOR (https://no-color.org) overrides FORCE_COLOR, which overrides what the stream is. */
function wantsColour(stream: NodeJS.WriteStream): boolean {
  if (isSet('NO_COLOR')) return false;
  if (isSet('FORCE_COLOR')) return process.env['FORCE_COLOR'] !== '0' && process.env['FORCE_COLOR'] !== 'false';
  return isTerminal(stream) && process.env['TERM'] !== 'dumb';
}

/** `isTTY` is absent, rather than false, on anything else. */
function isTerminal({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY ?? false;
}

function isSet(variable: string): boolean {
  return (process.env[variable] ?? '') !== '';
}

/** Never rejects. */
export async function runProcess(): Promise<void> {
  process.on('exit', reportStdoutErrors);
  process.on('uncaughtException', async (error) => {
    try {
      await reportError(error);
    } finally {
      // Also if that fails, which would be the next uncaught exception, and so on for ever.
      process.exit(EXIT.bug);
    }
  });
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    await reportError(error);
  }
}
