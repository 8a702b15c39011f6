// What `npm test` costs: the time and the CPU of all its processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { endWithBench, repeat, runNode, summary } from './measure.mjs';

/** Linux counts so many ticks of CPU time a second. */
const TICKS = 100;

/** Before and after the tests, since other machines on the same hardware may slow this one down. */
const STARTS = 11;

export async function measureTests() {
  const starts = await repeat(STARTS, startNode);
  const [began, before] = [performance.now(), cpuOfChildren()];
  const [code] = await once(endWithBench(spawn('npm', ['test'], { stdio: 'ignore' })), 'exit');
  if (code !== 0) throw new Error(`npm test ended with ${code}.`);
  const [wall, cpu] = [(performance.now() - began) / 1000, cpuOfChildren() - before];
  return { wall, cpu, node: summary([...starts, ...(await repeat(STARTS, startNode))]) };
}

async function startNode() {
  return (await runNode(['-e', '0'])).wall;
}

/** Seconds of all processes that this one started, and those that they started, once they have ended: see proc(5). */
function cpuOfChildren() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
