/** Times that drifted beyond noise. Two runs never take the same time, so that little is said, and only with numbers. */
import { median } from '../../exchange/reading/looks-fake.ts';
import { changeOf } from './change.ts';
import type { Change, Side } from './comparison.ts';
import type { Times } from './observed-run.ts';

const LEAST_VALUES = 3;
/** Milliseconds; and as a share of the older time. Less than either is what networks and machines do on any day. */
const LEAST_DIFFERENCE = 50;
const LEAST_SHARE = 0.5;
/** Times the spread of both: far outside of what the values of one run differ by. */
const SPREADS = 5;
/** Of fewer values, none may lie among those of the other run. */
const MANY_VALUES = 10;

export function compareTimes(older: Times, newer: Times): readonly Change[] {
  return [...older].flatMap(([measure, before]) => {
    const now = newer.get(measure);
    if (!now || before.values.length < LEAST_VALUES || now.values.length < LEAST_VALUES) return [];
    const [old, fresh] = [sideOf(before), sideOf(now)];
    const difference = Math.abs(fresh.median - old.median);
    const noise = Math.max(LEAST_DIFFERENCE, LEAST_SHARE * old.median, SPREADS * (old.spread + fresh.spread));
    if (Math.min(before.values.length, now.values.length) < MANY_VALUES && overlap(before.values, now.values))
      return [];
    return difference > noise ? [changeOf({ kind: 'drift', what: 'time', place: { measure }, old, new: fresh })] : [];
  });
}

function overlap(some: readonly number[], others: readonly number[]): boolean {
  return Math.min(...some) <= Math.max(...others) && Math.min(...others) <= Math.max(...some);
}

/** The spread is the median absolute deviation, which one slow answer does not move. */
function sideOf({ values, exchanges }: { readonly values: readonly number[]; readonly exchanges: readonly string[] }) {
  const middle = median(values);
  return {
    answers: values.length,
    median: rounded(middle),
    spread: rounded(median(values.map((value) => Math.abs(value - middle)))),
    exchanges,
  } satisfies Side;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
