/** Faults in the lines of a stream: the event-stream grammar allows them, but common clients cannot read them (part 1). */
import { chunkAt, eachEvent, eventAt, insertEvent, put } from '../change.ts';
import { piece } from '../answer.ts';
import { type Fault, fault } from '../modifier.ts';

export const FRAMING_FAULTS = {
  'sse-cr': fault('Lines end with CR', 'stream.line-ends', {
    events: eachEvent((text) => text.replaceAll('\n', '\r')),
  }),
  'sse-mixed-line-ends': fault('Lines end with LF, CR and CRLF in turn', 'stream.line-ends', {
    events: (events) =>
      events.map(({ bytes, waitMs }, at) => ({
        bytes: String(bytes).replaceAll('\n', ['\n', '\r', '\r\n'][at % 3] ?? '\n'),
        waitMs,
      })),
  }),
  'sse-byte-order-mark-before-text': fault(
    'The stream starts with a byte order mark, and its first event has text',
    'stream.byte-order-mark',
    {
      chunks: (chunks) => chunkAt(0, put('/choices/0/delta/role', 'assistant'))(chunks.slice(1)),
      events: eventAt(0, (text) => `\uFEFF${text}`),
    },
  ),
  'sse-named-events': fault('There are other named events in between', 'stream.event-names', {
    events: (events) =>
      insertEvent(
        3,
        'event: ping\ndata: {"type":"ping"}\n\n',
      )(insertEvent(1, 'event: metadata\ndata: region=eu\n\n')(events)),
  }),
  'sse-named-json-event': fault('A named event has JSON that is not a chunk', 'stream.event-names', {
    events: insertEvent(2, 'event: ping\ndata: {"type":"ping"}\n\n'),
  }),
  'sse-every-event-named': fault('Every event is named completion', 'stream.event-names', {
    events: eachEvent((text) => `event: completion\n${text}`),
  }),
  'sse-chunks-named': fault('Every event but [DONE] is named chunk', 'stream.event-names', {
    events: (events) => [...eachEvent((text) => `event: chunk\n${text}`)(events.slice(0, -1)), ...events.slice(-1)],
  }),
  'sse-several-data-lines': fault('The JSON of an event spans several data lines', 'stream.one-data-line', {
    events: eachEvent((text) => text.replaceAll(',"choices"', ',\ndata: "choices"')),
  }),
  'sse-data-in-capitals': fault('One data field is named Data', 'stream.field-names', {
    events: eventAt(1, (text) => text.replace('data:', 'Data:')),
  }),
  'sse-data-indented': fault('A blank comes before one data field', 'stream.field-names', {
    events: eventAt(1, (text) => ` ${text}`),
  }),
  'sse-data-with-equals-sign': fault('An equals sign takes the place of one colon', 'stream.field-names', {
    events: eventAt(1, (text) => text.replace('data:', 'data=')),
  }),
  'sse-byte-order-mark-inside': fault('A byte order mark comes in mid-stream', 'stream.byte-order-mark', {
    events: eventAt(1, (text) => `\uFEFF${text}`),
  }),
  'sse-comment-in-latin-1': fault('A comment is not UTF-8', 'stream.utf-8', {
    events: (events) => events.toSpliced(2, 0, piece(Buffer.from(': caf\u00e9\n\n', 'latin1'))),
  }),
  'sse-done-after-two-blanks': fault('Two blanks come before [DONE]', 'stream.done-spacing', {
    events: eventAt(-1, () => 'data:  [DONE]\n\n'),
  }),
  'sse-done-after-tab': fault('A tab comes before [DONE]', 'stream.done-spacing', {
    events: eventAt(-1, () => 'data:\t[DONE]\n\n'),
  }),
  'sse-retry-alone': fault('The stream starts with a retry field alone', 'stream.block-data', {
    events: insertEvent(0, 'retry: 3000\n\n'),
  }),
  'sse-id-alone': fault('An id field comes alone', 'stream.block-data', { events: insertEvent(2, 'id: 7\n\n') }),
  'sse-event-alone': fault('A heartbeat is an event field alone', 'stream.block-data', {
    events: insertEvent(2, 'event: ping\n\n'),
  }),
  'sse-unknown-field-alone': fault('A heartbeat is an unknown field alone', 'stream.block-data', {
    events: insertEvent(2, 'ping: 7\n\n'),
  }),
  'sse-data-name-missing': fault('One chunk is a line of JSON without data:', 'stream.block-data', {
    events: eventAt(1, (text) => text.replace('data: ', '')),
  }),
  'sse-comments-after-ids': fault('Events have ids, and heartbeats are comments', 'stream.comment-after-id', {
    events: (events) =>
      events.flatMap(({ bytes, waitMs }, at) => [
        { bytes: `id: ${at}\n${String(bytes)}`, waitMs },
        piece(': ping\n\n'),
      ]),
  }),
} satisfies Record<string, Fault>;
