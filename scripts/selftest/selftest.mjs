// Tries every fault and variant, every client and every relay for real, and a sample of the pools and of the targets under
// load. Compares the golden verdicts and the kill matrix with the committed ones; --write writes them anew. --all tries
// every target under load and every pool with three seeds, and judges each gateway twice.
// With names, only those are tried: `npm run selftest -- gzip client-no-bearer`; with --pool, on one replica of three.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { TRANSPORT_VARIANTS } from '../../build/src/gateway/variants/transport.js';
import { killMatrix } from '../../build/selftest/kill-matrix.js';
import { formatPool, formatPoolTrial, isPoolPassed, summarizePool } from '../../build/selftest/try-pool.js';
import { formatProblems, summarizeTrials } from '../../build/selftest/compare.js';
import { listSubjects } from '../../build/selftest/test-subjects.js';
import { sortPoolSubjects } from '../../build/selftest/try-pool.js';
import { goldenVerdicts, isCurrent } from './files.mjs';
import { runParts, shares } from './run-parts.mjs';

/** @typedef {import('../../build/selftest/try-pool.js').PoolTrial} PoolTrial */
/** @typedef {import('../../build/selftest/trial.js').TrialResult} TrialResult */

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, all: { type: 'boolean' }, pool: { type: 'boolean' } },
});
const { write = false, all = false, pool = false } = values;
/** Each takes some 15 s alone. */
const LOAD_SAMPLE = 12;
const POOL_SAMPLE = 24;
const began = performance.now();

/** @param {readonly { readonly id: string }[]} subjects */
const namesOf = (subjects) => subjects.map(({ id }) => id);
/** @param {string} text */
const say = (text) => process.stdout.write(text);

/** The same ones whenever others are added, but for one that may make room. @param {readonly string[]} names */
const ranked = (names) => {
  const rank = (/** @type {string} */ id) => createHash('sha256').update(id).digest('hex');
  return names.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
};

/**
 * The results have the order of the list.
 *
 * @param {readonly (readonly string[])[]} parts names, each part in a process of its own
 */
async function tryNames(parts) {
  const results = /** @type {readonly TrialResult[]} */ (
    await runParts(
      parts.map((names) => ({ kind: /** @type {const} */ ('trials'), names, isWriting: write, isThorough: all })),
      (result) => say(formatProblems(/** @type {TrialResult} */ (result))),
    )
  );
  const byId = new Map(results.map((result) => [result.subject.id, result]));
  return listSubjects().flatMap(({ id }) => byId.get(id) ?? []);
}

/** @param {readonly string[]} names @param {number} seed */
async function tryPools(names, seed) {
  const parts = shares(names).map((share) => ({ kind: /** @type {const} */ ('pools'), names: share, seed }));
  const trials = /** @type {readonly PoolTrial[]} */ (
    await runParts(parts, (trial) => say(formatPoolTrial(/** @type {PoolTrial} */ (trial))))
  );
  const summary = summarizePool(trials);
  say(`Pools, ${formatPool(seed, summary)}`);
  return isPoolPassed(summary) && trials.length === names.length;
}

async function tryNamed() {
  const known = namesOf(pool ? sortPoolSubjects().tried : listSubjects());
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`Nothing that can be tried is named ${unknown.join(', ')}.`);
  if (pool) return tryPools(named, 1);
  const trials = await tryNames([named]);
  say(`${summarizeTrials(trials)}\n`);
  return trials.every(({ problems }) => problems.length === 0);
}

async function tryAll() {
  // Clients and relays mostly wait, so they run beside the gateways.
  const [client, relay, gateway] = /** @type {const} */ (['client', 'relay', 'gateway']).map((side) =>
    namesOf(listSubjects(side)),
  );
  const apart = await tryNames([client ?? [], relay ?? [], ...shares(gateway ?? [])]);
  // Under load nothing else may run: what a target does in time is the point.
  const underLoad = await tryNames([ranked(namesOf(listSubjects('load'))).slice(0, all ? undefined : LOAD_SAMPLE)]);
  const trials = [...apart, ...underLoad];
  say(`${summarizeTrials(trials)}\n`);

  const golden = await goldenVerdicts(trials.filter(({ subject }) => subject.side === 'gateway'));
  let passed = trials.every(({ problems }) => problems.length === 0);
  passed = isCurrent('test/golden-verdicts.txt', golden, write) && passed;
  passed = isCurrent('reports/kill-matrix.md', killMatrix(apart), write) && passed;

  const { tried } = sortPoolSubjects();
  const faults = namesOf(tried.filter(({ kind }) => kind === 'fault'));
  const pools = all ? namesOf(tried) : [...ranked(faults).slice(0, POOL_SAMPLE), ...Object.keys(TRANSPORT_VARIANTS)];
  for (const seed of all ? [1, 2, 3] : [3]) {
    passed = (await tryPools(pools, seed)) && passed;
  }
  return passed;
}

const passed = await (named.length > 0 ? tryNamed() : tryAll());
say(`${Math.round((performance.now() - began) / 1000)} s\n`);
process.exitCode = passed ? 0 : 1;
