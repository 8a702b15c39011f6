/** Tries `wirecheck explore` and `wirecheck relay --explore` on what has a hidden trigger, and on what is unusual. */
import type { DrawCause } from '../../src/gather/explore/cause.ts';
import { planExplore } from '../../src/gather/explore/plan-explore.ts';
import { runRelayExplore, startExploreUpstream } from '../../src/gather/explore/relay/run-relay-explore.ts';
import type { ExploreResult } from '../../src/gather/explore/report-on-explore.ts';
import { type ExploreHooks, runExplore } from '../../src/gather/explore/run-explore.ts';
import { type GatewayOptions, type VariantId, VARIANTS } from '../../src/gateway/index.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import { brokenClauses } from '../compare.ts';
import type { Fault } from '../../src/gateway/modifier.ts';
import { withGateway } from '../in-memory.ts';
import { RIGHT_RELAYS } from '../relays/catalogue.ts';
import type { LegalRelay } from '../relays/relay-modifier.ts';
import { RELAY_KEYS, startSmallRelay } from '../relays/small-relay.ts';
import { settingsFor } from '../try-gateway.ts';
import { FIXED_FAULTS, HIDDEN_FAULTS } from './hidden-faults.ts';
import { HIDDEN_RELAYS } from './hidden-relays.ts';
import { needlessParts } from './needless-parts.ts';

const TRIED_REQUESTS = 300;
const COMPLETIONS = 295;
const SHRINK_COMPLETIONS = 40;

const NO_LIMIT = 100_000;

/** Nothing is drawn, and as much as needed may be asked. */
function endlessSettings(baseUrl: string, seed: number): Settings {
  const { maxCompletions: _most, ...settings } = exploreSettings(baseUrl, seed, 0);
  return { ...settings, explore: { requests: 0, completions: 0, shrinkCompletions: NO_LIMIT } };
}

export function exploreSettings(baseUrl: string, seed: number, requests: number): Settings {
  const { timeouts, retryPauses, maxRetryWait } = settingsFor(baseUrl, '', 1);
  return {
    ...DEFAULT_SETTINGS,
    baseUrl,
    seed,
    timeouts,
    retryPauses,
    maxRetryWait,
    maxCompletions: COMPLETIONS + SHRINK_COMPLETIONS,
    explore: { requests, completions: COMPLETIONS, shrinkCompletions: SHRINK_COMPLETIONS },
  };
}

export interface ExploreTrial {
  readonly id: string;
  /** Clauses that were missed, and clauses that were blamed in vain. */
  readonly problems: readonly string[];
  /** Drawn requests up to the first that showed it; undefined if none did. */
  readonly needed?: number;
  /** Findings that were not shrunk within the budget, and what could be left out of the others. */
  readonly needless: readonly string[];
}

const notShrunk = ({ smallest }: DrawCause): string => `${smallest.path} was not shrunk`;

function describeTrial(
  id: string,
  breaks: readonly string[],
  { result: { report, causes }, settings, needless }: Explored & Pick<ExploreTrial, 'needless'>,
): ExploreTrial {
  const found = brokenClauses(report);
  const needed = requestsNeeded(causes, settings);
  return {
    id,
    problems: [
      ...breaks.filter((clause) => !found.has(clause)).map((clause) => `${clause} was not found`),
      ...[...found].filter((clause) => !breaks.includes(clause)).map((clause) => `${clause} was blamed`),
    ],
    ...(needed !== undefined && { needed }),
    needless: [...needless, ...causes.filter(({ isShrunk }) => !isShrunk).map(notShrunk)],
  };
}

function requestsNeeded(causes: readonly DrawCause[], settings: Settings): number | undefined {
  const first = Math.min(...causes.flatMap(({ draws }) => draws));
  if (!Number.isFinite(first)) return undefined;
  const before = planExplore(settings).draws.filter(({ number }) => number <= first);
  return before.reduce((sum, draw) => sum + draw.requests.length, 0);
}

interface Explored {
  /** Those that the requests were drawn with. */
  readonly settings: Settings;
  readonly result: ExploreResult;
}

type Explore = (seed: number, requests: number, look?: ExploreHooks['look']) => Promise<Explored>;

const faultOf = (id: string): Fault | undefined => HIDDEN_FAULTS[id] ?? FIXED_FAULTS[id];

/** What has a hidden trigger. */
export async function tryHidden(id: string, seed: number, requests = TRIED_REQUESTS): Promise<ExploreTrial> {
  const explore = explorerOf(id);
  const { breaks } = faultOf(id) ?? HIDDEN_RELAYS[id] ?? { breaks: [] };
  const explored = await explore(seed, requests);
  const needless = await needlessParts(explored.result.causes, (look) => explore(seed, 0, look));
  return describeTrial(id, breaks, { ...explored, needless });
}

/** The clauses that an unusual gateway or relay is blamed for. */
export async function blamedOf(id: string, seed: number, requests: number): Promise<readonly string[]> {
  const { result } = await explorerOf(id)(seed, requests);
  return [...brokenClauses(result.report)];
}

function explorerOf(id: string): Explore {
  const relay = HIDDEN_RELAYS[id] ?? RIGHT_RELAYS[id];
  if (relay) return (...asked) => exploreRelay(relay, ...asked);
  const fault = faultOf(id);
  if (fault) return (...asked) => exploreGateway({ modifiers: [fault] }, ...asked);
  if (Object.hasOwn(VARIANTS, id)) return (...asked) => exploreGateway({ variant: id as VariantId }, ...asked);
  throw new Error(`No gateway or relay is named ${id}.`);
}

function exploreGateway(given: GatewayOptions, ...[seed, requests, look]: Parameters<Explore>): Promise<Explored> {
  return withGateway({ ...given, eventGapMs: 0 }, true, async ({ baseUrl, keys, hooks }) => {
    const settings = look ? endlessSettings(baseUrl, seed) : exploreSettings(baseUrl, seed, requests);
    return { settings, result: await runExplore(settings, { full: keys.full }, { ...hooks, ...(look && { look }) }) };
  });
}

/** These tell a request that the upstream refuses as 500. A client that sent it may not get that for its own mistake. */
const TELL_400_AS_500 = ['relay-own-statuses', 'relay-passes-refusals-on'];

/** Relays that must not be blamed for anything. */
export const EXPLORED_RELAYS: readonly string[] = Object.keys(RIGHT_RELAYS).filter(
  (id) => !TELL_400_AS_500.includes(id),
);

/** Milliseconds: one relay refuses calls for half a second after a failure. */
const RETRY_PAUSES = [600, 1_000];

async function exploreRelay(modifier: LegalRelay, ...[seed, requests, look]: Parameters<Explore>): Promise<Explored> {
  const { maxCompletions: _most, explore, ...free } = exploreSettings('', seed, requests);
  const settings: Settings = {
    ...free,
    retryPauses: RETRY_PAUSES,
    relay: { ...free.relay, ...(modifier.models && { upstreamModel: modifier.models }) },
    ...(explore && { explore: { ...explore, shrinkCompletions: look ? NO_LIMIT : 1_000 } }),
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
