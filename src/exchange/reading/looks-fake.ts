/** Tells whether a stream was held back: generated completely before it was sent, or gathered in the blocks of a buffer. */
import { type ChunkReading, readChunks } from './chunks.ts';
import { MAX_LATE_STREAMS } from '../../plan/plan.ts';
import { type Answer, type Exchange, findHeader } from '../exchange.ts';
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
/** Milliseconds. */
const BETWEEN_BLOCKS = 25;
/** Usual sizes of buffers, in bytes. */
const BUFFERS = [4_096, 8_192, 16_384, 32_768];
const TOLERANCE = 0.05;
/** A single group of such a size may be chance. */
const MIN_BLOCKS = 2;

/**
 * `in-pieces`: no sign that the stream was held back. `few-pieces`, `soon`: it would look the same if it were, for want of ten
 * events or two blocks, or since the text was there as soon as a refusal. `no-refusals`: the events came at once, but there is
 * no refusal to compare the wait with.
 */
export type Arrival =
  | { readonly kind: 'unanswered' | 'no-text' | 'in-pieces' | 'few-pieces' | 'soon' | 'no-refusals' }
  /** The checker's own event loop was too late to decide. */
  | { readonly kind: 'late'; readonly lateness: number }
  | { readonly kind: 'at-once'; readonly events: number; readonly within: number; readonly wait: number }
  /** `bytes`: the size of the largest block. The last one does not count. */
  | { readonly kind: 'in-blocks'; readonly blocks: number; readonly bytes: number };

/** The numbers of the events with text or reasoning, and when each arrived. */
export function textEvents({ choices }: ChunkReading): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { text, reasoning } of choices) {
    for (const { event, at } of [...text, ...reasoning]) times.set(event, at);
  }
  return times;
}

/** Their arrival times, in order. */
export function textTimes(chunks: ChunkReading): readonly number[] {
  return [...textEvents(chunks).values()].toSorted((a, b) => a - b);
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
  const chunks = readChunks(answer);
  const times = textTimes(chunks);
  if (times.length === 0) return { kind: 'no-text' };
  const blocks = blocksOf(answer, chunks);
  if (blocks.length < MIN_BLOCKS) {
    const arrival = arrivalOfText(times, answer, refusalTimes);
    return arrival.kind === 'in-pieces' && blocks.length > 0 ? { kind: 'few-pieces' } : arrival;
  }
  // Text that we were late to read arrives together, too.
  if (answer.lateness >= BETWEEN_BLOCKS - AT_ONCE) return { kind: 'late', lateness: answer.lateness };
  return { kind: 'in-blocks', blocks: blocks.length, bytes: Math.max(...blocks) };
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
  const isSoon = wait < Math.max(MIN_WAIT, SPREADS * spread);
  // A busy machine holds up text that comes as soon as a refusal, too. So do we, whenever it comes.
  const most = isSoon || worst > LATE ? MAX_WITHIN + worst : Math.min(MAX_WITHIN, MAX_PART_OF_WAIT * wait);
  const isInterrupted = within > atOnce && within <= most && hasBurst(times);
  const isAtOnce = isInterrupted || within <= atOnce + (isLate ? lateness : 0);
  if (times.length < MIN_EVENTS) return { kind: 'few-pieces' };
  if (!isAtOnce) return { kind: 'in-pieces' };
  if (refusalTimes.length === 0) return { kind: 'no-refusals' };
  if (isSoon) return { kind: 'soon' };
  if (isLate) return { kind: 'late', lateness };
  // Many events at once after the first text may be the checker's own doing.
  if (isInterrupted && worst > LATE) return { kind: 'late', lateness: worst };
  return { kind: 'at-once', events: times.length, within, wait };
}

/** Whether many of the events came at once. */
function hasBurst(times: readonly number[]): boolean {
  return times.some((time, place) => time - (times[place - MANY_EVENTS + 1] ?? -Infinity) <= AT_ONCE);
}

/** The groups of reads that brought the text, up to the end of the last choice. A buffer cuts anywhere, so that all bytes count. */
export function textGroups({ body }: Answer, chunks: ChunkReading) {
  const first = timeOfFirstText(chunks) ?? Infinity;
  const end = chunks.choices.reduce((last, { parts }) => Math.max(last, parts.at(-1)?.event ?? last), -1);
  const groups: { from: number; to: number; bytes: number }[] = [];
  for (const { at, bytes } of body.reads.slice(0, (chunks.stream.events[end]?.read ?? -1) + 1)) {
    const group = groups.at(-1);
    if (group && at - group.to <= AT_ONCE) Object.assign(group, { to: at, bytes: group.bytes + bytes });
    else groups.push({ from: at, to: at, bytes });
  }
  return groups.filter(({ to }) => to >= first);
}

/**
 * The sizes of all groups but the last if each fills a buffer of one size, none otherwise. The last one holds what is left, and
 * may follow sooner. A compressed body has other bytes than the buffer had.
 */
function blocksOf(answer: Answer, chunks: ChunkReading): readonly number[] {
  const { headers, body } = answer;
  if (findHeader(headers, 'content-encoding') !== undefined) return [];
  const groups = textGroups(answer, chunks);
  const isEachAtOnce = groups.every(({ from, to }) => to - from <= AT_ONCE);
  const blocks = groups.slice(0, -1);
  const areBlocks = (size: number): boolean =>
    blocks.every(({ from, bytes }, place) => {
      const before = blocks[place - 1];
      // The head of the answer takes its place in the first block.
      const head = from === body.reads[0]?.at ? headers.flat().join(': ').length : 0;
      const isFull = bytes <= size * (1 + TOLERANCE) && bytes + head >= size * (1 - TOLERANCE);
      return isFull && (!before || from - before.to >= BETWEEN_BLOCKS);
    });
  return isEachAtOnce && BUFFERS.some(areBlocks) ? blocks.map(({ bytes }) => bytes) : [];
}

type Held = Extract<Arrival, { readonly kind: 'at-once' | 'in-blocks' }>;
type Late = Extract<Arrival, { readonly kind: 'late' }>;

/** What streams that were sent one after another show together. */
export type Conclusion =
  /** Another stream is needed. `held` has at most one; `late` is set if the last stream could not be timed. */
  | { readonly kind: 'open'; readonly held: readonly HeldStream[]; readonly late?: Late }
  /** Two in a row, in the same way. */
  | { readonly kind: 'held-back'; readonly held: readonly HeldStream[] }
  | { readonly kind: 'late'; readonly late: Late }
  /** This stream, which `held` may precede, does not look held back, or in another way. */
  | {
      readonly kind: 'not-held';
      readonly exchange: Exchange;
      readonly arrival: Exclude<Arrival, Late>;
      readonly held: readonly HeldStream[];
    };

/** A stream that looks held back. */
export interface HeldStream {
  readonly exchange: Exchange;
  readonly arrival: Held;
}

/** A stream that the checker was too late to time proves nothing either way, and is sent again a few times. */
export function concludeArrivals(exchanges: readonly Exchange[], refusalTimes: readonly number[]): Conclusion {
  const held: HeldStream[] = [];
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
    const isHeld = arrival.kind === 'at-once' || arrival.kind === 'in-blocks';
    const [before] = held;
    if (!isHeld || (before && before.arrival.kind !== arrival.kind))
      return { kind: 'not-held', exchange, arrival, held };
    held.push({ exchange, arrival });
    if (before) return { kind: 'held-back', held };
  }
  return { kind: 'open', held, ...(late && { late }) };
}
