/** What came of exploring something whose fault hides. */
import type { Cause } from '../../explore/cause.ts';
import { planExplore } from '../../explore/plan-explore.ts';
import type { ExploreResult } from '../../explore/report-on-explore.ts';
import type { Settings } from '../../settings.ts';
import { brokenClauses } from '../compare.ts';

export interface ExploreTrial {
  readonly id: string;
  /** Clauses that were missed, and clauses that were blamed in vain. */
  readonly problems: readonly string[];
  /** Drawn requests up to the first that showed it; undefined if none did. */
  readonly needed?: number;
  /** The smallest request was found within the budget. */
  readonly isShrunk: boolean;
}

/** `settings`: those that the requests were drawn with. */
export function describeTrial(
  id: string,
  breaks: readonly string[],
  { report, causes }: ExploreResult,
  settings: Settings,
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
    isShrunk: causes.length > 0 && causes.every(({ isShrunk }) => isShrunk),
  };
}

function requestsNeeded(causes: readonly Cause[], settings: Settings): number | undefined {
  const first = Math.min(...causes.flatMap(({ draws }) => draws));
  if (!Number.isFinite(first)) return undefined;
  const before = planExplore(settings).draws.filter(({ number }) => number <= first);
  return before.reduce((sum, draw) => sum + draw.requests.length, 0);
}
