/** Finds times that drifted beyond noise: of answers, and of streams their first text, their pace and their whole. */
import { median } from '../../exchange/reading/looks-fake.ts';
import { roundToTenths } from '../../text/layout.ts';
import { type Change, changeOf, type MovedTime, type ChangeSide } from './comparison.ts';
import { MAX_EXCHANGES, MODEL_LIST, type Observations, REFUSAL, REPLY, type StreamTimes } from './observed-run.ts';

/** A time that moved by more than the noise of the two runs. */
interface ComparedTime {
  readonly measure: string;
  readonly old: TimeSide;
  readonly new: TimeSide;
  /** It moved by no more than refusals did, which explain it. */
  readonly isAlong: boolean;
  /** The whole stream, where its first text explains it. */
  readonly movedAlong?: readonly MovedTime[];
}

type Runs = readonly [older: Observations, newer: Observations];

export function compareTimes(...runs: Runs): readonly Change[] {
  const refusals = compareRefusals(runs);
  const moved = [...compareAnswerTimes(runs, refusals), ...compareStreamTimes(runs, refusals)];
  const along = moved.filter(({ isAlong }) => isAlong).map(movedTime);
  return moved.flatMap(({ measure, old, new: fresh, isAlong, movedAlong = [] }) => {
    if (isAlong) return [];
    // One cause: whatever made refusals slower made these times slower by as much.
    const others = measure === REFUSAL ? along : movedAlong;
    const change = changeOf({ kind: 'drift', what: 'time', place: { measure }, old, new: fresh });
    return [others.length > 0 ? { ...change, movedAlong: others } : change];
  });
}

function movedTime({ measure, old, new: fresh }: Omit<ComparedTime, 'isAlong'>): MovedTime {
  return { measure, old: old.median, new: fresh.median };
}

/** Multiple of the summed spreads: far beyond the variation within one run. */
const SPREADS = 5;
/** Times that a change keeps, to be drawn. */
const MAX_TIMES = 100;

type TimeSide = ReturnType<typeof timeSideOf>;

/** `measured`: by exchange. The spread is the median absolute deviation, which one slow answer does not move. */
function timeSideOf(measured: ReadonlyMap<string, number> = new Map()) {
  const values = [...measured.values()];
  const middle = median(values);
  return {
    answers: values.length,
    median: roundToTenths(middle),
    spread: roundToTenths(median(values.map((value) => Math.abs(value - middle)))),
    times: values.slice(0, MAX_TIMES).map(roundToTenths),
    exchanges: [...measured.keys()].slice(0, MAX_EXCHANGES),
  } satisfies ChangeSide;
}

/** The noise of refusals, which need no generation. Milliseconds. */
interface RefusalNoise {
  /** The spreads of the two runs, added. */
  readonly spread: number;
  /** The way from the older median to the newer; negative if refusals became faster. `noiseOf` gets it as a distance. */
  readonly shift: number;
}

/** The noise of an idle machine and a steady network. */
const QUIET: RefusalNoise = { spread: 0, shift: 0 };

function compareRefusals(runs: Runs): RefusalNoise {
  const [before, now] = runs.map(({ times }) => timeSideOf(times.get(REFUSAL)));
  if (!before || !now || before.answers === 0 || now.answers === 0) return QUIET;
  return { spread: before.spread + now.spread, shift: now.median - before.median };
}

/** A time, compared request by request. All have to agree: one slow answer is not drift. */
interface Measure {
  readonly name: string;
  /** Answers needed. */
  readonly answers: number;
  /** Milliseconds that may be noise. */
  readonly noiseOf: (noise: Noise) => number;
  /** The times of each exchange, by its id. */
  readonly timesIn: (run: Observations) => ReadonlyMap<string, MeasuredTime>;
  /** Whether two answers are alike enough; all are by default. */
  readonly areAlike?: (older: MeasuredTime, newer: MeasuredTime) => boolean;
}

interface MeasuredTime {
  /** Milliseconds; the first is shown, and all have to agree. */
  readonly values: readonly [number, ...number[]];
  /** Pieces of text in the stream. */
  readonly pieces: number;
  /** How late the checker was at worst, in milliseconds. */
  readonly lateness: number;
}

/** The noise of two answers: the pieces of the older, and the lateness of both. */
type Noise = RefusalNoise & Pick<MeasuredTime, 'pieces' | 'lateness'>;

/** Milliseconds. With four busy processes on two cores, an answer comes 50 ms later. */
const WAIT_NOISE = 100;

