// Starts Node processes, measures them from outside, and sums up several runs of one thing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
/** @import { ChildProcess } from 'node:child_process' */

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PEAK_MEMORY = fileURLToPath(new URL('./peak-memory.cjs', import.meta.url));

/** Everything that the bench writes on its way; gone when it ends. */
export const SCRATCH = mkdtempSync(join(tmpdir(), 'wirecheck-bench-'));
/** @type {Set<ChildProcess>} */
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill();
  rmSync(SCRATCH, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/**
 * Otherwise a process would outlive a bench that fails.
 * @template {ChildProcess} Child
 * @param {Child} child
 */
export function endWithBench(child) {
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

/**
 * Times by this process's clock, in milliseconds. Throws if the exit code is not 0.
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 */
export async function runNode(args, env = {}) {
  return runFile(process.execPath, args, env);
}

/**
 * The same, of another program.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 */
export async function runFile(program, args, env = {}) {
  const began = performance.now();
  const child = endWithBench(
    spawn(program, args, {
      cwd: SCRATCH,
      env: { ...ownEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part) => (text.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part) => (text.stderr += part));
  const exited = once(child, 'exit').then(([code]) => ({ code, ended: performance.now() }));
  await once(child, 'close');
  const { code, ended } = await exited;
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${text.stdout}${text.stderr}`);
  return { began, ended, wall: ended - began, stdout: text.stdout };
}

/**
 * The same, with the most memory that the process ever had, in bytes.
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 */
export async function runNodeForMemory(args, env = {}) {
  const file = join(SCRATCH, 'peak-memory');
  const run = await runNode(['--require', PEAK_MEMORY, ...args], { ...env, BENCH_PEAK_MEMORY: file });
  return { ...run, peak: Number(readFileSync(file, 'utf8')) };
}

/** @typedef {{ baseUrl: string, key: string, close(): Promise<void> }} GatewayProcess */

/**
 * The reference gateway in a process of its own.
 * @param {number} latencyMs
 * @param {readonly string[]} flags
 * @returns {Promise<GatewayProcess>}
 */
export async function startGatewayProcess(latencyMs, flags = []) {
  const args = [CLI, 'gateway', '--latency', latencyMs === 0 ? '0' : `${latencyMs}ms`, ...flags];
  const child = endWithBench(
    spawn(process.execPath, args, { env: ownEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const [text] = /** @type {[string]} */ (await once(child.stdout.setEncoding('utf8'), 'data'));
  const [baseUrl] = /http:\S+/.exec(text) ?? [];
  const [, key] = /full key\s+(\S+)/.exec(text) ?? [];
  if (baseUrl === undefined || key === undefined) throw new Error(`The gateway printed no address and key:\n${text}`);
  return {
    baseUrl,
    key,
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Settings of the person who runs the bench would change what is measured. */
function ownEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WIRECHECK_')));
}

/**
 * The median, and between what the runs lay.
 * @typedef {{ median: number, low: number, high: number, runs: number }} Summary
 */

/**
 * @param {readonly number[]} values
 * @returns {Summary}
 */
export function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  // One value of an odd number, two of an even one.
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  const median = middle.reduce((sum, value) => sum + value, 0) / middle.length;
  return {
    median: rounded(median),
    low: rounded(Math.min(...sorted)),
    high: rounded(Math.max(...sorted)),
    runs: sorted.length,
  };
}

/**
 * Four digits are more than any of this is exact to.
 * @param {number} value
 */
function rounded(value) {
  return Number(value.toPrecision(4));
}

/**
 * One summary for each field of the rounds.
 * @template {string} Name
 * @param {readonly Readonly<Record<Name, number>>[]} rounds
 */
export function summaries(rounds) {
  const names = /** @type {Name[]} */ (Object.keys(rounds[0] ?? {}));
  const summed = names.map((name) => [name, summary(rounds.map((round) => round[name]))]);
  return /** @type {Record<Name, Summary>} */ (Object.fromEntries(summed));
}

/**
 * One round after another: what is compared is measured in the same minute.
 * @template Round
 * @param {number} times
 * @param {(round: number) => Round | Promise<Round>} measure
 */
export async function repeat(times, measure) {
  /** @type {Round[]} */
  const rounds = [];
  for (let round = 0; round < times; round += 1) rounds.push(await measure(round));
  return rounds;
}
