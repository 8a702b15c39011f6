/** Finds times of streams that drifted beyond noise: the first text, the pace and the whole. */
import { median } from '../../exchange/reading/looks-fake.ts';
import {
  comparePairs,
  compareRefusals,
  hasMoved,
  noiseOfWait,
  type Pair,
  type PairedMeasure,
  sidesOf,
  WAIT_NOISE,
} from './compare-pairs.ts';
import type { StreamTimes } from './observed-exchange.ts';
import type { Observations } from './observations.ts';
import { type ComparedTime, hiddenTime, SPREADS } from './time-sides.ts';

interface StreamMeasure extends PairedMeasure {
  /** Milliseconds; the first is shown, and all have to agree. Undefined if the stream is too short to tell. */
  readonly valuesOf: (times: StreamTimes) => readonly [number, ...number[]] | undefined;
  /** Whether two streams are alike enough; all are by default. */
  readonly areAlike?: (older: StreamTimes, newer: StreamTimes) => boolean;
}

/** Milliseconds. With four busy processes on two cores, gaps of 3 ms become 12 ms. */
const GAP_NOISE = 20;

const WHOLE: StreamMeasure = {
  name: 'whole stream',
  valuesOf: ({ texts, last }) => (isLong(texts) && last !== undefined ? [last] : undefined),
  areAlike: ({ texts: before }, { texts: now }) =>
    Math.max(before.length, now.length) <= MAX_LENGTH_RATIO * Math.min(before.length, now.length),
  answers: 2,
  // The noise of every gap adds up.
  noiseOf: ({ pieces, lateness, spread, shift }) =>
    Math.max(WAIT_NOISE + pieces * Math.max(GAP_NOISE, lateness / 2), SPREADS * spread) + shift,
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
  answers: 2,
  noiseOf: noiseOfWait,
};

const STREAM_MEASURES: readonly StreamMeasure[] = [
  FIRST_TEXT,
  {
    name: 'gap between two pieces of a stream',
    // With the mean: pieces that arrive two at a time have other gaps at the same pace.
    valuesOf: ({ texts }) => (isLong(texts) ? [median(gapsIn(texts)), meanGapIn(texts)] : undefined),
    // A median gap is made of many values, the others are one value a stream.
    answers: 1,
    // A gap does not include the way there and back, and the worst moments do not move its median far.
    noiseOf: ({ lateness, spread }) => Math.max(GAP_NOISE, lateness / 5, spread),
    isMedian: true,
  },
  WHOLE,
];

/** Pieces of text. Fewer say little about the pace. */
const MIN_PIECES = 8;
/** A reply with more pieces takes longer at the same pace. */
const MAX_LENGTH_RATIO = 1.25;

/** Stream by stream, since those of a run differ in length. */
export function compareStreamTimes(older: Observations, newer: Observations): readonly ComparedTime[] {
  const refusals = compareRefusals(older, newer);
  const results = STREAM_MEASURES.flatMap((measure): readonly StreamTime[] => {
    const result = comparePairs(measure, pairValues(older, newer, measure), refusals);
    return result ? [{ measure, ...result }] : [];
  });
  return joinWhole(results, pairValues(older, newer, WHOLE), pairValues(older, newer, REST));
}

interface StreamTime extends ComparedTime {
  readonly measure: StreamMeasure;
}

/** Of the shift of the first text: a whole stream that moved by so much moved with it. */
const MIN_SHIFT_SHARE = 0.5;

/** A whole stream that moved only because its first text did is one cause with it. */
function joinWhole(
  results: readonly StreamTime[],
  wholes: readonly Pair[],
  rests: readonly Pair[],
): readonly ComparedTime[] {
  const first = results.find(({ measure }) => measure === FIRST_TEXT);
  const whole = results.find(({ measure }) => measure === WHOLE);
  const shift = shiftOf(first);
  if (!first || shift === undefined || wholes.length === 0) return results;
  // The rest may have drifted by itself.
  const isOwn = rests.some((pair) => hasMoved(pair, REST));
  if (whole && isOwn) return results;
  const [old, fresh] = sidesOf(wholes);
  if ((fresh.median - old.median) / shift < MIN_SHIFT_SHARE) return results;
  const time = hiddenTime(WHOLE.name, old, fresh);
  const others = results.filter((result) => result !== whole && result !== first);
  return first.change
    ? [{ change: { ...first.change, movedAlong: [time] } }, ...others]
    : [first, { hidden: { by: 'shift', time } }, ...others];
}

/** Milliseconds by which the first text moved, alone or with refusals. Undefined if noise may have moved it. */
function shiftOf(first: ComparedTime | undefined): number | undefined {
  if (first?.change) return (first.change.new.median ?? 0) - (first.change.old.median ?? 0);
  return first?.hidden?.by === 'shift' ? first.hidden.time.new - first.hidden.time.old : undefined;
}

/** The same request in both runs. */
function pairValues(
  older: Observations,
  newer: Observations,
  { valuesOf, areAlike = () => true }: StreamMeasure,
): readonly Pair[] {
  return [...older.streamTimes].flatMap(([id, old]) => {
    const fresh = newer.streamTimes.get(id);
    if (!fresh || !areAlike(old, fresh)) return [];
    const [before, now] = [valuesOf(old), valuesOf(fresh)];
    const lateness = [old.lateness, fresh.lateness] as const;
    return before && now ? [{ id, before, now, pieces: old.texts.length, lateness }] : [];
  });
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
