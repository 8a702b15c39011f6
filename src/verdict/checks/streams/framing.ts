/** Legal by the event-stream grammar, but stock clients throw or lose text. */

import { findHeader } from '../../../exchange/exchange.ts';
import type { EventPlace } from '../../../exchange/reading/chunks.ts';
import { type OddLine, readOddLines } from '../../../exchange/reading/event-stream.ts';
import { quoteText } from '../../../text/quote.ts';
import type { ActualType } from '../../actual-type.ts';
import type { Check } from '../../check.ts';
import type { ExpectedPhrase } from '../../expected.ts';
import { finding, valueFound, brokenWith } from '../../finding.ts';
import { HOLDS, inconclusive } from '../../check-result.ts';
import type { Mismatch } from '../../mismatch.ts';
import { contentTypeFound, mediaTypeOf } from '../../reading/answers.ts';
import { inEvent, judgeStreams, type StreamView } from './stream-view.ts';

/** Clients stop reading at the end marker. */
function beforeDone<Event extends EventPlace>(events: readonly Event[], { chunks }: StreamView): readonly Event[] {
  return events.filter(({ index }) => index < (chunks.done?.index ?? Infinity));
}

type OddLines = Omit<ReturnType<typeof readOddLines>, 'hasMarkedData'>;

function oddLinesOf(kind: keyof OddLines, { answer, chunks }: StreamView) {
  const lines: readonly (OddLine & Partial<OddLines['withoutData'][number]>)[] = readOddLines(answer.body)[kind];
  return lines.filter(({ events }) => events <= (chunks.done?.index ?? Infinity));
}

/** Every line of this kind is a finding. A block without data is of the type of its first field. */
function findLines(kind: keyof OddLines, mismatch: Mismatch, expected: ExpectedPhrase, actualType?: ActualType) {
  return judgeStreams('event', (stream) =>
    oddLinesOf(kind, stream).map(({ line, field = 'unknown' }) =>
      finding(stream.exchange, {
        mismatch,
        expected,
        actualType: actualType ?? field,
        actual: { kind: 'text', text: line },
      }),
    ),
  );
}

const EXPECTED = 'text/event-stream';

const EMPTY = { mismatch: 'empty', expected: 'json-or-done', actualType: 'empty', actual: 'empty-data' } as const;
const LONE_RETURN = {
  mismatch: 'line-end',
  expected: 'line-feed',
  actualType: 'lone-return',
  actual: 'lone-return',
} as const;
/** Bodies and streams alike. */
export const MARK = {
  mismatch: 'byte-order-mark',
  expected: 'no-byte-order-mark',
  actualType: 'byte-order-mark',
  actual: 'byte-order-mark',
} as const;

