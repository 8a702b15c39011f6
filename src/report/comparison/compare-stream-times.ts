/** Finds times of streams that drifted beyond noise: the first text, the pace and the whole. */
import { median } from '../../exchange/reading/looks-fake.ts';
import type { StreamTimes } from './observed-exchange.ts';
import { type Observations, REFUSAL } from './observations.ts';
import { MAX_EXCHANGES } from './shapes.ts';
import { type ComparedTime, drift, hide, type Hiding, SPREADS, type TimeSide, timeSideOf } from './time-sides.ts';

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

const WHOLE: StreamMeasure = {
  name: 'whole stream',
  valuesOf: ({ texts, last }) => (isLong(texts) && last !== undefined ? [last] : undefined),
  areAlike: ({ texts: before }, { texts: now }) =>
    Math.max(before.length, now.length) <= MAX_LENGTH_RATIO * Math.min(before.length, now.length),
  streams: 2,
  // The noise of every gap adds up.
  noiseOf: ({ pieces, lateness, spread, shift }) =>
    Math.max(WAIT_NOISE + pieces * Math.max(GAP_NOISE, lateness / 2), SPREADS * spread + shift),
};

/** The whole stream from its first text on. */
const REST: StreamMeasure = {
  ...WHOLE,
  name: 'rest of a stream',
  valuesOf: ({ texts, last }) =>
    isLong(texts) && last !== undefined && texts[0] !== undefined ? [last - texts[0]] : undefined,
};

const FIRST_TEXT: StreamMeasure = {
  name: 'first text of a stream',
  valuesOf: ({ texts: [first] }) => (first === undefined ? undefined : [first]),
  streams: 2,
  // The request and the answer may both be late.
  noiseOf: ({ lateness, spread, shift }) => Math.max(WAIT_NOISE, 2 * lateness, SPREADS * spread + shift),
};

const STREAM_MEASURES: readonly StreamMeasure[] = [
  FIRST_TEXT,
  {
    name: 'gap between two pieces of a stream',
    // With the mean: pieces that arrive two at a time have other gaps at the same pace.
    valuesOf: ({ texts }) => (isLong(texts) ? [median(gapsIn(texts)), meanGapIn(texts)] : undefined),
    streams: 1,
    // A gap does not include the way there and back, and the worst moments do not move its median far.
    noiseOf: ({ lateness, spread }) => Math.max(GAP_NOISE, lateness / 5, spread),
  },
  WHOLE,
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
export function compareStreamTimes(older: Observations, newer: Observations): readonly ComparedTime[] {
  const refusals = compareRefusals(older, newer);
  const results = STREAM_MEASURES.flatMap((measure): readonly StreamTime[] => {
    const pairs = pairValues(older, newer, measure);
    if (pairs.length < measure.streams) return [];
    const directions = new Set(pairs.flatMap((pair) => directionsOf(pair, measure, refusals)));
    const [old, fresh] = sidesOf(pairs);
    if (directions.size === 1 && !directions.has('same')) return [{ measure, change: drift(measure.name, old, fresh) }];
    const by = hiddenBy(pairs, measure, refusals);
    return by === undefined ? [] : [{ measure, ...hide(by, measure.name, old, fresh) }];
  });
  return joinWhole(results, pairValues(older, newer, WHOLE), pairValues(older, newer, REST));
}

interface StreamTime extends ComparedTime {
  readonly measure: StreamMeasure;
}

function sidesOf(pairs: readonly Pair[]): readonly [TimeSide, TimeSide] {
  const ids = pairs.map(({ id }) => id).slice(0, MAX_EXCHANGES);
  const [before, now] = [pairs.map(({ before: [value] }) => value), pairs.map(({ now: [value] }) => value)];
  return [timeSideOf(before, ids), timeSideOf(now, ids)];
}

/** Of the shift of the first text: a whole stream that moved by so much moved with it. */
const MIN_SHIFT_SHARE = 0.5;

/** A whole stream that moved only because its first text did is one cause with it. */
function joinWhole(
  results: readonly StreamTime[],
  wholes: readonly Pair[],
  rests: readonly Pair[],
): readonly ComparedTime[] {
  const first = results.find(({ measure }) => measure === FIRST_TEXT)?.change;
  const whole = results.find(({ measure }) => measure === WHOLE);
  if (!first || wholes.length === 0 || whole?.hidden) return results;
  // The rest may have drifted by itself.
  const isOwn = rests.some((pair) => !directionsOf(pair, REST, QUIET).includes('same'));
  if (whole && isOwn) return results;
  const [old, fresh] = sidesOf(wholes);
  const shift = (first.new.median ?? 0) - (first.old.median ?? 0);
  if ((fresh.median - old.median) / shift < MIN_SHIFT_SHARE) return results;
  const movedAlong = [{ measure: WHOLE.name, old: old.median, new: fresh.median }];
  const others = results.filter((result) => result !== whole && result.change !== first);
  return [{ change: { ...first, movedAlong } }, ...others];
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
function pairValues(older: Observations, newer: Observations, { valuesOf, areAlike = () => true }: StreamMeasure) {
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

function compareRefusals(older: Observations, newer: Observations): Pick<Noise, 'spread' | 'shift'> {
  const [before, now] = [older, newer]
    .map(({ times }) => times.get(REFUSAL)?.values ?? [])
    .map((each) => timeSideOf(each));
  if (!before || !now || before.answers === 0 || now.answers === 0) return { spread: 0, shift: 0 };
  return { spread: before.spread + now.spread, shift: Math.abs(now.median - before.median) };
}
