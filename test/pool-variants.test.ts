/** Unusual transports on one replica of three, with `--detect 1/3`. In a file of its own, to run beside the faults. */
import { expect, it } from 'vitest';
import { TRANSPORT_VARIANTS } from '../src/gateway/variants/transport.ts';
import { formatPoolTrial } from '../src/selftest/summarize-pool.ts';
import { tryPool } from '../src/selftest/try-pool.ts';

/** Milliseconds: each run sends some 600 requests, and machines may be busy. */
const LIMIT = 1_200_000;

it(
  'At 1/3, nothing is found in a pool in which one replica in three has an unusual transport',
  async () => {
    const trials = await tryPool({ names: Object.keys(TRANSPORT_VARIANTS), seed: 1, replicas: 3, detect: 3 });
    expect(trials.length).toBeGreaterThan(10);
    expect(trials.map(formatPoolTrial).join('')).toBe('');
  },
  LIMIT,
);
