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
  readonly lateness: number;
}

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

/** Pairs that moved one way by the noise of an idle machine, if most did; or half of them, if wirecheck was late in the others. */
function mostAgreeing(pairs: readonly Pair[], measure: PairedMeasure): readonly Pair[] {
  const wayOf = (pair: Pair): Direction => {
    const [way = 'same', ...others] = new Set(directionsOf({ ...pair, lateness: 0 }, measure, QUIET));
    return others.length === 0 ? way : 'same';
  };
  const isOpen = (pair: Pair): boolean => wayOf(pair) === 'same' && isLate(pair, measure);
  const ways = (['slower', 'faster'] as const).map((way) => pairs.filter((pair) => wayOf(pair) === way));
  const half = pairs.length / 2;
  const isEven = pairs.filter(isOpen).length === half;
  return ways.find(({ length }) => length > half || (isEven && length === half)) ?? [];
}

/** By more than an idle machine. */
function isLate({ pieces, lateness }: Pair, { noiseOf }: PairedMeasure): boolean {
  return noiseOf({ pieces, lateness, ...QUIET }) > noiseOf({ pieces, lateness: 0, ...QUIET });
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
    return directionOf(old, fresh, measure.noiseOf({ pieces, lateness, spread, shift: along }));
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
