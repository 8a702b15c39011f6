/** Compares a time of few answers, request by request. They are few, so all have to agree: one slow answer is not drift. */
import { type Observations, REFUSAL } from './observations.ts';
import { MAX_EXCHANGES } from './shapes.ts';
import { type ComparedTime, drift, hiddenTime, type Hiding, SPREADS, type TimeSide, timeSideOf } from './time-sides.ts';

export interface PairedMeasure {
  readonly name: string;
  /** Answers needed. */
  readonly answers: number;
  /** Milliseconds that may be noise. */
  readonly noiseOf: (noise: Noise) => number;
  /** Of many values, so that one late moment of the checker does not move it far. */
  readonly isMedian?: true;
}

interface Noise extends RefusalNoise {
  /** Pieces of text in the stream. */
  readonly pieces: number;
  /** By how much the checker was late in the two answers, the worst moments added. Milliseconds. */
  readonly lateness: number;
}

/** Of refusals, which need no generation. Milliseconds. */
export interface RefusalNoise {
  /** The spreads of the two runs, added. */
  readonly spread: number;
  /** From the older median to the newer; negative if refusals became faster. `noiseOf` gets it as a distance. */
  readonly shift: number;
}

/** The same request in both runs. */
export interface Pair {
  readonly id: string;
  /** Milliseconds; the first is shown, and all have to agree. */
  readonly before: readonly [number, ...number[]];
  readonly now: readonly [number, ...number[]];
  readonly pieces: number;
  /** Of the checker in the two answers, at the worst moment. Milliseconds. */
  readonly lateness: Lateness;
}

type Lateness = readonly [before: number, now: number];

const ON_TIME: Lateness = [0, 0];

/** The noise of an idle machine and a steady network. */
export const QUIET = { spread: 0, shift: 0 };

/** Milliseconds. With four busy processes on two cores, an answer comes 50 ms later. */
export const WAIT_NOISE = 100;

/** The request and the answer may both be late. What refusals share says nothing about this time alone. */
export function noiseOfWait({ lateness, spread, shift }: Noise): number {
  return Math.max(WAIT_NOISE, 2 * lateness, SPREADS * spread) + shift;
}

/** Undefined if the time did not move. */
export function comparePairs(
  measure: PairedMeasure,
  pairs: readonly Pair[],
  refusals: RefusalNoise,
): ComparedTime | undefined {
  const [old, fresh] = sidesOf(pairs);
  const directions = new Set(pairs.flatMap((pair) => directionsOf(pair, measure, refusals)));
  if (pairs.length >= measure.answers && directions.size === 1 && !directions.has('same'))
    return { change: drift(measure.name, old, fresh) };
  const agreeing = mostAgreeing(pairs, measure);
  if (agreeing.length === 0) return undefined;
  const time = hiddenTime(measure.name, old, fresh);
  const by = noiseThatHides(agreeing, measure, refusals);
  if (by !== undefined) return { hidden: { by, time } };
  return { hidden: { by: 'few', time: { ...time, moved: agreeing.length, answers: pairs.length } } };
}

/** Pairs that moved one way by more than the noise of an idle machine, or that may have if the checker had been on time. */
function mostAgreeing(pairs: readonly Pair[], measure: PairedMeasure): readonly Pair[] {
  const seen = mostOneWay(pairs, measure, wayOf);
  return seen.length > 0 || measure.isMedian ? seen : mostOneWay(pairs, measure, possibleWayOf);
}

/** Most of them; or half, if the others did not move: at least two, or any if the checker was late in the others. */
function mostOneWay(pairs: readonly Pair[], measure: PairedMeasure, wayIn: typeof wayOf): readonly Pair[] {
  const still = pairs.filter((pair) => wayIn(pair, measure) === 'same');
  const ways = (['slower', 'faster'] as const).map((way) => pairs.filter((pair) => wayIn(pair, measure) === way));
  const half = pairs.length / 2;
  const isHalfEnough = still.length === half && (half >= 2 || still.every((pair) => isLate(pair, measure)));
  return ways.find(({ length }) => length > half || (isHalfEnough && length === half)) ?? [];
}

