/** Gateways with ten faults each: every fault has one finding, which is minimal and counts its own draws. */
import { expect, it } from 'vitest';
import { CROWDS } from '../../selftest/explore/crowds.ts';
import { tryCrowd } from '../../selftest/explore/try-crowd.ts';
import { SEED } from '../kit/explored.ts';

it.each(Object.keys(CROWDS))('%s has a finding for each fault', { timeout: 600_000 }, async (name) => {
  expect(await tryCrowd(name, SEED)).toEqual([]);
});
