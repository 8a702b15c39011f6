// Starts Node processes, measures them from outside, and sums up several runs of one thing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PEAK_MEMORY = fileURLToPath(new URL('./peak-memory.cjs', import.meta.url));

/** Everything that the bench writes on its way; gone when it ends. */
export const SCRATCH = mkdtempSync(join(tmpdir(), 'wirecheck-bench-'));
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill();
  rmSync(SCRATCH, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

/** Ends with the bench at the latest. */
export function startNode(args, options) {
  const child = spawn(process.execPath, args, options);
  children.add(child);
  child.on('exit', () => children.delete(child));
  return child;
}

/** Times by this process's clock, in milliseconds. Throws if the exit code is not 0. */
export async function runNode(args, env = {}) {
  const began = performance.now();
  const child = startNode(args, {
    cwd: SCRATCH,
    env: { ...ownEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (part) => (text[name] += part));
  const exited = once(child, 'exit').then(([code]) => ({ code, ended: performance.now() }));
  await once(child, 'close');
  const { code, ended } = await exited;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}:\n${text.stdout}${text.stderr}`);
  return { began, ended, wall: ended - began, stdout: text.stdout };
}

/** The same, with the most memory that the process ever had, in bytes. */
export async function runNodeForMemory(args, env = {}) {
  const file = join(SCRATCH, 'peak-memory');
  const run = await runNode(['--require', PEAK_MEMORY, ...args], { ...env, BENCH_PEAK_MEMORY: file });
  return { ...run, peak: Number(readFileSync(file, 'utf8')) };
}

/** The reference gateway in a process of its own. */
export async function startGatewayProcess(latencyMs, flags = []) {
  const child = startNode([CLI, 'gateway', '--latency', latencyMs === 0 ? '0' : `${latencyMs}ms`, ...flags], {
    env: ownEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await once(child.stdout.setEncoding('utf8'), 'data');
  return {
    baseUrl: /http:\S+/.exec(text)[0],
    key: /full key\s+(\S+)/.exec(text)[1],
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

/** The median, and between what the runs lay. */
export function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median: rounded(median), low: rounded(sorted[0]), high: rounded(sorted.at(-1)), runs: sorted.length };
}

/** Four digits are more than any of this is exact to. */
function rounded(value) {
  return Number(value.toPrecision(4));
}

/** One summary for each field of the rounds. */
export function summaries(rounds) {
  return Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, summary(rounds.map((round) => round[name]))]));
}

/** One round after another: what is compared is measured in the same minute. */
export async function repeat(times, measure) {
  const rounds = [];
  for (let round = 0; round < times; round += 1) rounds.push(await measure(round));
  return rounds;
}
