import { type Answer, findHeader } from '../../../exchange/exchange.ts';
import { MAX_CHOICES } from '../../../exchange/reading/choices.ts';
import { lastAnswer } from '../../../exchange/reading/answered.ts';
import { type Chunk, chunkValue, type ChunkReading, readChunks } from '../../../exchange/reading/chunks.ts';
import { isObject, type Json, memberOf } from '../../../json.ts';
import { headerItem, itemsOf } from '../../reading/answers.ts';
import type { Check } from '../../check.ts';
import { noOccasion, observed } from '../../check-result.ts';
import { fieldItem, type Observation, type ObservedItem, type ObservedWord, seenValues } from '../../observation.ts';
import { observeStreams } from './stream-view.ts';
import { roundToTenths } from '../../../text/layout.ts';
import { quoteText } from '../../../text/quote.ts';
import { median, textGroups, textTimes } from '../../../exchange/reading/looks-fake.ts';

/** The fields that stock clients know. Other clauses cover errors. */
const KNOWN = {
  '': ['id', 'object', 'created', 'model', 'choices', 'usage', 'error'],
  '/choices/*': ['index', 'delta', 'finish_reason', 'error'],
  '/choices/*/delta': ['role', 'content'],
} as const satisfies Record<string, readonly string[]>;

function* unknownIn(value: Json | undefined, place: keyof typeof KNOWN): Generator<ObservedItem> {
  const known: readonly string[] = KNOWN[place];
  for (const name of isObject(value) ? Object.keys(value) : []) {
    if (!known.includes(name)) yield fieldItem(`chunk ${place}`, name);
  }
}

function* unknownFields(chunks: readonly Chunk[]): Generator<ObservedItem> {
  for (const chunk of chunks) {
    const value = chunkValue(chunk);
    yield* unknownIn(value, '');
    for (const choice of itemsOf(memberOf(value, 'choices')).slice(0, MAX_CHOICES)) {
      yield* unknownIn(choice, '/choices/*');
      yield* unknownIn(memberOf(choice, 'delta'), '/choices/*/delta');
    }
  }
}

function whereUsageCame({ events, chunks, done }: ChunkReading): ObservedWord {
  const carriers = events.filter((event) => event.kind === 'chunk').filter(({ hasUsage }) => hasUsage);
  const [first] = carriers;
  if (!first) return 'nowhere';
  if (done && first.index > done.index) return 'after-done';
  if (carriers.length > 1) return carriers.length >= chunks.length ? 'every-chunk' : 'several-chunks';
  if (first.choices === 0) return 'chunk-without-choices';
  return first === chunks.at(-1) ? 'last-chunk' : 'one-chunk';
}

/** A checker that was so many milliseconds behind, and for half of the time, may have caused the time itself. */
const MUCH_BEHIND = 20;
const MUCH_OF_IT = 0.5;

/** Only lateness at the first text counts: later on, it does not change this time. */
function observeFirstText(answer: Answer, time: number | undefined): readonly Observation[] {
  if (time === undefined) return [];
  const behind = answer.textLateness ?? answer.lateness;
  const isTooLate = behind >= MUCH_BEHIND && behind >= MUCH_OF_IT * time;
  return [
    { name: 'first-text-time', value: isTooLate ? 'checker-late' : roundToTenths(time) },
    { name: 'first-text-lateness', value: roundToTenths(behind) },
  ];
}

function observeNumber(
  name: 'first-event-time' | 'median-gap' | 'largest-gap' | 'event-length' | 'group-size',
  value: number | undefined,
): readonly Observation[] {
  return value === undefined ? [] : [{ name, value: roundToTenths(value) }];
}

