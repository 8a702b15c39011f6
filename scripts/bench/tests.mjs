// What `npm test` costs: the time and the CPU of all its processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Linux counts so many ticks of CPU time a second. */
const TICKS = 100;

export async function measureTests() {
  const [began, before] = [performance.now(), cpuOfChildren()];
  const [code] = await once(spawn('npm', ['test'], { stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`npm test ended with ${code}.`);
  return { wall: (performance.now() - began) / 1000, cpu: cpuOfChildren() - before };
}

/** Seconds of all processes that this one started, and those that they started, once they have ended: see proc(5). */
function cpuOfChildren() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}
