/** Counts of cases and the time of a run, the same in every format. */
import type { Counts, ReplacedAttempts, Report } from '../report/report.ts';
import type { VerdictName } from './fold.ts';
import { count, groupDigits } from '../text/layout.ts';

/** Of a second, in milliseconds. */
const TENTH = 100;

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

/**
 * Parts that add up to the whole as it is shown, which parts that are rounded one by one may not. After the last answer,
 * all time is the checker's.
 */
export function formatTimeSpent({ time, provenance }: Report): string | undefined {
  if (!time) return undefined;
  const { target, pauses } = time;
  const whole = passedIn(provenance);
  const checker = Math.max(time.checker, whole - target - pauses);
  const parts = [
    [target, 'waiting for the target'],
    // Less would be shown as 0.0 s.
    ...(pauses >= TENTH / 2 ? ([[pauses, 'pausing']] as const) : []),
    [checker, 'in wirecheck'],
  ] as const;
  const tenths = parts.map(([part]) => Math.round(part / TENTH));
  // Of a foreign report, the parts may have nothing to do with the whole.
  const rest = Math.round(whole / TENTH) - tenths.reduce((sum, each) => sum + each, 0);
  const missing = Math.abs(rest) <= parts.length ? rest : 0;
  // A tenth more or less matters least to the longest part.
  const longest = parts.findIndex(([part]) => part === Math.max(...parts.map(([each]) => each)));
  return parts
    .map(([, words], at) => `${seconds(((tenths[at] ?? 0) + (at === longest ? missing : 0)) * TENTH)} ${words}`)
    .join(', ');
}

/** Milliseconds from the start of a run to its end. */
export function passedIn({ startedAt, endedAt }: Report['provenance']): number {
  return Date.parse(endedAt) - Date.parse(startedAt);
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
