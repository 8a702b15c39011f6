/** Finds times that drifted beyond noise. */
import { comparePairs, compareRefusals, noiseOfWait, type Pair, QUIET } from './compare-pairs.ts';
import { compareStreamTimes } from './compare-stream-times.ts';
import type { Change } from './comparison.ts';
import type { ComparisonNotice, HiddenTime } from './comparison-notice.ts';
import { MODEL_LIST, type Observations, REFUSAL } from './observations.ts';
import { type ComparedTime, drift, hiddenTime, type Hiding, roundTime, SPREADS, timeSideOf } from './time-sides.ts';

export interface ComparedTimes {
  readonly changes: readonly Change[];
  /** On times that moved, but by less than the noise of the two runs, or in too few answers. */
  readonly notices: readonly ComparisonNotice[];
}

export function compareTimes(older: Observations, newer: Observations): ComparedTimes {
  const results = [...compareAnswerTimes(older, newer), ...compareStreamTimes(older, newer)];
  const hiddenBy = (noise: Hiding): readonly HiddenTime[] =>
    results.flatMap(({ hidden }) => (hidden?.by === noise ? [hidden.time] : []));
  const along = hiddenBy('shift');
  const found = results.flatMap(({ change }) => change ?? []);
  // One cause: whatever made refusals slower made these times slower by as much.
  const isTold = found.some(isOfRefusals);
  const changes = found.map((change) =>
    isOfRefusals(change) && along.length > 0 ? { ...change, movedAlong: along } : change,
  );
  const late = hiddenBy('lateness');
  const unsteady = [...hiddenBy('refusals'), ...(isTold ? [] : along)];
  const scant = results.flatMap(({ hidden }) => (hidden?.by === 'few' ? [hidden.time] : []));
  const lateness = roundTime(Math.max(latenessOf(older), latenessOf(newer)));
  return {
    changes,
    notices: [
      ...(late.length > 0 ? [{ kind: 'times-late', lateness, times: late } as const] : []),
      ...(unsteady.length > 0 ? [{ kind: 'times-unsteady', times: unsteady } as const] : []),
      ...(scant.length > 0 ? [{ kind: 'times-scant', times: scant } as const] : []),
    ],
  };
}

function isOfRefusals({ place }: Change): boolean {
  return place.measure === REFUSAL;
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
    if (!now) return [];
    if (before.values.length < MIN_VALUES || now.values.length < MIN_VALUES)
      return compareFewAnswers(measure, older, newer);
    const [old, fresh] = [timeSideOf(before.values, before.exchanges), timeSideOf(now.values, now.exchanges)];
    const difference = Math.abs(fresh.median - old.median);
    if (difference <= Math.max(MIN_DIFFERENCE, MIN_SHARE * old.median)) return [];
    const isFew = Math.min(before.values.length, now.values.length) < MANY_VALUES;
    const isNoise =
      difference <= SPREADS * (old.spread + fresh.spread) || (isFew && overlap(before.values, now.values));
    if (!isNoise) return [{ change: drift(measure, old, fresh) }];
    return isLate ? [{ hidden: { by: 'lateness', time: hiddenTime(measure, old, fresh) } }] : [];
  });
}

/** A run asks for the model list about twice, and it needs no generation. */
const MIN_LISTS = 2;

function compareFewAnswers(measure: string, older: Observations, newer: Observations): readonly ComparedTime[] {
  const lateness = [latenessOf(older), latenessOf(newer)] as const;
  const [old, fresh] = [timesById(older, measure), timesById(newer, measure)];
  const pairs = [...old].flatMap(([id, before]): readonly Pair[] => {
    const now = fresh.get(id);
    return now === undefined ? [] : [{ id, before: [before], now: [now], pieces: 0, lateness }];
  });
  const answers = measure === MODEL_LIST ? MIN_LISTS : MIN_VALUES;
  const refusals = measure === REFUSAL ? QUIET : compareRefusals(older, newer);
  const result = comparePairs({ name: measure, answers, noiseOf: noiseOfWait }, pairs, refusals);
  return result ? [result] : [];
}

/** Of the first answers, whose exchanges are known. */
function timesById({ times }: Observations, measure: string): ReadonlyMap<string, number> {
  const { values = [], exchanges = [] } = times.get(measure) ?? {};
  return new Map(exchanges.flatMap((id, index) => (values[index] === undefined ? [] : [[id, values[index]]])));
}

function overlap(some: readonly number[], others: readonly number[]): boolean {
  return Math.min(...some) <= Math.max(...others) && Math.min(...others) <= Math.max(...some);
}
