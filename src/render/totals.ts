/** Counts of cases and the time of a run, the same in every format. */
import type { Counts, Report, TimeReport } from '../report/report.ts';
import type { VerdictName } from './fold.ts';
import { count, groupDigits } from '../text/layout.ts';

/** In the order in which people look for them. */
export const VERDICT_ORDER: readonly VerdictName[] = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'skipped'];

export function total(counts: Counts): number {
  return VERDICT_ORDER.reduce((sum, verdict) => sum + counts[verdict], 0);
}

/** `133 cases: 125 pass, 7 observed, 1 skipped` */
export function formatCounts({ counts: { cases } }: Report): string {
  const some = VERDICT_ORDER.filter((verdict) => cases[verdict] > 0).map((verdict) => `${cases[verdict]} ${verdict}`);
  return `${count(total(cases), 'case')}${some.length === 0 ? '' : `: ${some.join(', ')}`}`;
}

/** `214 requests and 96 refused connections`: nothing was sent to a port that is closed. */
export function formatRequests({ cost: { used }, exchanges, load }: Report): string {
  const sent = exchanges.filter(({ side }) => side === undefined).flatMap(({ attempts }) => attempts);
  // Under load, only a few exchanges are kept.
  const refused = load ? (load.refused ?? 0) : sent.filter(({ failure }) => failure?.kind === 'refused').length;
  if (refused === 0) return count(used.requests, 'request');
  return `${count(used.requests - refused, 'request')} and ${count(refused, 'refused connection')}`;
}

/** `0.6 s (0.4 s waiting for the target, 0.2 s in wirecheck)`: the parts add up to the whole, unless it was not our run. */
export function formatTimeSpent({ wall, target, pauses, checker }: TimeReport): string {
  if (checker === undefined) return `${seconds(wall)} (${seconds(target)} waiting for the target)`;
  const words = ['waiting for the target', 'pausing', 'in wirecheck'];
  const shares = shareTenths(wall, [target, pauses, checker]);
  const parts = shares.flatMap((share, place) => (share === 0 ? [] : [`${seconds(share * 100)} ${words[place]}`]));
  return parts.length === 0 ? seconds(wall) : `${seconds(wall)} (${parts.join(', ')})`;
}

/** Each part in tenths of a second. Those that lose most by rounding down get what is missing to the whole. */
function shareTenths(whole: number, parts: readonly number[]): readonly number[] {
  const exact = parts.map((part) => part / 100);
  const missing = Math.round(whole / 100) - exact.reduce((sum, part) => sum + Math.floor(part), 0);
  const losers = [...exact.keys()].toSorted((a, b) => ((exact[b] ?? 0) % 1) - ((exact[a] ?? 0) % 1)).slice(0, missing);
  return exact.map((part, place) => Math.floor(part) + (losers.includes(place) ? 1 : 0));
}

const FAILURES: Readonly<Record<string, string>> = {
  200: '200 that broke off',
  closed: 'connection closed',
  refused: 'connection refused',
  timeout: 'timed out',
  'not-http': 'not HTTP',
};

/**
 * `3 of 553 attempts were replaced by a retry (503: 2, timed out: 1)`; undefined if none was. Requests to other base URLs
 * are part of the cost, but no attempts at this one.
 */
export function formatRetries({ retries, cost }: Pick<Report, 'retries' | 'cost'>): string | undefined {
  if (!retries || retries.replaced === 0) return undefined;
  const { attempts, replaced, causes } = retries;
  const where = cost.used.requests > attempts ? ' at this base URL' : '';
  const parts = Object.entries(causes).map(([cause, number]) => `${FAILURES[cause] ?? cause}: ${number}`);
  const were = replaced === 1 ? 'was' : 'were';
  return `${replaced} of ${count(attempts, 'attempt')}${where} ${were} replaced by a retry (${parts.join(', ')})`;
}

/** `5.8 s`; never `0.0 s`, as if no time had passed. */
export function seconds(milliseconds: number): string {
  const tenths = (milliseconds / 1000).toFixed(1);
  return tenths === '0.0' ? 'less than 0.1 s' : `${tenths} s`;
}

/** `19 to 142` */
export function range(least: number, most: number): string {
  const [low, high] = [groupDigits(least), groupDigits(most)];
  return low === high ? low : `${low} to ${high}`;
}
