/** Tries `wirecheck explore` on a gateway with a hidden trigger, or on an unusual one. */
import type { Cause } from '../../explore/cause.ts';
import { planExplore } from '../../explore/plan-explore.ts';
import type { ExploreResult } from '../../explore/report-on-explore.ts';
import { runExplore } from '../../explore/run-explore.ts';
import { type GatewayOptions, startGateway, type VariantId } from '../../gateway/index.ts';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../settings.ts';
import { brokenClauses } from '../compare.ts';
import { openInMemory } from '../in-memory.ts';
import { settingsFor } from '../try-gateway.ts';
import { HIDDEN_FAULTS } from './hidden-faults.ts';

export interface ExploreTrial {
  readonly id: string;
  /** Clauses that were missed, and clauses that were blamed in vain. */
  readonly problems: readonly string[];
  /** Drawn requests up to the first that showed it; undefined if none did. */
  readonly needed?: number;
  /** The smallest request was found within the budget. */
  readonly isShrunk: boolean;
}

const REQUESTS = 300;
const COMPLETIONS = 295;
const SHRINK_COMPLETIONS = 40;

function exploreSettings(baseUrl: string, seed: number, requests: number): Settings {
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

export async function tryHidden(id: string, seed: number, requests = REQUESTS): Promise<ExploreTrial> {
  const fault = HIDDEN_FAULTS[id];
  if (!fault) throw new Error(`No fault with a hidden trigger is named ${id}.`);
  const { report, causes } = await exploreGateway({ modifiers: [fault] }, seed, requests);
  const found = brokenClauses(report);
  const needed = requestsNeeded(causes, exploreSettings(report.target.baseUrl, seed, requests));
  return {
    id,
    problems: [
      ...fault.breaks.filter((clause) => !found.has(clause)).map((clause) => `${clause} was not found`),
      ...[...found].filter((clause) => !fault.breaks.includes(clause)).map((clause) => `${clause} was blamed`),
    ],
    ...(needed !== undefined && { needed }),
    isShrunk: causes.length > 0 && causes.every(({ isShrunk }) => isShrunk),
  };
}

/** The clauses that an unusual gateway is blamed for. */
export async function blamedOf(id: VariantId, seed: number, requests: number): Promise<readonly string[]> {
  const { report } = await exploreGateway({ variant: id }, seed, requests);
  return [...brokenClauses(report)];
}

function requestsNeeded(causes: readonly Cause[], settings: Settings): number | undefined {
  const first = Math.min(...causes.flatMap(({ draws }) => draws));
  if (!Number.isFinite(first)) return undefined;
  const before = planExplore(settings).draws.filter(({ number }) => number <= first);
  return before.reduce((sum, draw) => sum + draw.requests.length, 0);
}

/** Over a socket only if an answer needs one. */
async function exploreGateway(given: GatewayOptions, seed: number, requests: number): Promise<ExploreResult> {
  const options = { ...given, eventGapMs: 0 };
  const needsSocket = new AbortController();
  const { baseUrl, facts, connect } = openInMemory(options, () => needsSocket.abort());
  const settings = exploreSettings(baseUrl, seed, requests);
  const result = await runExplore(settings, fullKey(facts.keys), { connect, signal: needsSocket.signal });
  if (!needsSocket.signal.aborted) return result;
  const gateway = await startGateway(options);
  try {
    return await runExplore({ ...settings, baseUrl: gateway.baseUrl }, fullKey(gateway.keys));
  } finally {
    await gateway.close();
  }
}

function fullKey({ full }: Keys): Keys {
  return full === undefined ? {} : { full };
}