/** The request and the answer may both be late. What refusals share says nothing about this time alone. */
function noiseOfWait({ lateness, spread, shift }: Noise): number {
  return Math.max(WAIT_NOISE, 2 * lateness, SPREADS * spread) + shift;
}

const MIN_VALUES = 3;
/** A run asks for the model list about twice, and it needs no generation. */
const MIN_LISTS = 2;

const ANSWERS = [REPLY, REFUSAL, MODEL_LIST].map((name): Measure => ({
  name,
  answers: name === MODEL_LIST ? MIN_LISTS : MIN_VALUES,
  noiseOf: noiseOfWait,
  timesIn: ({ times, streamTimes }) => {
    // The worst moment of the checker, as far as its streams show it.
    const lateness = Math.max(0, ...[...streamTimes.values()].map((stream) => stream.lateness));
    return new Map([...(times.get(name) ?? [])].map(([id, time]) => [id, { values: [time], pieces: 0, lateness }]));
  },
}));

/** Milliseconds. With four busy processes on two cores, gaps of 3 ms become 12 ms. */
const GAP_NOISE = 20;
/** Pieces of text. Fewer say little about the pace. */
const MIN_PIECES = 8;
/** A reply with more pieces takes longer at the same pace. */
const MAX_LENGTH_RATIO = 1.25;

/** `valuesOf`: undefined if the stream is too short to tell. */
function ofStreams(valuesOf: (times: StreamTimes) => MeasuredTime['values'] | undefined): Measure['timesIn'] {
  return ({ streamTimes }) =>
    new Map(
      [...streamTimes].flatMap(([id, times]) => {
        const values = valuesOf(times);
        return values ? [[id, { values, pieces: times.texts.length, lateness: times.lateness }] as const] : [];
      }),
    );
}

const FIRST_TEXT: Measure = {
  name: 'first text of a stream',
  answers: 2,
  noiseOf: noiseOfWait,
  timesIn: ofStreams(({ texts: [first] }) => (first === undefined ? undefined : [first])),
};

const GAP: Measure = {
  name: 'gap between two pieces of a stream',
  // A median gap is made of many values, the others are one value a stream.
  answers: 1,
  // A gap does not include the way there and back, and the worst moments do not move its median far.
  noiseOf: ({ lateness, spread }) => Math.max(GAP_NOISE, lateness / 5, spread),
  // With the mean: pieces that arrive two at a time have other gaps at the same pace.
  timesIn: ofStreams(({ texts }) =>
    texts.length < MIN_PIECES
      ? undefined
      : [median(gapsIn(texts)), ((texts.at(-1) ?? 0) - (texts[0] ?? 0)) / (texts.length - 1)],
  ),
};

const WHOLE: Measure = {
  name: 'whole stream',
  answers: 2,
  // The noise of every gap adds up.
  noiseOf: ({ pieces, lateness, spread, shift }) =>
    Math.max(WAIT_NOISE + pieces * Math.max(GAP_NOISE, lateness / 2), SPREADS * spread) + shift,
  timesIn: ofStreams(({ texts, last }) => (texts.length < MIN_PIECES || last === undefined ? undefined : [last])),
  areAlike: ({ pieces: before }, { pieces: now }) => Math.max(before, now) <= MAX_LENGTH_RATIO * Math.min(before, now),
};

/** The whole stream from its first text on. */
const REST: Measure = {
  ...WHOLE,
  timesIn: ofStreams(({ texts: [first = 0, ...texts], last }) =>
    texts.length + 1 < MIN_PIECES || last === undefined ? undefined : [last - first],
  ),
};

function gapsIn(texts: readonly number[]): readonly number[] {
  return texts.slice(1).map((at, index) => at - (texts[index] ?? at));
}

/** Milliseconds, and as a share of the older time. Smaller differences are ordinary noise. */
const MIN_DIFFERENCE = 50;
const MIN_SHARE = 0.5;
/** If there are fewer values, the ranges of the two runs must not overlap. */
const MANY_VALUES = 10;

/** The medians of many answers are compared. */
function compareAnswerTimes(runs: Runs, refusals: RefusalNoise): readonly ComparedTime[] {
  return ANSWERS.flatMap((measure): readonly ComparedTime[] => {
    const [before, now] = runs.map(({ times }) => times.get(measure.name));
    if (!before || !now) return [];
    const fewest = Math.min(before.size, now.size);
    if (fewest < MIN_VALUES)
      return comparePairs(measure, pairTimes(measure, runs), measure.name === REFUSAL ? QUIET : refusals);
    const [old, fresh] = [timeSideOf(before), timeSideOf(now)];
    const difference = Math.abs(fresh.median - old.median);
    const noise = Math.max(MIN_DIFFERENCE, MIN_SHARE * old.median, SPREADS * (old.spread + fresh.spread));
    if (difference <= noise || (fewest < MANY_VALUES && overlap([...before.values()], [...now.values()]))) return [];
    return [{ measure: measure.name, old, new: fresh, isAlong: false }];
  });
}

