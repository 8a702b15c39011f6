/** Explorations of the reference gateway, quick enough for a test. */
import { loadContract } from '../../src/contract/read-contract.ts';
import { fixedRequests } from '../../src/gather/explore/make-draws.ts';
import type { ExploreResult } from '../../src/gather/explore/report-on-explore.ts';
import { runExplore } from '../../src/gather/explore/run-explore.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import type { Settings } from '../../src/settings.ts';
import { exploreSettings } from '../../selftest/explore/try-explore.ts';
import { gatewayFor } from './real-run.ts';

/** The seed of all explorations in tests: a process makes each list of draws once, and that takes longer than sending it. */
export const SEED = 3;

/** Draws that every list begins with. */
export const FIXED = fixedRequests(loadContract()).length;

/** The path of a draw that depends on the seed, by its number among these. */
export const seeded = (number: number): string => String(FIXED + number);

/** `drawn`: so many requests after those that every list begins with, or the draw of a path alone. */
export async function exploreFor(
  options: GatewayOptions,
  drawn: number | string,
  changes: Partial<Settings> = {},
): Promise<ExploreResult> {
  const gateway = await gatewayFor({ ...options, eventGapMs: 0 });
  const usual = exploreSettings(gateway.baseUrl, SEED, typeof drawn === 'number' ? FIXED + drawn : 1);
  const explore = { requests: 1, completions: 1, shrinkCompletions: 0, ...usual.explore };
  const settings = {
    ...usual,
    retryPauses: [1, 2],
    explore: typeof drawn === 'number' ? explore : { ...explore, path: drawn },
    ...changes,
  };
  return runExplore(settings, { full: gateway.keys.full });
}
