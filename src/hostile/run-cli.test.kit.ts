/** Runs the built command as a process of its own, and measures it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../contract/package-root.ts';
import { FORMAT_NAMES, type FormatName } from '../render/index.ts';

const CLI = join(packageRoot(), 'dist/cli.js');

/** Kibibytes, on every platform (libuv sees to that). */
const HOOK = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`;

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

export async function runCli(
  baseUrl: string,
  key: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'wirecheck-hostile-'));
  const [hook, peak] = [join(folder, 'hook.mjs'), join(folder, 'peak')];
  writeFileSync(hook, HOOK);
  const formats = FORMAT_NAMES.filter((name) => name !== 'terminal');
  const reporters = formats.flatMap((name) => ['--reporter', `${name}=out/${name}`]);
  const began = performance.now();
  try {
    const child = spawn(
      process.execPath,
      [
        ...['--import', `file://${hook}`, CLI, 'run', baseUrl, '--verbose'],
        ...[...LIMITS, ...FEWER, ...reporters, ...flags],
      ],
      {
        cwd: folder,
        env: {
          WIRECHECK_API_KEY: key,
          PEAK_FILE: peak, ...(process.env["MEMVAR"] === undefined ? {} : { MEMVAR: process.env["MEMVAR"] }),
          GITHUB_STEP_SUMMARY: join(folder, OTHERS.summary),
          ...env,
        },
      },
    );
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    const exit = await new Promise<number | string>((resolve) =>
      child.on('close', (code, signal) => resolve(code ?? String(signal))),
    );
    const written = [
      ...formats.map((name) => [name, join(folder, 'out', name)] as const),
      ...Object.entries(OTHERS).map(([name, file]) => [name, join(folder, file)] as const),
    ];
    return {
      exit,
      stdout: await stdout,
      stderr: await stderr,
      seconds: (performance.now() - began) / 1000,
      peakMiB: existsSync(peak) ? Number(readFileSync(peak, 'utf8')) / 1024 : Number.NaN,
      files: Object.fromEntries(
        written.filter(([, path]) => existsSync(path)).map(([name, path]) => [name, readFileSync(path, 'utf8')]),
      ),
      left: readdirSync(folder, { recursive: true }).map(String),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
