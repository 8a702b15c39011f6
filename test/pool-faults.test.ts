/** The promise of `--detect 1/3` on a sample of faults, by one seed. `wirecheck selftest --pool --seeds 3` tries them all. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { formatPoolTrial, LEAST_FOUND, summarizePool } from '../src/selftest/summarize-pool.ts';
import { sortPoolSubjects, tryPool } from '../src/selftest/try-pool.ts';

const SAMPLED = 40;
const POOL = { seed: 3, replicas: 3, detect: 3 };
/** Milliseconds: each run sends some 600 requests, and machines may be busy. */
const LIMIT = 1_200_000;

const rank = (id: string): string => createHash('sha256').update(id).digest('hex');

/** The same faults whenever others are added, but for one that may make room. */
const SAMPLE = sortPoolSubjects()
  .tried.filter(({ kind }) => kind === 'fault')
  .map(({ id }) => id as string)
  .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  .slice(0, SAMPLED);

it(
  'At 1/3, at least 95 of 100 must faults of one replica in three are found',
  async () => {
    const trials = await tryPool({ ...POOL, names: SAMPLE });
    expect(trials).toHaveLength(SAMPLED);
    const { faults, found } = summarizePool(trials);
    expect(faults).toBeGreaterThan(SAMPLED - 5);
    expect(found, trials.map(formatPoolTrial).join('')).toBeGreaterThanOrEqual(LEAST_FOUND * faults);
  },
  LIMIT,
);
