// Must faults found, and the cost of it, on a pool with one replica at fault: at 1/1, 1/3 and 1/10.
import { sortPoolSubjects, tryPool } from '../../dist/selftest/try-pool.js';
import { summarizePool } from '../../dist/selftest/summarize-pool.js';

const RATES = [1, 3, 10];
const SEED = 1;
/** A sample is typical enough: all of them at 1/10 would take an hour. */
const EVERY = 14;

export async function measurePools() {
  const faults = sortPoolSubjects().tried.filter(({ kind }) => kind === 'fault');
  const names = faults.filter((_, place) => place % EVERY === 0).map(({ id }) => id);
  const rows = [];
  for (const rate of RATES) {
    const trials = await tryPool({ names, seed: SEED, replicas: rate, detect: rate });
    rows.push({ rate, ...summarizePool(trials) });
  }
  return { seed: SEED, of: faults.length, rows };
}
