/** Tries `wirecheck explore` on a gateway with a hidden trigger, or on an unusual one. */
import type { ExploreResult } from '../../src/explore/report-on-explore.ts';
import { type ExploreHooks, runExplore } from '../../src/explore/run-explore.ts';
import { type GatewayOptions, startGateway, type VariantId } from '../../src/gateway/index.ts';
import type { Keys } from '../../src/settings.ts';
import { brokenClauses } from '../compare.ts';
import { openInMemory } from '../in-memory.ts';
import { endlessSettings, exploreSettings, TRIED_REQUESTS } from './explore-settings.ts';
import { describeTrial, type ExploreTrial } from './explore-trial.ts';
import { HIDDEN_FAULTS } from './hidden-faults.ts';
import { needlessParts } from './needless-parts.ts';

export async function tryHidden(id: string, seed: number, requests = TRIED_REQUESTS): Promise<ExploreTrial> {
  const fault = HIDDEN_FAULTS[id];
  if (!fault) throw new Error(`No fault with a hidden trigger is named ${id}.`);
  const result = await exploreGateway({ modifiers: [fault] }, seed, requests);
  const needless = await needlessParts(result.causes, (look) => exploreGateway({ modifiers: [fault] }, seed, 0, look));
  const settings = exploreSettings(result.report.target.baseUrl, seed, requests);
  return describeTrial(id, fault.breaks, { result, settings, needless });
}

/** The clauses that an unusual gateway is blamed for. */
export async function blamedOf(id: VariantId, seed: number, requests: number): Promise<readonly string[]> {
  const { report } = await exploreGateway({ variant: id }, seed, requests);
  return [...brokenClauses(report)];
}

/** Over a socket only if an answer needs one. */
async function exploreGateway(
  given: GatewayOptions,
  seed: number,
  requests: number,
  look?: ExploreHooks['look'],
): Promise<ExploreResult> {
  const options = { ...given, eventGapMs: 0 };
  const needsSocket = new AbortController();
  const { baseUrl, facts, connect } = openInMemory(options, () => needsSocket.abort());
  const settings = look ? endlessSettings(baseUrl, seed) : exploreSettings(baseUrl, seed, requests);
  const result = await runExplore(settings, fullKey(facts.keys), {
    connect,
    signal: needsSocket.signal,
    ...(look && { look }),
  });
  if (!needsSocket.signal.aborted) return result;
  const gateway = await startGateway(options);
  try {
    return await runExplore({ ...settings, baseUrl: gateway.baseUrl }, fullKey(gateway.keys), look ? { look } : {});
  } finally {
    await gateway.close();
  }
}

function fullKey({ full }: Keys): Keys {
  return full === undefined ? {} : { full };
}
