/** A time of two runs: its medians, and whether it drifted. */
import { median } from '../../exchange/reading/looks-fake.ts';
import { type Change, changeOf, type Side } from './comparison.ts';
import type { HiddenTime, ScantTime } from './comparison-notice.ts';

/** The noise that hides a change: of wirecheck, of refusals within a run, or refusals that moved by as much. */
export type Hiding = 'lateness' | 'refusals' | 'shift';

/** Of one measure. */
export interface ComparedTime {
  readonly change?: Change;
  readonly hidden?:
    | { readonly by: Hiding; readonly time: HiddenTime }
    | { readonly by: 'few'; readonly time: ScantTime };
}

/** Multiple of the summed spreads: far beyond the variation within one run. */
export const SPREADS = 5;
/** Times that a change keeps, to be drawn. */
const MAX_TIMES = 100;

export type TimeSide = ReturnType<typeof timeSideOf>;

export function hiddenTime(measure: string, old: TimeSide, fresh: TimeSide): HiddenTime {
  return { measure, old: old.median, new: fresh.median };
}

export function drift(measure: string, old: Side, fresh: Side): Change {
  return changeOf({ kind: 'drift', what: 'time', place: { measure }, old, new: fresh });
}

/** The spread is the median absolute deviation, which one slow answer does not move. */
export function timeSideOf(values: readonly number[], exchanges: readonly string[] = []) {
  const middle = median(values);
  return {
    answers: values.length,
    median: roundTime(middle),
    spread: roundTime(median(values.map((value) => Math.abs(value - middle)))),
    times: values.slice(0, MAX_TIMES).map(roundTime),
    exchanges,
  } satisfies Side;
}

export function roundTime(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
