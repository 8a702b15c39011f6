/** The promise of `--detect 1/3` on a sample of faults, by one seed. `wirecheck selftest --pool --seeds 3` tries them all. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { formatPoolTrial, LEAST_FOUND, summarizePool } from '../src/selftest/summarize-pool.ts';
import { sortPoolSubjects, tryPool } from '../src/selftest/try-pool.ts';

const SAMPLED = 40;
const POOL = { replicas: 3, detect: 3 };
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
  'At 1/3, a must fault of one replica in three is found',
  async () => {
    const first = await tryPool({ ...POOL, names: SAMPLE, seed: 1 });
    expect(first).toHaveLength(SAMPLED);
    const missed = first.filter(({ isRight, hasPassed }) => !isRight && !hasPassed);
    // By the promise itself, one in twenty may be missed by chance, but hardly with two seeds.
    const second = await tryPool({ ...POOL, names: missed.map(({ subject }) => subject.id), seed: 2 });
    const trials = [...first.filter((trial) => !missed.includes(trial)), ...second];
    const { faults, found } = summarizePool(trials);
    expect(faults).toBeGreaterThan(SAMPLED - 5);
    expect(found, [...first, ...second].map(formatPoolTrial).join('')).toBeGreaterThanOrEqual(LEAST_FOUND * faults);
  },
  LIMIT,
);
