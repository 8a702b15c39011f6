import { findHeader } from '../../../exchange/exchange.ts';
import { contentTypeFound, mediaTypeOf } from '../../reading/answers.ts';
import type { Check } from '../../check.ts';
import { broken, finding, HOLDS, brokenIfAny } from '../../finding.ts';
import { quoteText } from '../../../text/quote.ts';
import { judgeStreams, inEvent, UNREAD } from './stream-view.ts';

const EXPECTED = 'text/event-stream';

/** Part 1: browsers and strict clients refuse a stream with another Content-Type. */
export const streamLabelled: Check = {
  summary: 'A stream has the content type text/event-stream, with or without parameters.',
  execute: (input) =>
    judgeStreams(input, 'event', ({ exchange, answer }) => {
      if (mediaTypeOf(answer) === EXPECTED) return HOLDS;
      const label = findHeader(answer.headers, 'content-type');
      return broken([
        finding(exchange, {
          mismatch: label === undefined ? 'absent' : 'content-type',
          expected: { kind: 'media-type', type: EXPECTED },
          actualType: label === undefined ? 'absent' : 'string',
          actual: contentTypeFound(label),
        }),
      ]);
    }),
};

/** Part 1: stock clients parse the data of every unnamed event. stream.data-not-empty covers empty data. */
export const streamDataJson: Check = {
  summary: 'The data of each unnamed event is JSON or [DONE].',
  execute: (input) =>
    judgeStreams(input, 'event', (stream) => {
      const { events, done } = stream.chunks;
      const read = events.filter(({ index }) => index < (done?.index ?? Infinity));
      const wrong = read.filter(({ kind }) => kind === 'not-json');
      if (wrong.length === 0 && read.some(({ kind }) => kind === 'unread')) {
        return UNREAD;
      }
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
};

/** Part 1: stock clients parse the data of every unnamed event, and an empty string is not JSON. */
export const streamDataNotEmpty: Check = {
  summary: 'No unnamed event has empty data.',
  execute: (input) =>
    judgeStreams(input, 'event', (stream) => {
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
};
