/** Legal by the event-stream grammar, but stock clients throw or lose text. */

import { findHeader } from '../../../exchange/exchange.ts';
import { type OddLine, readOddLines } from '../../../exchange/reading/event-stream.ts';
import { quoteText } from '../../../text/quote.ts';
import type { Check } from '../../check.ts';
import { finding, type FindingParts, valueFound } from '../../finding.ts';
import { broken, brokenIfAny, HOLDS, brokenWith } from '../../check-result.ts';
import { contentTypeFound, mediaTypeOf } from '../../reading/answers.ts';
import { inEvent, judgeStreams, type StreamView, UNREAD } from './stream-view.ts';

/** Clients stop reading at the end marker. */
function beforeEnd<Odd extends OddLine>(lines: readonly Odd[], { chunks }: StreamView): readonly Odd[] {
  return lines.filter(({ events }) => events <= (chunks.done?.index ?? Infinity));
}

function oddLine({ exchange }: StreamView, { line }: OddLine, parts: Omit<FindingParts, 'actual'>) {
  return finding(exchange, { ...parts, actual: { kind: 'text', text: line } });
}

const EXPECTED = 'text/event-stream';

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
      const { events, done } = stream.chunks;
      const read = events.filter(({ index }) => index < (done?.index ?? Infinity));
      const wrong = read.filter(({ kind }) => kind === 'not-json');
      if (wrong.length === 0 && read.some(({ kind }) => kind === 'unread')) return UNREAD;
      return brokenIfAny(
        wrong.map((event) =>
          inEvent(stream, event, [], {
            mismatch: 'not-json',
            expected: { kind: 'json-or-done' },
            actualType: 'text',
            actual: { kind: 'text', text: quoteText(event.data) },
          }),
        ),
      );
    }),
  },
  /** Part 1: stock clients parse the data of every unnamed event, and an empty string is not JSON. */
  'stream-data-not-empty': {
    summary: 'No unnamed event has empty data.',
    execute: judgeStreams('event', (stream) => {
      const { events, done } = stream.chunks;
      const empty = events.filter(({ kind, index }) => kind === 'empty' && index < (done?.index ?? Infinity));
      return brokenIfAny(
        empty.map((event) =>
          inEvent(stream, event, [], {
            mismatch: 'empty',
            expected: { kind: 'json-or-done' },
            actualType: 'empty',
            actual: { kind: 'empty-data' },
          }),
        ),
      );
    }),
  },
  /** Part 1: stock clients parse an event of any name as a chunk. `error` is an error: stream.no-error. */
  'stream-event-names': {
    summary: 'No event has a name other than message or error.',
    execute: judgeStreams('event', (stream) => {
      const { named, done } = stream.chunks;
      const odd = named.filter(({ name, index }) => name !== 'error' && index < (done?.index ?? Infinity));
      return brokenIfAny(
        odd.map((event) =>
          inEvent(stream, event, [], {
            mismatch: 'event-name',
            expected: { kind: 'usual-event-name' },
            actualType: 'string',
            actual: valueFound(event.name),
          }),
        ),
      );
    }),
  },
  /** Part 1: stock clients take such a block for an event and parse its empty data, or lose what was meant as data. */
  'stream-block-data': {
    summary: 'Every block has data, unless it has only comments.',
    execute: judgeStreams('event', (stream) => {
      const { withoutData } = readOddLines(stream.answer.body);
      return brokenIfAny(
        beforeEnd(withoutData, stream).map((odd) =>
          oddLine(stream, odd, { mismatch: 'no-data', expected: { kind: 'block-with-data' }, actualType: odd.field }),
        ),
      );
    }),
  },
  /** Part 1: a stock client remembers the id and takes a block of comments for an event without data. */
  'stream-comment-after-id': {
    summary: 'No comment-only block follows an id field.',
    execute: judgeStreams('event', (stream) => {
      const { commentsAfterId } = readOddLines(stream.answer.body);
      return brokenIfAny(
        beforeEnd(commentsAfterId, stream).map((odd) =>
          oddLine(stream, odd, {
            mismatch: 'comment-after-id',
            expected: { kind: 'no-comment-after-id' },
            actualType: 'comment',
          }),
        ),
      );
    }),
  },
  /** Part 1: stock clients split lines at LF, so a stream with CR alone is one long line to them. */
  'stream-line-ends': {
    summary: 'Lines end with LF or CR LF, not with CR alone.',
    execute: judgeStreams('event', (stream) => {
      const { loneReturns } = readOddLines(stream.answer.body);
      return brokenIfAny(
        beforeEnd(loneReturns, stream).map(() =>
          finding(stream.exchange, {
            mismatch: 'line-end',
            expected: { kind: 'line-feed' },
            actualType: 'lone-return',
            actual: { kind: 'lone-return' },
          }),
        ),
      );
    }),
  },
  /** Part 1: stock clients that do not know the mark take its line for an unknown field, so its text is lost. */
  'stream-byte-order-mark': {
    summary: 'No byte order mark comes right before text, or in the middle of a stream.',
    execute: judgeStreams('event', (stream) => {
      const { hasMarkedData, marked } = readOddLines(stream.answer.body);
      const [later] = beforeEnd(marked, stream);
      if (later) {
        const parts = { mismatch: 'byte-order-mark', expected: { kind: 'no-byte-order-mark' } } as const;
        return broken([oddLine(stream, later, { ...parts, actualType: 'byte-order-mark' })]);
      }
      const isLost = hasMarkedData && stream.chunks.choices.some(({ text }) => text[0]?.event === 0);
      if (!isLost) return HOLDS;
      return broken([
        inEvent(stream, 0, [], {
          mismatch: 'byte-order-mark',
          expected: { kind: 'no-byte-order-mark' },
          actualType: 'byte-order-mark',
          actual: { kind: 'byte-order-mark' },
        }),
      ]);
    }),
  },
  /** Part 1: to every client such a line is a field that it does not know, so that its text is lost without an error. */
  'stream-field-names': {
    summary: 'The name of the data field is written data, in lower case, at the start of its line and before a colon.',
    execute: judgeStreams('event', (stream) => {
      const { misspelt } = readOddLines(stream.answer.body);
      return brokenIfAny(
        beforeEnd(misspelt, stream).map((odd) =>
          oddLine(stream, odd, { mismatch: 'field-name', expected: { kind: 'data-field' }, actualType: 'text' }),
        ),
      );
    }),
  },
  /** Part 1: some stock clients decode the whole stream, comments included, and throw. */
  'stream-utf-8': {
    summary: 'Comments, and other lines without data, are UTF-8.',
    execute: judgeStreams('event', (stream) => {
      const { undecodable } = readOddLines(stream.answer.body);
      return brokenIfAny(
        beforeEnd(undecodable, stream).map((odd) =>
          oddLine(stream, odd, { mismatch: 'not-utf8', expected: { kind: 'utf-8-line' }, actualType: 'not-utf8' }),
        ),
      );
    }),
  },
  /** Part 1: some stock clients parse each data line on its own. */
  'stream-one-data-line': {
    summary: 'Each chunk is in one data line.',
    execute: judgeStreams('event', (stream) =>
      brokenIfAny(
        stream.chunks.chunks
          // The grammar joins data lines with LF, which no single line contains.
          .filter(({ data }) => data.includes('\n'))
          .map((chunk) =>
            inEvent(stream, chunk, [], {
              mismatch: 'data-lines',
              expected: { kind: 'one-data-line' },
              actualType: 'several-lines',
              actual: { kind: 'data-lines', count: chunk.data.split('\n').length },
            }),
          ),
      ),
    ),
  },
} satisfies Record<string, Check>;
