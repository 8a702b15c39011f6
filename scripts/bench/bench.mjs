// Measures the cost and speed of runs and writes reports/bench.md and reports/bench.json. Exits with 1 if a figure misses
// its limit.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { measureBusy } from './busy.mjs';
import { measureCost, measureNeverStopping, measureSelftest } from './cost.mjs';
import { measureEventStreams } from './event-streams.mjs';
import { formatMiss, gatesOf } from './gates.mjs';
import { formatBench } from './format-bench.mjs';
import { measureRefused } from './refused.mjs';
import { measureJudging } from './judging.mjs';
import { measureLoad } from './load.mjs';
import { measurePools } from './pool.mjs';
import { measureStartUp } from './start-up.mjs';
import { measureTests } from './tests.mjs';
import { measureTraffic } from './traffic.mjs';
/** @import { Measured } from './gates.mjs' */

const REPORTS = new URL('../../reports/', import.meta.url);

/**
 * @template Measurement
 * @param {string} name
 * @param {() => Promise<Measurement>} measureIt
 */
async function measure(name, measureIt) {
  const began = performance.now();
  process.stderr.write(`${name} … `);
  const measured = await measureIt();
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`);
  return measured;
}

/** @type {Measured} */
const measured = {
  machine: {
    date: new Date().toISOString().slice(0, 10),
    node: process.version.replace(/\..*/, ''),
    cores: availableParallelism(),
  },
  cost: await measure('cost', measureCost),
  refused: await measure('refused control', measureRefused),
  neverStopping: await measure('a model that never stops', measureNeverStopping),
  startUp: await measure('start-up and memory', measureStartUp),
  traffic: await measure('traffic', measureTraffic),
  judging: await measure('judging', measureJudging),
  eventStreams: await measure('event streams', measureEventStreams),
  busy: await measure('streams on a busy machine', measureBusy),
  selftest: await measure('self-test', measureSelftest),
  pools: await measure('pools', measurePools),
  load: await measure('load', measureLoad),
  tests: await measure('tests', measureTests),
};
const report = { ...measured, gates: gatesOf(measured) };
writeFileSync(new URL('bench.json', REPORTS), `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(new URL('bench.md', REPORTS), formatBench(report));

const missed = report.gates.filter(({ reached }) => !reached);
for (const gate of missed) process.stderr.write(`missed: ${formatMiss(gate)}\n`);
process.stderr.write('Wrote reports/bench.md and reports/bench.json\n');
process.exitCode = missed.length === 0 ? 0 : 1;
