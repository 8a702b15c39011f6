/** Explorations of the reference gateway, quick enough for a test. */
import type { ExploreResult } from '../../src/explore/report-on-explore.ts';
import { runExplore } from '../../src/explore/run-explore.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import type { Settings } from '../../src/settings.ts';
import { exploreSettings } from '../../src/selftest/explore/explore-settings.ts';
import { gatewayFor } from './real-run.ts';

export async function exploreFor(
  options: GatewayOptions,
  requests: number,
  changes: Partial<Settings> = {},
): Promise<ExploreResult> {
  const gateway = await gatewayFor({ ...options, eventGapMs: 0 });
  const settings = { ...exploreSettings(gateway.baseUrl, 3, requests), retryPauses: [1, 2], ...changes };
  return runExplore(settings, { full: gateway.keys.full });
}
