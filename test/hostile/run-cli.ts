/** Runs the built command as a process of its own, and measures it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/contract/package-root.ts';
import { FORMAT_NAMES, type FormatName } from '../../src/settings/settings-table.ts';

const CLI = join(packageRoot(), 'dist/cli.js');

/**
 * Peak of the memory in use, in kibibytes. Linux tells in `resourceUsage` no less than what the process that started
 * this one took up, so it is asked another way there.
 */
const HOOK = `import { readFileSync, writeFileSync } from 'node:fs';
function peak() {
  try {
    return /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(peak())));`;

/** Below the defaults, so that what waits for a limit does not wait long; a busy machine is given its time. */
const LIMITS = [
  ...['--connect-timeout', '30s', '--first-byte-timeout', '30s', '--idle-timeout', '30s', '--timeout', '60s'],
  ...['--max-time', '120s', '--retries', '0', '--max-retry-wait', '1s'],
];
/** The cases of this suite send nothing that others do not send too, only far more often. */
const FEWER = ['--skip', 'parameters/*'];

/** What is written beside the reports, by name. */
const OTHERS = { recording: 'recording.ndjson', summary: 'summary.md' };
export const RECORD = ['--record', OTHERS.recording];
export type WrittenName = FormatName | keyof typeof OTHERS;

export interface Ended {
  /** Its code, or the signal that ended it. */
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly peakMiB: number;
  /** By name of the format, or what else it is. */
  readonly files: Readonly<Partial<Record<WrittenName, string>>>;
  /** Names of everything in the folder of the run. */
  readonly left: readonly string[];
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
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-hostile-'));
  const [hook, peak] = [join(folder, 'hook.mjs'), join(folder, 'peak')];
  writeFileSync(hook, HOOK);
  const formats = FORMAT_NAMES.filter((name) => name !== 'terminal');
  const reporters = formats.flatMap((name) => ['--reporter', `${name}=out/${name}`]);
  const command = ['--import', `file://${hook}`, CLI, 'run', baseUrl, '--verbose'];
  const summary = join(folder, OTHERS.summary);
  const began = performance.now();
  const child = spawn(process.execPath, [...command, ...LIMITS, ...FEWER, ...reporters, ...flags], {
    cwd: folder,
    env: { WIRECHECK_API_KEY: key, PEAK_FILE: peak, GITHUB_STEP_SUMMARY: summary, ...env },
  });
  const end = async (): Promise<Ended> => {
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    const exit = await new Promise<number | string>((resolve) =>
      child.on('close', (code, signal) => resolve(code ?? String(signal))),
    );
    const seconds = (performance.now() - began) / 1000;
    const written = [
      ...formats.map((name) => [name, join(folder, 'out', name)] as const),
      ...Object.entries(OTHERS).map(([name, file]) => [name, join(folder, file)] as const),
    ].filter(([, path]) => existsSync(path));
    const ended: Ended = {
      exit,
      stdout: await stdout,
      stderr: await stderr,
      seconds,
      peakMiB: existsSync(peak) ? Number(readFileSync(peak, 'utf8')) / 1024 : Number.NaN,
      files: Object.fromEntries(written.map(([name, path]) => [name, readFileSync(path, 'utf8')])),
      left: readdirSync(folder, { recursive: true }).map(String),
    };
    rmSync(folder, { recursive: true, force: true });
    return ended;
  };
  return { child, ended: end() };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await once(stream, 'close');
  return Buffer.concat(pieces).toString();
}
