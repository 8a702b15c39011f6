/** How many cases came to what, the same in every format. */
import type { Counts, Report } from '../report/report.ts';
import type { VerdictName } from './fold.ts';
import { count } from '../text/layout.ts';

/** In the order in which people look for them. */
export const VERDICT_ORDER = [
  'pass',
  'fail',
  'warn',
  'inconclusive',
  'observed',
  'skipped',
] as const satisfies readonly VerdictName[];

export function total(counts: Counts): number {
  return VERDICT_ORDER.reduce((sum, verdict) => sum + counts[verdict], 0);
}

/** `133 cases: 125 pass, 7 observed, 1 skipped` */
export function countsInWords({ counts: { cases } }: Report): string {
  const some = VERDICT_ORDER.filter((verdict) => cases[verdict] > 0).map((verdict) => `${cases[verdict]} ${verdict}`);
  return `${count(total(cases), 'case')}${some.length === 0 ? '' : `: ${some.join(', ')}`}`;
}
