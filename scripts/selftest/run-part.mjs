// Tries a part of the self-test's subjects in a process of its own, and sends each result to the parent, if there is one.
import { readFileSync } from 'node:fs';
import { runSelftest } from '../../build/selftest/run-selftest.js';
import { tryPool } from '../../build/selftest/try-pool.js';

/**
 * @typedef {object} Part
 * @property {'trials' | 'pools'} kind
 * @property {readonly string[]} names
 * @property {number} [seed] of pools
 * @property {boolean} [isWriting] the committed verdicts are about to be replaced
 * @property {boolean} [isThorough] every gateway is also judged with --strict and from its recording
 */

/** Of how many gateways one is judged again: that rests on the same answers, whatever the fault. */
const JUDGED_TWICE = 12;
/** One replica of three, and as sure of its faults. */
const POOL = { replicas: 3, detect: 3 };

/** The committed verdicts on gateways: a trial with others is made again, alone, since a busy machine may be the reason. */
const golden = new Set(readFileSync(new URL('../../test/golden-verdicts.txt', import.meta.url), 'utf8').split('\n'));

/** @type {Part} */
const { kind, names, seed = 1, isWriting = false, isThorough = false } = JSON.parse(process.argv[2] ?? '{}');

/** @param {import('../../build/selftest/trial.js').TrialResult} result */
const accepts = ({ subject, problems, verdicts }) =>
  problems.length === 0 && (isWriting || subject.side !== 'gateway' || golden.has(verdicts));

/** @param {{ readonly id: string }} subject */
const judgesTwice = ({ id }) => isThorough || names.indexOf(id) % JUDGED_TWICE === 0;

/** @param {object} result */
const onResult = (result) => void process.send?.(result);

/** @type {Record<Part['kind'], (names: readonly string[], seed: number) => Promise<unknown>>} */
const TRIALS = {
  trials: (names) => runSelftest({ names, accepts, judgesTwice, onResult }),
  pools: (names, seed) => tryPool({ names, seed, ...POOL, onResult }),
};

await TRIALS[kind](names, seed);
process.disconnect?.();
