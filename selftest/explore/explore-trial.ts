/** What came of exploring something whose fault hides. */
import type { DrawCause } from '../../src/explore/cause.ts';
import { planExplore } from '../../src/explore/plan-explore.ts';
import type { ExploreResult } from '../../src/explore/report-on-explore.ts';
import type { Settings } from '../../src/settings.ts';
import { brokenClauses } from '../compare.ts';

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

interface Tried {
  readonly result: ExploreResult;
  /** Those that the requests were drawn with. */
  readonly settings: Settings;
  readonly needless: readonly string[];
}

export function describeTrial(id: string, breaks: readonly string[], tried: Tried): ExploreTrial {
  const { result, settings, needless } = tried;
  const { report, causes } = result;
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