export const STREAM_FRAMING_CHECKS = {
  /** Part 1: browsers and strict clients refuse a stream with another Content-Type. */
  'stream-labelled': {
    summary: 'A stream has the content type text/event-stream, with or without parameters.',
    execute: judgeStreams('event', ({ exchange, answer }) => {
      if (mediaTypeOf(answer) === EXPECTED) return HOLDS;
      const label = findHeader(answer.headers, 'content-type');
      return brokenWith(exchange, {
        mismatch: label === undefined ? 'absent' : 'content-type',
        expected: { kind: 'media-type', type: EXPECTED },
        actualType: label === undefined ? 'absent' : 'string',
        actual: contentTypeFound(label),
      });
    }),
  },
  /** Part 1: stock clients parse the data of every unnamed event. stream.data-not-empty covers empty data. */
  'stream-data-json': {
    summary: 'The data of each unnamed event is JSON or [DONE].',
    execute: judgeStreams('event', (stream) => {
      const read = beforeDone(stream.chunks.events, stream);
      const wrong = read.filter(({ kind }) => kind === 'not-json');
      // An event that was not parsed may be anything.
      if (wrong.length === 0 && read.some(({ kind }) => kind === 'unread')) return inconclusive('event-not-read');
      return wrong.map((event) => {
        const actual = { kind: 'text', text: quoteText(event.data) } as const;
        return inEvent(stream, event, { mismatch: 'not-json', expected: 'json-or-done', actualType: 'text', actual });
      });
    }),
  },
  /** Part 1: stock clients parse the data of every unnamed event, and an empty string is not JSON. */
  'stream-data-not-empty': {
    summary: 'No unnamed event has empty data.',
    execute: judgeStreams('event', (stream) => {
      const empty = beforeDone(stream.chunks.events, stream).filter(({ kind }) => kind === 'empty');
      return empty.map((event) => inEvent(stream, event, EMPTY));
    }),
  },
  /** Part 1: stock clients parse an event of any name as a chunk. `error` is an error: stream.no-error. */
  'stream-event-names': {
    summary: 'No event has a name other than message or error.',
    execute: judgeStreams('event', (stream) => {
      const odd = beforeDone(stream.chunks.named, stream).filter(({ name }) => name !== 'error');
      const parts = { mismatch: 'event-name', expected: 'usual-event-name', actualType: 'string' } as const;
      return odd.map((event) => inEvent(stream, event, { ...parts, actual: valueFound(event.name) }));
    }),
  },
  /** Part 1: stock clients take such a block for an event and parse its empty data, or lose what was meant as data. */
  'stream-block-data': {
    summary: 'Every block has data, unless it has only comments.',
    execute: findLines('withoutData', 'no-data', 'block-with-data'),
  },
  /** Part 1: a stock client remembers the id and takes a block of comments for an event without data. */
  'stream-comment-after-id': {
    summary: 'No comment-only block follows an id field.',
    execute: findLines('commentsAfterId', 'comment-after-id', 'no-comment-after-id', 'comment'),
  },
  /** Part 1: stock clients split lines at LF, so a stream with CR alone is one long line to them. */
  'stream-line-ends': {
    summary: 'Lines end with LF or CR LF, not with CR alone.',
    execute: judgeStreams('event', (stream) =>
      oddLinesOf('loneReturns', stream).map(() => finding(stream.exchange, LONE_RETURN)),
    ),
  },
  /** Part 1: stock clients that do not know the mark take its line for an unknown field, so its text is lost. */
  'stream-byte-order-mark': {
    summary: 'No byte order mark comes right before text, or in the middle of a stream.',
    execute: judgeStreams('event', (stream) => {
      const [later] = oddLinesOf('marked', stream);
      if (later) return brokenWith(stream.exchange, { ...MARK, actual: { kind: 'text', text: later.line } });
      const { hasMarkedData } = readOddLines(stream.answer.body);
      const isLost = hasMarkedData && stream.chunks.choices.some(({ text }) => text[0]?.event === 0);
      return isLost ? [inEvent(stream, 0, MARK)] : HOLDS;
    }),
  },
  /** Part 1: to every client such a line is a field that it does not know, so that its text is lost without an error. */
  'stream-field-names': {
    summary: 'The name of the data field is written data, in lower case, at the start of its line and before a colon.',
    execute: findLines('misspelt', 'field-name', 'data-field', 'text'),
  },
  /** Part 1: some stock clients decode the whole stream, comments included, and throw. */
  'stream-utf-8': {
    summary: 'Comments, and other lines without data, are UTF-8.',
    execute: findLines('undecodable', 'not-utf8', 'utf-8-line', 'not-utf8'),
  },
  /** Part 1: some stock clients parse each data line on its own. */
  'stream-one-data-line': {
    summary: 'Each chunk is in one data line.',
    execute: judgeStreams('event', (stream) => {
      const parts = { mismatch: 'data-lines', expected: 'one-data-line', actualType: 'several-lines' } as const;
      // The grammar joins data lines with LF, which no single line contains.
      const long = stream.chunks.chunks.filter(({ data }) => data.includes('\n'));
      return long.map((chunk) =>
        inEvent(stream, chunk, { ...parts, actual: { kind: 'data-lines', count: chunk.data.split('\n').length } }),
      );
    }),
  },
} satisfies Record<string, Check>;
