/** Tells whether a stream was generated completely before it was sent in pieces. */
import { type ChunkReading, readChunks } from './chunks.ts';
import { MAX_LATE_STREAMS } from '../../plan/plan.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { lastAnswer } from './answered.ts';

/** Fewer events with text can arrive together by chance. */
const MIN_EVENTS = 10;
/** A few events within this time arrived at once. Milliseconds. */
const AT_ONCE = 5;
/** Many events take longer to send and read even if all existed before: this rate still counts as at once. */
const EVENTS_PER_MILLISECOND = 4;
/**
 * A busy target pauses while it sends what it has, so the text may take a little longer: this part of the wait, and at
 * most this many milliseconds, if enough events came at once.
 */
const MAX_PART_OF_WAIT = 0.05;
const MAX_WITHIN = 40;
const MANY_EVENTS = 20;
/** Any answer takes this long, even without generation. Milliseconds. */
const MIN_WAIT = 25;
const SPREADS = 10;
/**
 * An event loop is often this late in a busy process, which is too little to matter: real text would have to arrive
 * within window and lateness together, twice, to look fake. Milliseconds.
 */
const LATE = 10;

export type Arrival =
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'no-text' }
  /** No sign of a fake stream. */
  | { readonly kind: 'in-pieces' }
  /** The events came at once, but there is no refusal to compare the wait with. */
  | { readonly kind: 'no-refusals' }
  /** The checker's own event loop was too late to decide. */
  | { readonly kind: 'late'; readonly lateness: number }
  | { readonly kind: 'fake'; readonly events: number; readonly within: number; readonly wait: number };

/** Arrival times of the events with text or reasoning. */
export function textTimes({ choices }: ChunkReading): readonly number[] {
  const times = new Map<number, number>();
  for (const { text, reasoning } of choices) {
    for (const { event, at } of [...text, ...reasoning]) times.set(event, at);
  }
  return [...times.values()].toSorted((a, b) => a - b);
}

/** The time of the first event with text or reasoning. Cheaper than all times, which every stream under load would pay for. */
export function timeOfFirstText({ choices }: ChunkReading): number | undefined {
  const times = choices.flatMap(({ text: [first], reasoning: [thought] }) => [first?.at, thought?.at]);
  return times.reduce((least, at) => (at === undefined || (least !== undefined && least < at) ? least : at), undefined);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Considers all events with text, not any ten of them: a network segment with ten small events in the middle of a stream
 * proves nothing. The wait is compared with refusals because they need no generation. Their spread is the median
 * absolute deviation, which a single slow refusal does not change.
 *
 * A late event loop makes separate arrivals look simultaneous, so it allows no verdict unless it made no difference:
 * text that arrived further apart than window and lateness together, or as fast as a refusal. Only lateness at the first
 * text does so; later on, it makes them look further apart.
 */
export function arrivalOf(exchange: Exchange, refusalTimes: readonly number[]): Arrival {
  const answer = lastAnswer(exchange);
  if (answer?.status !== 200) return { kind: 'unanswered' };
  const times = textTimes(readChunks(answer));
  return times.length === 0 ? { kind: 'no-text' } : arrivalOfText(times, answer, refusalTimes);
}

function arrivalOfText(times: readonly number[], answer: Answer, refusalTimes: readonly number[]): Arrival {
  const { lateness: worst, textLateness: lateness = worst } = answer;
  const [first, last] = [times[0]!, times.at(-1)!];
  const within = last - first;
  const isLate = lateness > LATE;
  const atOnce = Math.max(AT_ONCE, times.length / EVENTS_PER_MILLISECOND);
  const usual = median(refusalTimes);
  const spread = median(refusalTimes.map((time) => Math.abs(time - usual)));
  const wait = first - usual;
  const isInterrupted = within > atOnce && within <= Math.min(MAX_WITHIN, MAX_PART_OF_WAIT * wait) && hasBurst(times);
  const isAtOnce = isInterrupted || within <= atOnce + (isLate ? lateness : 0);
  if (times.length < MIN_EVENTS || !isAtOnce) return { kind: 'in-pieces' };
  if (refusalTimes.length === 0) return { kind: 'no-refusals' };
  if (wait < MIN_WAIT || wait < SPREADS * spread) return { kind: 'in-pieces' };
  if (isLate) return { kind: 'late', lateness };
  // Many events at once after the first text may be the checker's own doing.
  if (isInterrupted && worst > LATE) return { kind: 'late', lateness: worst };
  return { kind: 'fake', events: times.length, within, wait };
}

/** Whether many of the events came at once. */
function hasBurst(times: readonly number[]): boolean {
  return times.some((time, place) => time - (times[place - MANY_EVENTS + 1] ?? -Infinity) <= AT_ONCE);
}

type Fake = Extract<Arrival, { readonly kind: 'fake' }>;
type Late = Extract<Arrival, { readonly kind: 'late' }>;

/** What streams that were sent one after another show together. */
export type Conclusion =
  /** Another stream is needed. `fakes` has at most one; `late` is set if the last stream could not be timed. */
  | { readonly kind: 'open'; readonly fakes: readonly FakeStream[]; readonly late?: Late }
  /** Two in a row. */
  | { readonly kind: 'fake'; readonly fakes: readonly FakeStream[] }
  | { readonly kind: 'late'; readonly late: Late }
  /** This stream, which `fakes` may precede, does not look fake. */
  | {
      readonly kind: 'not-fake';
      readonly exchange: Exchange;
      readonly arrival: Exclude<Arrival, Fake | Late>;
      readonly fakes: readonly FakeStream[];
    };

/** A stream that looks fake. */
export interface FakeStream {
  readonly exchange: Exchange;
  readonly arrival: Fake;
}

/** A stream that the checker was too late to time proves nothing either way, and is sent again a few times. */
export function concludeArrivals(exchanges: readonly Exchange[], refusalTimes: readonly number[]): Conclusion {
  const fakes: FakeStream[] = [];
  let late: Late | undefined;
  let lateInARow = 0;
  for (const exchange of exchanges) {
    const arrival = arrivalOf(exchange, refusalTimes);
    if (arrival.kind === 'late') {
      late = arrival;
      lateInARow += 1;
      if (lateInARow > MAX_LATE_STREAMS) return { kind: 'late', late };
      continue;
    }
    late = undefined;
    lateInARow = 0;
    if (arrival.kind !== 'fake') return { kind: 'not-fake', exchange, arrival, fakes };
    fakes.push({ exchange, arrival });
    if (fakes.length === 2) return { kind: 'fake', fakes };
  }
  return { kind: 'open', fakes, ...(late && { late }) };
}
