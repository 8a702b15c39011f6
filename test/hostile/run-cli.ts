/** Runs the built command in a process of its own, and measures it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/contract/package-root.ts';
import { FORMAT_NAMES, type FormatName } from '../../src/settings/format-names.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';

export const CLI = join(packageRoot(), 'dist/cli.js');

/**
 * Writes the peak memory in kibibytes. On Linux, `resourceUsage` can report the peak of the parent process, so
 * `/proc` is read instead.
 */
export const PEAK = `import { readFileSync, writeFileSync } from 'node:fs';
function peak() {
  try {
    return Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
`;
const HOOK = `${PEAK}
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(peak())));`;

/** Shorter than the defaults, so that tests of limits end soon, but long enough for a busy machine. */
const LIMITS = [
  ...['--connect-timeout', '30s', '--first-byte-timeout', '30s', '--idle-timeout', '30s', '--timeout', '60s'],
  ...['--max-time', '120s', '--retries', '0', '--max-retry-wait', '1s'],
];
/** A few requests of each kind; the other cases send the same kinds, only far more of them. */
export const FEWER = [
  ...['--only', 'models/*', '--only', 'chat/reply', '--only', 'chat/every-*', '--only', 'chat/unknown-model*'],
  ...['--only', 'streaming/*', '--only', 'auth/unknown-key*', '--only', 'auth/key-*', '--only', 'errors/every-*'],
];
export const MOST = ['--skip', 'parameters/*'];

/** Other files that a run writes. */
const OTHERS = { recording: 'recording.ndjson', summary: 'summary.md' };
const WRITTEN_FORMATS = FORMAT_NAMES.filter((name) => name !== 'terminal');
export const RECORD = ['--record', OTHERS.recording];
export type WrittenName = FormatName | keyof typeof OTHERS;

export interface Ended {
  /** Exit code, or the signal that ended the process. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** Absent if it had no process of its own. */
  readonly peakMiB?: number;
  /** Contents by format or name. */
  readonly files: Readonly<Partial<Record<WrittenName, string>>>;
  /** Paths of everything in the folder of the run. */
  readonly left: readonly string[];
}

/** What a run is given, and a folder of its own for what it writes. */
export interface Prepared {
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Enough for 64 answers at once, and soon over. */
const CALLS = IS_THOROUGH ? '200' : '160';
const UNDER_LOAD = [
  ...['--stages', '1,64', '--duration', '4s', '--recovery', '5s'],
  ...['--max-requests', CALLS, '--max-completions', CALLS],
];

export function prepareRun(baseUrl: string, key: string, flags: readonly string[]): Prepared {
  return prepare(key, ['run', baseUrl, '--verbose', ...LIMITS, ...flags]);
}

/** Of `wirecheck load`. */
export function prepareLoad(baseUrl: string, key: string, flags: readonly string[]): Prepared {
  return prepare(key, ['load', baseUrl, ...LIMITS.slice(0, LIMITS.indexOf('--retries')), ...UNDER_LOAD, ...flags]);
}

function prepare(key: string, args: readonly string[]): Prepared {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-hostile-'));
  const reporters = WRITTEN_FORMATS.flatMap((name) => ['--reporter', `${name}=out/${name}`]);
  return {
    folder,
    args: [...args, ...reporters],
    env: { WIRECHECK_API_KEY: key, GITHUB_STEP_SUMMARY: join(folder, OTHERS.summary) },
  };
}

/** Reads what the run wrote, and takes its folder away. */
export function collectFiles(folder: string): Pick<Ended, 'files' | 'left'> {
  const written = [
    ...WRITTEN_FORMATS.map((name) => [name, join(folder, 'out', name)] as const),
    ...Object.entries(OTHERS).map(([name, file]) => [name, join(folder, file)] as const),
  ].filter(([, path]) => existsSync(path));
  const files = Object.fromEntries(written.map(([name, path]) => [name, readFileSync(path, 'utf8')]));
  const left = readdirSync(folder, { recursive: true }).map(String);
  rmSync(folder, { recursive: true, force: true });
  return { files, left };
}

export async function runCli(...args: Parameters<typeof startCli>): Promise<Ended> {
  return startCli(...args).ended;
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

export function startCli(
  baseUrl: string,
  key: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  return startPrepared(prepareRun(baseUrl, key, flags), env);
}

export function startPrepared(
  { folder, args, env: own }: Prepared,
  env: Readonly<Record<string, string>> = {},
): Started {
  const [hook, peak] = [join(folder, 'hook.mjs'), join(folder, 'peak')];
  writeFileSync(hook, HOOK);
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', pathToFileURL(hook).href, CLI, ...args], {
    cwd: folder,
    env: { ...own, PEAK_FILE: peak, ...env },
  });
  const end = async (): Promise<Ended> => {
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    const exit = await new Promise<number | string>((resolve) =>
      child.on('close', (code, signal) => resolve(code ?? String(signal))),
    );
    const seconds = (performance.now() - began) / 1000;
    const peakMiB = existsSync(peak) ? Number(readFileSync(peak, 'utf8')) / 1024 : Number.NaN;
    return { exit, stdout: await stdout, stderr: await stderr, seconds, peakMiB, ...collectFiles(folder) };
  };
  return { child, ended: end() };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await once(stream, 'close');
  return Buffer.concat(pieces).toString();
}
