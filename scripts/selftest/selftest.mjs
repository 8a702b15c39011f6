// Tries every fault and variant, every client and every relay for real, and a sample of the pools and of the targets under
// load. Compares the golden verdicts and the kill matrix with the committed ones; --write writes them anew. --all tries
// every target under load and every pool with three seeds, judges each gateway twice, and writes reports/selftest.md.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { TRANSPORT_VARIANTS } from '../../build/gateway/variants/transport.js';
import { killMatrix } from '../../build/selftest/kill-matrix.js';
import { formatPool, formatPoolTrial, isPoolPassed, summarizePool } from '../../build/selftest/summarize-pool.js';
import { formatProblems, summarizeTrials } from '../../build/selftest/summarize-trials.js';
import { listSubjects } from '../../build/selftest/test-subjects.js';
import { sortPoolSubjects } from '../../build/selftest/try-pool.js';
import { goldenVerdicts, isCurrent } from './files.mjs';
import { runParts, shares } from './run-parts.mjs';

/** @typedef {import('../../build/selftest/try-pool.js').PoolTrial} PoolTrial */

const { values } = parseArgs({ options: { write: { type: 'boolean' }, all: { type: 'boolean' } } });
const { write = false, all = false } = values;
/** Each takes some 15 s alone. */
const LOAD_SAMPLE = 12;
const began = performance.now();

/** @param {readonly { readonly id: string }[]} subjects */
const namesOf = (subjects) => subjects.map(({ id }) => id);
/** @param {string} text */
const say = (text) => process.stdout.write(text);

/** @typedef {import('../../build/selftest/trial.js').TrialResult} TrialResult */

const SUBJECTS = listSubjects();
// Clients and relays mostly wait, so they run beside the gateways.
const results = /** @type {readonly TrialResult[]} */ (
  await runParts(
    [listSubjects('client'), listSubjects('relay'), ...shares(listSubjects('gateway'))].map((subjects) => ({
      kind: /** @type {const} */ ('trials'),
      names: namesOf(subjects),
      isWriting: write,
      isThorough: all,
    })),
    (result) => say(formatProblems(/** @type {TrialResult} */ (result))),
  )
);
/** The same ones whenever others are added, but for one that may make room. @param {readonly string[]} names */
const ranked = (names) => {
  const rank = (/** @type {string} */ id) => createHash('sha256').update(id).digest('hex');
  return names.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
};
const underLoad = ranked(namesOf(listSubjects('load'))).slice(0, all ? undefined : LOAD_SAMPLE);
// Under load nothing else may run: what a target does in time is the point.
const loadResults = /** @type {readonly TrialResult[]} */ (
  await runParts([{ kind: 'trials', names: underLoad }], (result) =>
    say(formatProblems(/** @type {TrialResult} */ (result))),
  )
);
const byId = new Map([...results, ...loadResults].map((result) => [result.subject.id, result]));
const trials = SUBJECTS.flatMap(({ id }) => byId.get(id) ?? []);
const figures = [`${summarizeTrials(trials)}\n`];
say(figures.join(''));

const golden = await goldenVerdicts(trials.filter(({ subject }) => subject.side === 'gateway'));
let passed = trials.every(({ problems }) => problems.length === 0);
passed = isCurrent('test/golden-verdicts.txt', golden, write) && passed;
passed =
  isCurrent('reports/kill-matrix.md', killMatrix(trials.filter(({ subject }) => subject.side !== 'load')), write) &&
  passed;

/** @param {number} size */
const sampleOfPools = (size) => {
  const faults = namesOf(sortPoolSubjects().tried.filter(({ kind }) => kind === 'fault'));
  return [...ranked(faults).slice(0, size), ...Object.keys(TRANSPORT_VARIANTS)];
};
const pools = all ? namesOf(sortPoolSubjects().tried) : sampleOfPools(40);
for (const seed of all ? [1, 2, 3] : [3]) {
  const parts = shares(pools).map((names) => ({ kind: /** @type {const} */ ('pools'), names, seed }));
  const poolTrials = /** @type {readonly PoolTrial[]} */ (
    await runParts(parts, (trial) => say(formatPoolTrial(/** @type {PoolTrial} */ (trial))))
  );
  const summary = summarizePool(poolTrials);
  figures.push(`Pools, ${formatPool(seed, summary)}`);
  say(figures.at(-1) ?? '');
  passed = isPoolPassed(summary) && poolTrials.length === pools.length && passed;
}

if (all) {
  const today = new Date().toISOString().slice(0, 10);
  const lines = figures.map((figure) => `- ${figure.trimEnd().replaceAll('\n', '\n  ')}`);
  const text = `# Self-test\n\nWritten by \`npm run selftest -- --all\` on ${today}.\n\n${lines.join('\n')}\n`;
  writeFileSync(new URL('../../reports/selftest.md', import.meta.url), text);
}
say(`${Math.round((performance.now() - began) / 1000)} s\n`);
process.exitCode = passed ? 0 : 1;
