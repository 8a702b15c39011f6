/** Tries `wirecheck relay --explore` on a relay with a hidden trigger, or on an unusual but correct one. */
import { runRelayExplore } from '../../src/explore/relay/run-relay-explore.ts';
import { startExploreUpstream } from '../../src/explore/relay/upstream.ts';
import type { ExploreHooks } from '../../src/explore/run-explore.ts';
import type { ExploreResult } from '../../src/explore/report-on-explore.ts';
import type { Settings } from '../../src/settings.ts';
import { brokenClauses } from '../compare.ts';
import { RIGHT_RELAYS } from '../relays/catalogue.ts';
import type { LegalRelay } from '../relays/relay-modifier.ts';
import { RELAY_KEYS, startSmallRelay } from '../relays/small-relay.ts';
import { exploreSettings, TRIED_REQUESTS } from './explore-settings.ts';
import { describeTrial, type ExploreTrial } from './explore-trial.ts';
import { HIDDEN_RELAYS } from './hidden-relays.ts';
import { needlessParts } from './needless-parts.ts';

/** These tell a request that the upstream refuses as 500. A client that sent it may not get that for its own mistake. */
const TELL_400_AS_500 = ['relay-own-statuses', 'relay-passes-refusals-on'];

/** Relays that must not be blamed for anything. */
export const EXPLORED_RELAYS: readonly string[] = Object.keys(RIGHT_RELAYS).filter(
  (id) => !TELL_400_AS_500.includes(id),
);

export async function tryHiddenRelay(id: string, seed: number, requests = TRIED_REQUESTS): Promise<ExploreTrial> {
  const relay = HIDDEN_RELAYS[id];
  if (!relay) throw new Error(`No relay with a hidden trigger is named ${id}.`);
  const { settings, result } = await exploreRelay(relay, seed, requests);
  const needless = await needlessParts(result.causes, (look) => exploreRelay(relay, seed, 0, look));
  return describeTrial(id, relay.breaks, { result, settings, needless });
}

/** The clauses that an unusual relay is blamed for. */
export async function blamedOfRelay(id: string, seed: number, requests: number): Promise<readonly string[]> {
  const relay = RIGHT_RELAYS[id];
  if (!relay) throw new Error(`No relay is named ${id}.`);
  const { result } = await exploreRelay(relay, seed, requests);
  return [...brokenClauses(result.report)];
}

/** Milliseconds: one relay refuses calls for half a second after a failure. */
const RETRY_PAUSES = [600, 1_000];

async function exploreRelay(
  modifier: LegalRelay,
  seed: number,
  requests: number,
  look?: ExploreHooks['look'],
): Promise<{ readonly settings: Settings; readonly result: ExploreResult }> {
  const given = exploreSettings('', seed, requests);
  const { maxCompletions: _most, explore, ...free } = given;
  const settings: Settings = {
    ...free,
    retryPauses: RETRY_PAUSES,
    relay: { ...given.relay, ...(modifier.models && { upstreamModel: modifier.models }) },
    ...(explore && { explore: { ...explore, shrinkCompletions: look ? 100_000 : 1_000 } }),
  };
  const keys = { full: RELAY_KEYS.full };
  const upstream = await startExploreUpstream(settings, keys, 0);
  const relay = await startSmallRelay({ upstreamUrl: upstream.url, modifiers: [modifier] });
  try {
    const result = await runRelayExplore({ ...settings, baseUrl: relay.baseUrl }, keys, upstream, look ? { look } : {});
    return { settings, result };
  } finally {
    await relay.close();
  }
}