/** By more than the noise of an idle machine. */
function wayOf(pair: Pair, measure: PairedMeasure): Direction {
  const [way = 'same', ...others] = new Set(directionsOf({ ...pair, lateness: ON_TIME }, measure, QUIET));
  return others.length === 0 ? way : 'same';
}

/** The lateness may be part of the shorter time, and too little of the longer one to explain the difference. */
function possibleWayOf(pair: Pair, measure: PairedMeasure): Direction {
  const [before, now] = [pair.before[0], pair.now[0]];
  const [lateBefore, lateNow] = pair.lateness;
  if (now - lateNow > before) return wayOf({ ...pair, before: [Math.max(0, before - lateBefore)] }, measure);
  if (before - lateBefore > now) return wayOf({ ...pair, now: [Math.max(0, now - lateNow)] }, measure);
  return wayOf(pair, measure);
}

/** By more than an idle machine. */
function isLate({ pieces, lateness }: Pair, { noiseOf }: PairedMeasure): boolean {
  return noiseOf({ pieces, lateness: sumOf(lateness), ...QUIET }) > noiseOf({ pieces, lateness: 0, ...QUIET });
}

function sumOf([before, now]: Lateness): number {
  return before + now;
}

/** In which the change is lost. Undefined if it is beyond all of them. */
function noiseThatHides(agreeing: readonly Pair[], measure: PairedMeasure, refusals: RefusalNoise): Hiding | undefined {
  const isLost = (noise: RefusalNoise): boolean =>
    agreeing.some((pair) => directionsOf(pair, measure, noise).includes('same'));
  if (isLost(QUIET)) return 'lateness';
  if (isLost({ ...refusals, shift: 0 })) return 'refusals';
  return isLost(refusals) ? 'shift' : undefined;
}

export function sidesOf(pairs: readonly Pair[]): readonly [TimeSide, TimeSide] {
  const ids = pairs.map(({ id }) => id).slice(0, MAX_EXCHANGES);
  const [before, now] = [pairs.map(({ before: [value] }) => value), pairs.map(({ now: [value] }) => value)];
  return [timeSideOf(before, ids), timeSideOf(now, ids)];
}

/** Whether it moved by more than the noise of an idle machine and a steady network. */
export function hasMoved(pair: Pair, measure: PairedMeasure): boolean {
  return !directionsOf(pair, measure, QUIET).includes('same');
}

type Direction = 'slower' | 'faster' | 'same';

function directionsOf(
  { before, now, pieces, lateness }: Pair,
  measure: PairedMeasure,
  { spread, shift }: RefusalNoise,
): readonly Direction[] {
  return before.map((old, index) => {
    const fresh = now[index] ?? old;
    // Refusals that moved the other way explain nothing.
    const along = Math.max(0, fresh < old ? -shift : shift);
    return directionOf(old, fresh, measure.noiseOf({ pieces, lateness: sumOf(lateness), spread, shift: along }));
  });
}

/** Of the longer time to the shorter. */
const MIN_RATIO = 2;
/** Milliseconds. Pieces that arrive together have no gap, and any ratio to nothing would be large. */
const SHORTEST = 1;

function directionOf(before: number, now: number, least: number): Direction {
  const [shorter, longer] = before < now ? [before, now] : [now, before];
  if (longer - shorter < least || longer < MIN_RATIO * Math.max(shorter, SHORTEST)) return 'same';
  return before < now ? 'slower' : 'faster';
}

export function compareRefusals(older: Observations, newer: Observations): RefusalNoise {
  const [before, now] = [older, newer]
    .map(({ times }) => times.get(REFUSAL)?.values ?? [])
    .map((each) => timeSideOf(each));
  if (!before || !now || before.answers === 0 || now.answers === 0) return QUIET;
  return { spread: before.spread + now.spread, shift: now.median - before.median };
}
