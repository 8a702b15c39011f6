// Must faults found, and the cost of it, on a pool with one replica at fault: at 1/1, 1/3 and 1/10.
import { startGateway } from '../../build/src/gateway/index.js';
import { DEFAULT_SETTINGS, run } from '../../build/src/index.js';
import { sortPoolSubjects, tryPool } from '../../build/selftest/try-pool.js';
import { summarizePool } from '../../build/selftest/try-pool.js';

const RATES = [1, 3, 10];
const SEED = 1;
/** A sample is typical enough: all of them at 1/10 would take an hour. */
const EVERY = 7;

export async function measurePools() {
  const faults = sortPoolSubjects().tried.filter(({ kind }) => kind === 'fault');
  const names = faults.filter((_, place) => place % EVERY === 0).map(({ id }) => id);
  const rows = [];
  for (const rate of RATES) {
    const trials = await tryPool({ names, seed: SEED, replicas: rate, detect: rate });
    rows.push({ rate, conforming: await costOf(rate), tried: names.length, ...summarizePool(trials) });
  }
  return { seed: SEED, of: faults.length, rows };
}

/**
 * Of a run on a gateway that conforms.
 * @param {number} rate
 */
async function costOf(rate) {
  const gateway = await startGateway();
  const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, detect: rate };
  const { cost } = await run(settings, { full: gateway.keys.full });
  await gateway.close();
  return cost.used;
}
