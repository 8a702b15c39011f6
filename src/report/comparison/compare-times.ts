/** Finds times that drifted beyond noise. */
import { median } from '../../exchange/reading/looks-fake.ts';
import { type Change, changeOf, type Side } from './comparison.ts';
import type { ComparisonNotice, HiddenTime } from './comparison-notice.ts';
import type { StreamTimes } from './observed-exchange.ts';
import { type ObservedRun, REFUSAL } from './observed-run.ts';
import { MAX_EXCHANGES } from './shapes.ts';

export interface ComparedTimes {
  readonly changes: readonly Change[];
  /** On times that moved, but by less than the noise of the two runs. */
  readonly notices: readonly ComparisonNotice[];
}

export function compareTimes(older: ObservedRun, newer: ObservedRun): ComparedTimes {
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

/** The noise that hides a change. */
type Hiding = 'lateness' | 'refusals';

/** Of one measure. */
interface ComparedTime {
  readonly change?: Change;
  readonly hidden?: { readonly by: Hiding; readonly time: HiddenTime };
}

/** The worst moment of the checker, as far as its streams show it. Milliseconds. */
function latenessOf({ streamTimes }: ObservedRun): number {
  return Math.max(0, ...[...streamTimes.values()].map(({ lateness }) => lateness));
}

const MIN_VALUES = 3;
/** Milliseconds, and as a share of the older time. Smaller differences are ordinary noise. */
const MIN_DIFFERENCE = 50;
const MIN_SHARE = 0.5;
/** Multiple of the summed spreads: far beyond the variation within one run. */
const SPREADS = 5;
/** With fewer values, the ranges of the two runs must not overlap. */
const MANY_VALUES = 10;

/** Times that a change keeps, to be drawn. */
const MAX_TIMES = 100;

function compareAnswerTimes(older: ObservedRun, newer: ObservedRun): readonly ComparedTime[] {
  const isLate = latenessOf(older) + latenessOf(newer) >= MIN_DIFFERENCE;
  return [...older.times].flatMap(([measure, before]): readonly ComparedTime[] => {
    const now = newer.times.get(measure);
    if (!now || before.values.length < MIN_VALUES || now.values.length < MIN_VALUES) return [];
    const [old, fresh] = [sideOf(before.values, before.exchanges), sideOf(now.values, now.exchanges)];
    const difference = Math.abs(fresh.median - old.median);
    if (difference <= Math.max(MIN_DIFFERENCE, MIN_SHARE * old.median)) return [];
    const isFew = Math.min(before.values.length, now.values.length) < MANY_VALUES;
    const isNoise =
      difference <= SPREADS * (old.spread + fresh.spread) || (isFew && overlap(before.values, now.values));
    if (!isNoise) return [{ change: drift(measure, old, fresh) }];
    return isLate ? [hide('lateness', measure, old, fresh)] : [];
  });
}

type TimeSide = ReturnType<typeof sideOf>;

function hide(by: Hiding, measure: string, old: TimeSide, fresh: TimeSide): ComparedTime {
  return { hidden: { by, time: { measure, old: old.median, new: fresh.median } } };
}

function overlap(some: readonly number[], others: readonly number[]): boolean {
  return Math.min(...some) <= Math.max(...others) && Math.min(...others) <= Math.max(...some);
}

interface StreamMeasure {
  readonly name: string;
  /** Milliseconds; the first is shown, and all have to agree. Undefined if the stream is too short to tell. */
  readonly valuesOf: (times: StreamTimes) => readonly [number, ...number[]] | undefined;
  /** Whether two streams are alike enough; all are by default. */
  readonly areAlike?: (older: StreamTimes, newer: StreamTimes) => boolean;
  /** Streams needed. A median gap is made of many values, the others are one value a stream. */
  readonly streams: number;
  /** Milliseconds that may be noise. */
  readonly noiseOf: (noise: Noise) => number;
}

interface Noise {
  /** Pieces of text in the stream. */
  readonly pieces: number;
  /** By how much the checker was late in the two streams, the worst moments added. Milliseconds. */
  readonly lateness: number;
  /** Of refusals, which need no generation: the spreads of the two runs added, and the distance of their medians. */
  readonly spread: number;
  readonly shift: number;
}

/** Milliseconds. With four busy processes on two cores, gaps of 3 ms become 12 ms, and a first text comes 50 ms later. */
const WAIT_NOISE = 100;
const GAP_NOISE = 20;

const STREAM_MEASURES: readonly StreamMeasure[] = [
  {
    name: 'first text of a stream',
    valuesOf: ({ texts: [first] }) => (first === undefined ? undefined : [first]),
    streams: 2,
    // The request and the answer may both be late.
    noiseOf: ({ lateness, spread, shift }) => Math.max(WAIT_NOISE, 2 * lateness, SPREADS * spread + shift),
  },
  {
    name: 'gap between two pieces of a stream',
    // With the mean: pieces that arrive two at a time have other gaps at the same pace.
    valuesOf: ({ texts }) => (isLong(texts) ? [median(gapsIn(texts)), meanGapIn(texts)] : undefined),
    streams: 1,
    // A gap does not include the way there and back, and the worst moments do not move its median far.
    noiseOf: ({ lateness, spread }) => Math.max(GAP_NOISE, lateness / 5, spread),
  },
  {
    name: 'whole stream',
    valuesOf: ({ texts, last }) => (isLong(texts) && last !== undefined ? [last] : undefined),
    areAlike: ({ texts: before }, { texts: now }) =>
      Math.max(before.length, now.length) <= MAX_LENGTH_RATIO * Math.min(before.length, now.length),
    streams: 2,
    // The noise of every gap adds up.
    noiseOf: ({ pieces, lateness, spread, shift }) =>
      Math.max(WAIT_NOISE + pieces * Math.max(GAP_NOISE, lateness / 2), SPREADS * spread + shift),
  },
];

/** Pieces of text. Fewer say little about the pace. */
const MIN_PIECES = 8;
/** Of the longer time to the shorter. */
const MIN_RATIO = 2;
/** Milliseconds. Pieces that arrive together have no gap, and any ratio to nothing would be large. */
const SHORTEST = 1;
/** A reply with more pieces takes longer at the same pace. */
const MAX_LENGTH_RATIO = 1.25;

/** Stream by stream, since those of a run differ in length. They are few, so all have to agree: one slow answer is not drift. */
function compareStreamTimes(older: ObservedRun, newer: ObservedRun): readonly ComparedTime[] {
  const refusals = compareRefusals(older, newer);
  return STREAM_MEASURES.flatMap((measure): readonly ComparedTime[] => {
    const pairs = pairValues(older, newer, measure);
    if (pairs.length < measure.streams) return [];
    const directions = new Set(pairs.flatMap((pair) => directionsOf(pair, measure, refusals)));
    const ids = pairs.map(({ id }) => id).slice(0, MAX_EXCHANGES);
    const [old, fresh] = [
      sideOf(
        pairs.map(({ before: [value] }) => value),
        ids,
      ),
      sideOf(
        pairs.map(({ now: [value] }) => value),
        ids,
      ),
    ];
    if (directions.size === 1 && !directions.has('same')) return [{ change: drift(measure.name, old, fresh) }];
    const by = hiddenBy(pairs, measure, refusals);
    return by === undefined ? [] : [hide(by, measure.name, old, fresh)];
  });
}

/** The noise of an idle machine and a steady network. */
const QUIET = { lateness: 0, spread: 0, shift: 0 };

/** What hides a change: most streams agree on it by the noise of an idle machine, and it is lost in that of these runs. */
function hiddenBy(
  pairs: readonly Pair[],
  measure: StreamMeasure,
  refusals: Pick<Noise, 'spread' | 'shift'>,
): Hiding | undefined {
  const [way] = (['slower', 'faster'] as const).flatMap((direction) => {
    const agreeing = pairs.filter((pair) =>
      directionsOf({ ...pair, lateness: 0 }, measure, QUIET).every((each) => each === direction),
    );
    return agreeing.length > pairs.length / 2 ? [{ direction, agreeing }] : [];
  });
  if (!way) return undefined;
  const isLost = (noise: Pick<Noise, 'spread' | 'shift'>): boolean =>
    way.agreeing.some((pair) => directionsOf(pair, measure, noise).includes('same'));
  if (isLost(QUIET)) return 'lateness';
  return isLost(refusals) ? 'refusals' : undefined;
}

type Direction = 'slower' | 'faster' | 'same';

function directionsOf(
  { before, now, pieces, lateness }: Pair,
  measure: StreamMeasure,
  { spread, shift }: Pick<Noise, 'spread' | 'shift'>,
): readonly Direction[] {
  const least = measure.noiseOf({ pieces, lateness, spread, shift });
  return before.map((old, index) => directionOf(old, now[index] ?? old, least));
}

type Pair = ReturnType<typeof pairValues>[number];

/** The same request in both runs. */
function pairValues(older: ObservedRun, newer: ObservedRun, { valuesOf, areAlike = () => true }: StreamMeasure) {
  return [...older.streamTimes].flatMap(([id, old]) => {
    const fresh = newer.streamTimes.get(id);
    if (!fresh || !areAlike(old, fresh)) return [];
    const [before, now] = [valuesOf(old), valuesOf(fresh)];
    const lateness = old.lateness + fresh.lateness;
    return before && now ? [{ id, before, now, pieces: old.texts.length, lateness }] : [];
  });
}

function directionOf(before: number, now: number, least: number): Direction {
  const [shorter, longer] = before < now ? [before, now] : [now, before];
  if (longer - shorter < least || longer < MIN_RATIO * Math.max(shorter, SHORTEST)) return 'same';
  return before < now ? 'slower' : 'faster';
}

function isLong(texts: readonly number[]): boolean {
  return texts.length >= MIN_PIECES;
}

function gapsIn(texts: readonly number[]): readonly number[] {
  return texts.slice(1).map((at, index) => at - (texts[index] ?? at));
}

function meanGapIn(texts: readonly number[]): number {
  return ((texts.at(-1) ?? 0) - (texts[0] ?? 0)) / (texts.length - 1);
}

function compareRefusals(older: ObservedRun, newer: ObservedRun): Pick<Noise, 'spread' | 'shift'> {
  const [before, now] = [older, newer].map(({ times }) => times.get(REFUSAL)?.values ?? []).map((each) => sideOf(each));
  if (!before || !now || before.answers === 0 || now.answers === 0) return { spread: 0, shift: 0 };
  return { spread: before.spread + now.spread, shift: Math.abs(now.median - before.median) };
}

function drift(measure: string, old: Side, fresh: Side): Change {
  return changeOf({ kind: 'drift', what: 'time', place: { measure }, old, new: fresh });
}

/** The spread is the median absolute deviation, which one slow answer does not move. */
function sideOf(values: readonly number[], exchanges: readonly string[] = []) {
  const middle = median(values);
  return {
    answers: values.length,
    median: roundTime(middle),
    spread: roundTime(median(values.map((value) => Math.abs(value - middle)))),
    times: values.slice(0, MAX_TIMES).map(roundTime),
    exchanges,
  } satisfies Side;
}

function roundTime(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