export const SEEN_STREAM_CHECKS = {
  /** Part 4 does not define the shape of the events. */
  'stream-shape': {
    summary: 'Records unknown fields of chunks, chunks without choices, and whether created changes.',
    execute: observeStreams('event', ({ chunks: { chunks, choices } }) => [
      { name: 'unknown-fields', value: seenValues(unknownFields(chunks)) },
      { name: 'chunks-without-choices', value: chunks.filter((chunk) => chunk.choices === 0).length },
      { name: 'choices', value: choices.length },
      { name: 'created-changes', value: new Set(chunks.flatMap(({ created }) => created ?? [])).size > 1 },
    ]),
  },
  /** Part 4 does not define the end-of-stream marker. */
  'stream-end-marker': {
    summary: 'Records how the stream ended, and whether [DONE] came with its blank line.',
    execute: observeStreams('event', ({ chunks: { done }, end }) => [
      { name: 'stream-end', value: end },
      { name: 'end-marker', value: done ? (done.terminated ? 'complete' : 'no-blank-line') : 'absent' },
    ]),
  },
  /** Part 4 does not define the content type of a stream. */
  'stream-content-type': {
    summary: 'Records the content type of a stream.',
    execute: observeStreams('answer', ({ answer }) => [
      { name: 'content-type', value: headerItem(findHeader(answer.headers, 'content-type')) },
    ]),
  },
  /** Part 4 does not define whether and where a stream carries usage. */
  'stream-usage': {
    summary: 'Records whether and where a stream carries usage.',
    execute: observeStreams('event', ({ chunks }) => [{ name: 'usage', value: whereUsageCame(chunks) }]),
  },
  /** Part 4: comments and named events keep a connection alive, and clients skip them. */
  'stream-heartbeats': {
    summary: 'Records comments, named events, retry and id fields, and unknown fields.',
    execute: observeStreams('answer', ({ chunks: { stream, named, events } }) => [
      { name: 'comments', value: stream.comments.length },
      { name: 'event-names', value: seenValues(named.map(({ name }) => quoteText(name))) },
      { name: 'message-events', value: stream.events.filter(({ event }) => event === 'message').length },
      { name: 'retry-fields', value: seenValues(stream.retries) },
      { name: 'id-fields', value: stream.events.some(({ id }) => id !== undefined) },
      {
        name: 'unknown-stream-fields',
        value: events.length > 0 ? seenValues([...stream.unknownFields].map((field) => quoteText(field))) : [],
      },
      { name: 'byte-order-mark', value: stream.byteOrderMark },
    ]),
  },
  /** The contract sets no times; they are recorded to compare runs. */
  'stream-timing': {
    summary: 'Records the time to the first event and text, the gaps between events, and the text per event.',
    execute: observeStreams('event', ({ answer, chunks }) => {
      const { events } = chunks.stream;
      const gaps = events.slice(1).map(({ at }, index) => at - (events[index]?.at ?? at));
      const texts = textTimes(chunks);
      const groups = textGroups(answer, chunks);
      const characters = chunks.choices
        .flatMap(({ text, reasoning }) => [...text, ...reasoning])
        .reduce((sum, { text }) => sum + text.length, 0);
      const counts: readonly Observation[] = [
        { name: 'events', value: events.length },
        { name: 'events-with-text', value: texts.length },
        { name: 'bytes', value: answer.body.bytes.length },
        { name: 'network-reads', value: answer.body.reads.length },
        { name: 'text-groups', value: groups.length },
        { name: 'lateness', value: roundToTenths(answer.lateness) },
      ];
      return [
        ...observeNumber('first-event-time', events[0]?.at),
        ...observeFirstText(answer, texts[0]),
        ...observeNumber('median-gap', gaps.length === 0 ? undefined : median(gaps)),
        ...observeNumber(
          'largest-gap',
          gaps.length === 0 ? undefined : gaps.reduce((most, gap) => Math.max(most, gap), 0),
        ),
        ...observeNumber('group-size', groups.length === 0 ? undefined : median(groups.map(({ bytes }) => bytes))),
        ...observeNumber('event-length', texts.length === 0 ? undefined : characters / texts.length),
        ...counts,
      ];
    }),
  },
  /** The contract does not say that headers come before the model has begun; time limits of clients and proxies do. */
  'stream-headers': {
    summary: 'Records the times of the headers and of the first text of streams.',
    execute: ({ exchanges }) => {
      const streams = exchanges.flatMap((exchange) => {
        const answer = lastAnswer(exchange);
        const text = answer && textTimes(readChunks(answer))[0];
        return answer === undefined || text === undefined ? [] : [{ headers: answer.headersAt, text }];
      });
      if (streams.length === 0) return noOccasion('reply-text');
      const waits = streams.map(({ headers, text }) => Math.max(0, text - headers));
      return observed([
        { name: 'headers-time', value: roundToTenths(median(streams.map(({ headers }) => headers))) },
        { name: 'headers-to-text', value: roundToTenths(median(waits)) },
      ]);
    },
  },
} satisfies Record<string, Check>;
