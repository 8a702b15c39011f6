/** Counts of cases and the time of a run, the same in every format. */
import type { Counts, ReplacedAttempts, Report, TimeReport } from '../report/report.ts';
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

export function formatTimeSpent({ target, pauses, checker }: TimeReport): string {
  const parts = [
    `${seconds(target)} waiting for the target`,
    // Less would be shown as 0.0 s.
    ...(pauses >= 50 ? [`${seconds(pauses)} pausing`] : []),
    `${seconds(checker)} in wirecheck`,
  ];
  return parts.join(', ');
}

const FAILURES: Readonly<Record<string, string>> = {
  200: '200 that broke off',
  closed: 'connection closed',
  refused: 'connection refused',
  timeout: 'timed out',
  'not-http': 'not HTTP',
};

/** `3 of 553 attempts were replaced by a retry (503: 2, timed out: 1)`; undefined if none was. */
export function formatRetries({ attempts, replaced, causes }: ReplacedAttempts): string | undefined {
  if (replaced === 0) return undefined;
  const parts = Object.entries(causes).map(([cause, number]) => `${FAILURES[cause] ?? cause}: ${number}`);
  const were = replaced === 1 ? 'was' : 'were';
  return `${replaced} of ${count(attempts, 'attempt')} ${were} replaced by a retry (${parts.join(', ')})`;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** `19 to 142` */
export function range(least: number, most: number): string {
  const [low, high] = [groupDigits(least), groupDigits(most)];
  return low === high ? low : `${low} to ${high}`;
}
