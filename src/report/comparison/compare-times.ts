/** Finds times that drifted beyond noise. */
import { compareStreamTimes } from './compare-stream-times.ts';
import type { Change } from './comparison.ts';
import type { ComparisonNotice, HiddenTime } from './comparison-notice.ts';
import { type Observations, REFUSAL } from './observations.ts';
import { type ComparedTime, drift, hide, type Hiding, roundTime, SPREADS, timeSideOf } from './time-sides.ts';

export interface ComparedTimes {
  readonly changes: readonly Change[];
  /** On times that moved, but by less than the noise of the two runs. */
  readonly notices: readonly ComparisonNotice[];
}

export function compareTimes(older: Observations, newer: Observations): ComparedTimes {
  const results = [...compareAnswerTimes(older, newer), ...compareStreamTimes(older, newer)];
  const changes = results.flatMap(({ change }) => change ?? []);
  const hiddenBy = (noise: Hiding): readonly HiddenTime[] =>
    results.flatMap(({ hidden }) => (hidden?.by === noise ? [hidden.time] : []));
  const [late, unsteady] = [hiddenBy('lateness'), hiddenBy('refusals')];
  const lateness = roundTime(Math.max(latenessOf(older), latenessOf(newer)));
  // Refusals that drifted are reported themselves.
  const isReported = changes.some(({ place }) => place.measure === REFUSAL);
  return {
    changes,
    notices: [
      ...(late.length > 0 ? [{ kind: 'times-late', lateness, times: late } as const] : []),
      ...(unsteady.length > 0 && !isReported ? [{ kind: 'times-unsteady', times: unsteady } as const] : []),
    ],
  };
}

/** The worst moment of the checker, as far as its streams show it. Milliseconds. */
function latenessOf({ streamTimes }: Observations): number {
  return Math.max(0, ...[...streamTimes.values()].map(({ lateness }) => lateness));
}

const MIN_VALUES = 3;
/** Milliseconds, and as a share of the older time. Smaller differences are ordinary noise. */
const MIN_DIFFERENCE = 50;
const MIN_SHARE = 0.5;
/** With fewer values, the ranges of the two runs must not overlap. */
const MANY_VALUES = 10;

function compareAnswerTimes(older: Observations, newer: Observations): readonly ComparedTime[] {
  const isLate = latenessOf(older) + latenessOf(newer) >= MIN_DIFFERENCE;
  return [...older.times].flatMap(([measure, before]): readonly ComparedTime[] => {
    const now = newer.times.get(measure);
    if (!now || before.values.length < MIN_VALUES || now.values.length < MIN_VALUES) return [];
    const [old, fresh] = [timeSideOf(before.values, before.exchanges), timeSideOf(now.values, now.exchanges)];
    const difference = Math.abs(fresh.median - old.median);
    if (difference <= Math.max(MIN_DIFFERENCE, MIN_SHARE * old.median)) return [];
    const isFew = Math.min(before.values.length, now.values.length) < MANY_VALUES;
    const isNoise =
      difference <= SPREADS * (old.spread + fresh.spread) || (isFew && overlap(before.values, now.values));
    if (!isNoise) return [{ change: drift(measure, old, fresh) }];
    return isLate ? [hide('lateness', measure, old, fresh)] : [];
  });
}

function overlap(some: readonly number[], others: readonly number[]): boolean {
  return Math.min(...some) <= Math.max(...others) && Math.min(...others) <= Math.max(...some);
}