function overlap(some: readonly number[], others: readonly number[]): boolean {
  return Math.min(...some) <= Math.max(...others) && Math.min(...others) <= Math.max(...some);
}

/** The same request in both runs. */
interface TimePair {
  readonly id: string;
  readonly before: MeasuredTime;
  readonly now: MeasuredTime;
}

function pairTimes({ timesIn, areAlike = () => true }: Measure, [older, newer]: Runs): readonly TimePair[] {
  const others = timesIn(newer);
  return [...timesIn(older)].flatMap(([id, before]) => {
    const now = others.get(id);
    return now && areAlike(before, now) ? [{ id, before, now }] : [];
  });
}

function comparePairs(measure: Measure, pairs: readonly TimePair[], refusals: RefusalNoise): readonly ComparedTime[] {
  const isBeyond = haveMoved(pairs, measure, refusals);
  const isAlong = !isBeyond && haveMoved(pairs, measure, { ...refusals, shift: 0 });
  if (!isAlong && !(isBeyond && pairs.length >= measure.answers)) return [];
  return [{ measure: measure.name, ...sidesOf(pairs), isAlong }];
}

/** Whether all of them moved the same way by more than noise. */
function haveMoved(pairs: readonly TimePair[], measure: Measure, refusals: RefusalNoise): boolean {
  const directions = new Set(pairs.flatMap((pair) => directionsOf(pair, measure, refusals)));
  return directions.size === 1 && !directions.has('same');
}

function sidesOf(pairs: readonly TimePair[]): Pick<ComparedTime, 'old' | 'new'> {
  const sideOf = (run: 'before' | 'now') => timeSideOf(new Map(pairs.map((pair) => [pair.id, pair[run].values[0]])));
  return { old: sideOf('before'), new: sideOf('now') };
}

function directionsOf({ before, now }: TimePair, { noiseOf }: Measure, { spread, shift }: RefusalNoise) {
  const noise = { pieces: before.pieces, lateness: before.lateness + now.lateness, spread };
  return before.values.map((old, index) => {
    const fresh = now.values[index] ?? old;
    // Refusals that moved the other way explain nothing.
    return directionOf(old, fresh, noiseOf({ ...noise, shift: Math.max(0, fresh < old ? -shift : shift) }));
  });
}

/** The ratio of the longer time to the shorter. */
const MIN_RATIO = 2;
/** Milliseconds. Pieces that arrive together have no gap, and any ratio to nothing would be large. */
const SHORTEST = 1;

function directionOf(before: number, now: number, least: number): 'slower' | 'faster' | 'same' {
  const [shorter, longer] = before < now ? [before, now] : [now, before];
  if (longer - shorter < least || longer < MIN_RATIO * Math.max(shorter, SHORTEST)) return 'same';
  return before < now ? 'slower' : 'faster';
}

/** A share of the shift of the first text: a whole stream that moved by so much moved with it. */
const MIN_SHIFT_SHARE = 0.5;

/** Stream by stream, since those of a run differ in length. */
function compareStreamTimes(runs: Runs, refusals: RefusalNoise): readonly ComparedTime[] {
  const compared = (measure: Measure) => comparePairs(measure, pairTimes(measure, runs), refusals);
  const [[first], gap, whole] = [compared(FIRST_TEXT), compared(GAP), compared(WHOLE)];
  const wholes = pairTimes(WHOLE, runs);
  if (!first || wholes.length === 0) return [...(first ? [first] : []), ...gap, ...whole];
  // A whole stream that moved only because its first text did is one cause with it. The rest may have drifted by itself.
  const isOwn = pairTimes(REST, runs).some((pair) => haveMoved([pair], REST, QUIET));
  const along = { measure: WHOLE.name, ...sidesOf(wholes), isAlong: true };
  const share = (along.new.median - along.old.median) / (first.new.median - first.old.median);
  if ((whole.length > 0 && isOwn) || share < MIN_SHIFT_SHARE) return [first, ...gap, ...whole];
  return first.isAlong ? [first, along, ...gap] : [{ ...first, movedAlong: [movedTime(along)] }, ...gap];
}
