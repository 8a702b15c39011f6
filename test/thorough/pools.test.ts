/** The promise of `--detect 1/3` on two pools. `npm run selftest` tries 54 of them, and with `--all` every one. */
import { expect, it } from 'vitest';
import { formatPoolTrial, tryPool } from '../../selftest/try-pool.ts';

/** Milliseconds: each run sends some 600 requests, and machines may be busy. */
const LIMIT = 600_000;

it(
  'At 1/3, must faults of one replica in three are found, and an unusual transport is left alone',
  async () => {
    const names = ['stream-plain-json', 'gzip'];
    const trials = await tryPool({ names, seed: 1, replicas: 3, detect: 3 });
    expect(trials.map(({ subject }) => subject.id).toSorted()).toEqual(names.toSorted());
    expect(trials.filter(({ isRight }) => !isRight).map(formatPoolTrial)).toEqual([]);
  },
  LIMIT,
);
