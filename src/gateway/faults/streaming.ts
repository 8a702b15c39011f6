/** Faults in a stream as a whole (part 4): whether it is one, how it starts, arrives and ends, and its lines (part 1). */
import { bytesOf, type Piece, piece, piecesOf, type Reply } from '../answer.ts';
import { alter, chunkAt, cutEvery, eachEvent, eventAt, insertEvent, put } from '../change.ts';
import { errorAnswer, refuseIf, replaceBody, setHeader, setStatus } from '../change-answer.ts';
import { isStream } from '../call-tests.ts';
import type { JsonObject } from '../json.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';

const ERROR = '{"error":{"message":"The provider went away.","type":"server_error","code":"provider_gone"}}';

/** The first events of a stream and then another ending. */
const after =
  (events: number, ending: Reply['ending']) =>
  (reply: Reply): Reply => ({ ...reply, body: { pieces: piecesOf(reply).slice(0, events) }, ending });

/** One JSON text a line, without the words of an event stream and without `[DONE]`. */
const asLines = (events: readonly Piece[]): readonly Piece[] =>
  events
    .slice(0, -1)
    .map(({ bytes, waitMs }) => ({ bytes: `${String(bytes).slice('data: '.length).trim()}\n`, waitMs }));

const CONTENT = '/choices/0/delta/content';

/** A chunk with the text of all of these. */
const textOf = (chunks: readonly JsonObject[]): JsonObject => {
  let text = '';
  const collect = alter(CONTENT, (content) => {
    text += typeof content === 'string' ? content : '';
    return content;
  });
  for (const chunk of chunks) collect(chunk);
  return put(CONTENT, text)(chunks.at(-1) ?? {});
};

/** Nothing until the last token is made, at this pace in milliseconds, and then everything at once. */
const TOKEN_MS = 15;
const atOnce = (events: readonly Piece[]): readonly Piece[] =>
  events.map(({ bytes }, index) => ({ bytes, waitMs: index === 0 ? events.length * TOKEN_MS : 0 }));

export const STREAMING_FAULTS = {
  'stream-refused': fault('Streams are not supported', 'stream.answers', { refuse: isStream }),
  'stream-status-201': fault('Streams have status 201', 'stream.answers', { onStream: setStatus(201) }),
  'stream-503': fault('Streaming requests get a 503', 'stream.answers', { onStream: () => errorAnswer(503) }),
  ...breaking('stream.event-stream', {
    'stream-plain-json': row('stream true is ignored: the answer is a plain completion', { streams: () => false }),
    'stream-ndjson': row('The stream is newline-delimited JSON', {
      events: asLines,
      onStream: setHeader('content-type', 'application/x-ndjson'),
    }),
    'stream-ndjson-labelled-events': row('Newline-delimited JSON is labelled text/event-stream', { events: asLines }),
    'stream-raw-text': row('The stream is the plain text of the reply', {
      onStream: replaceBody('text/plain', 'The sea lifts its grey back.'),
    }),
  }),
  'stream-empty': fault('The stream is empty', 'stream.has-choices', { events: () => [] }),
  'stream-only-comments': fault('The stream has only comments and [DONE]', 'stream.has-choices', {
    events: (events) => [piece(': ping\n\n'), piece(': ping\n\n'), ...events.slice(-1)],
  }),
  'stream-only-done': fault('The stream has only [DONE]', 'stream.has-choices', {
    events: (events) => events.slice(-1),
  }),
  'stream-choices-always-empty': fault('choices is empty in every chunk', 'stream.has-choices', {
    chunks: (chunks) => chunks.map((chunk) => ({ ...chunk, choices: [] })),
  }),
  'stream-cut-after-done': fault('The connection is cut after [DONE]', 'stream.ends-in-order', {
    onStream: (reply) => ({ ...reply, ending: 'cut' }),
  }),
  ...breaking('stream.increments', {
    'stream-repeats-text-so-far': row('A chunk in mid-stream repeats the text so far', {
      chunks: (chunks) => (chunks.length < 20 ? chunks : chunks.toSpliced(12, 0, textOf(chunks.slice(0, 12)))),
    }),
    'stream-repeats-text-and-adds': row('A chunk in mid-stream repeats the text so far and adds to it', {
      chunks: (chunks) => (chunks.length < 20 ? chunks : chunks.with(12, textOf(chunks.slice(0, 13)))),
    }),
    'stream-cumulative-at-times': row('Every fourth chunk repeats the text so far and adds to it', {
      chunks: (chunks) => chunks.map((chunk, at) => (at % 4 === 0 ? textOf(chunks.slice(0, at + 1)) : chunk)),
    }),
  }),
  'stream-ends-with-replacement-character': fault(
    'A stream that ends with stop has U+FFFD as its last character',
    'stream.no-replacement-character',
    {
      only: isStream,
      reply: (reply) => (reply.finishReason === 'stop' ? { pieces: [...reply.pieces.slice(0, -1), ' \uFFFD'] } : reply),
    },
  ),
  'stream-ids-all-same': fault('Every stream has the same id', 'completion.ids-differ', {
    chunk: put('/id', 'chatcmpl-stream'),
  }),
  'stream-accept-json-refused': fault('A stream is refused with Accept application/json', 'stream.accept-json', {
    refuse: refuseIf((call) => isStream(call) && call.headers.accept === 'application/json', 406),
  }),
  ...breaking('stream.completes', {
    'stream-cut': row('The connection closes in the middle of the stream', { onStream: after(2, 'cut') }),
    'stream-cut-before-end-of-body': row('The connection closes after the last token, before finish_reason', {
      onStream: after(-2, 'cut'),
    }),
    'stream-stalls': row('The stream stalls and stays open', { onStream: after(2, 'held') }),
    'stream-error-event-first': row('The stream has an error instead of tokens', {
      events: (events) => [piece(`data: ${ERROR}\n\n`), ...events.slice(-1)],
    }),
  }),
  ...breaking('stream.no-error', {
    'stream-error-event-named': row('The stream ends with an event named error', {
      events: (events) => [...events.slice(0, 3), piece(`event: error\ndata: ${ERROR}\n\n`)],
    }),
    'stream-error-in-middle': row('The stream ends with an error after some tokens', {
      events: (events) => [...events.slice(0, 3), piece(`data: ${ERROR}\n\n`), ...events.slice(-1)],
    }),
    'stream-error-between-tokens': row('An error comes after some tokens, and the stream goes on', {
      events: insertEvent(2, `data: ${ERROR}\n\n`),
    }),
    'stream-error-chunk-no-choices': row('The stream ends with an error in a chunk with empty choices', {
      source: 'https://github.com/diegosouzapw/OmniRoute/pull/8210',
      chunks: (chunks) => [
        ...chunks.slice(0, 2),
        { ...chunks[0], choices: [], error: { message: 'Provider returned an error.', code: 502 } },
      ],
    }),
  }),
  'stream-type-text-plain': fault('Streams are labelled text/plain', 'stream.labelled', {
    source: 'https://github.com/containers/ramalama/issues/2837',
    onStream: setHeader('content-type', 'text/plain'),
  }),
  'stream-type-json': fault('Streams are labelled application/json', 'stream.labelled', {
    onStream: setHeader('content-type', 'application/json'),
  }),
  'stream-type-missing': fault('Streams have no content type', 'stream.labelled', {
    onStream: (reply) => ({ ...reply, headers: {} }),
  }),
  'stream-no-done': fault('[DONE] is missing', 'stream.done', { events: (events) => events.slice(0, -1) }),
  'stream-no-done-held-open': fault('[DONE] is missing, and the connection stays open', 'stream.done', {
    source: 'https://github.com/diegosouzapw/OmniRoute/issues/6777',
    onStream: after(-1, 'held'),
  }),
  'tol-open-after-done': fault('The response stays open after [DONE]', 'stream.closes', {
    source: 'https://github.com/agentscope-ai/agentscope-java/issues/2073',
    onStream: (reply) => ({ ...reply, ending: 'held' }),
  }),
  'stream-heartbeats-after-done': fault('Comments keep the response open after [DONE]', 'stream.closes', {
    events: (events) => [...events, ...Array.from({ length: 30 }, () => ({ bytes: ': ping\n\n', waitMs: 100 }))],
  }),
  'stream-end-left-over': fault(
    'A stream begins with the end of the one before on its connection',
    'stream.has-choices',
    {
      only: (call) => isStream(call) && call.previous?.streamed === true && call.previous.status === 200,
      events: insertEvent(0, 'data: [DONE]\n\n'),
    },
  ),
  'stream-done-twice': fault('[DONE] is sent twice', 'stream.done', {
    events: (events) => [...events, ...events.slice(-1)],
  }),
  'stream-done-misspelt': fault('The stream ends with [END] instead of [DONE]', ['stream.done', 'stream.data-json'], {
    events: eventAt(-1, () => 'data: [END]\n\n'),
  }),
  'stream-usage-after-done': fault('A chunk with usage follows [DONE]', 'stream.done', {
    source: 'https://github.com/Continuum-AI-Corp/OrcaRouter-Lite/issues/127',
    events: (events) => {
      const chunk = String(events[0]?.bytes).replace(/"choices":.*/s, '"choices":[],"usage":{"total_tokens":7}}');
      return insertEvent(-1, `${chunk}\n\n`)(events);
    },
  }),
  'stream-buffered-whole': fault('All events arrive together at the end', 'stream.in-pieces', {
    source: 'https://github.com/router-for-me/CLIProxyAPI/issues/460',
    events: atOnce,
  }),
  'stream-buffered-with-headers': fault('Headers and all events arrive together at the end', 'stream.in-pieces', {
    onStream: (reply) => {
      const pieces = piecesOf(reply);
      return { ...reply, delayMs: pieces.length * TOKEN_MS, body: { pieces: [piece(bytesOf(pieces))] } };
    },
  }),
  'stream-blocks-of-4-kib': fault('A buffer sends the stream in blocks of 4 KiB', 'stream.in-pieces', {
    chunk: put('/x_padding', 'sea '.repeat(25)),
    events: cutEvery(4_096, () => 100),
  }),
  'stream-blocks-of-8-kib': fault('Chunks are wide, and a buffer sends blocks of 8 KiB', 'stream.in-pieces', {
    chunk: put('/x_padding', 'sea '.repeat(125)),
    events: cutEvery(8_192, () => 200),
  }),
  'stream-no-content': fault('The stream contains no text', 'stream.carries-text', {
    source: 'https://github.com/mudler/LocalAI/issues/1609',
    only: isStream,
    reply: () => ({ pieces: [], finishReason: 'stop' }),
  }),
} satisfies Record<string, Fault>;

export const FRAMING_FAULTS = {
  'sse-cr': fault('Lines end with CR', 'stream.line-ends', { event: (text) => text.replaceAll('\n', '\r') }),
  'sse-mixed-line-ends': fault('Lines end with LF, CR and CRLF in turn', 'stream.line-ends', {
    event: (text, at) => text.replaceAll('\n', ['\n', '\r', '\r\n'][at % 3] ?? '\n'),
  }),
  ...breaking('stream.byte-order-mark', {
    'sse-byte-order-mark-before-text': row('The stream starts with a byte order mark, and its first event has text', {
      chunks: (chunks) => chunkAt(0, put('/choices/0/delta/role', 'assistant'))(chunks.slice(1)),
      events: eventAt(0, (text) => `\uFEFF${text}`),
    }),
    'sse-byte-order-mark-inside': row('A byte order mark comes in mid-stream', {
      events: eventAt(1, (text) => `\uFEFF${text}`),
    }),
  }),
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
    event: (text) => `event: completion\n${text}`,
  }),
  'sse-chunks-named': fault('Every event but [DONE] is named chunk', 'stream.event-names', {
    events: (events) => [...eachEvent((text) => `event: chunk\n${text}`)(events.slice(0, -1)), ...events.slice(-1)],
  }),
  'sse-several-data-lines': fault('The JSON of an event spans several data lines', 'stream.one-data-line', {
    event: (text) => text.replaceAll(',"choices"', ',\ndata: "choices"'),
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
  'sse-comment-in-latin-1': fault('A comment is not UTF-8', 'stream.utf-8', {
    events: (events) => events.toSpliced(2, 0, piece(Buffer.from(': caf\u00e9\n\n', 'latin1'))),
  }),
  'sse-done-after-two-blanks': fault('Two blanks come before [DONE]', 'stream.done-spacing', {
    events: eventAt(-1, () => 'data:  [DONE]\n\n'),
  }),
  'sse-done-after-tab': fault('A tab comes before [DONE]', 'stream.done-spacing', {
    events: eventAt(-1, () => 'data:\t[DONE]\n\n'),
  }),
  ...breaking('stream.block-data', {
    'sse-retry-alone': row('The stream starts with a retry field alone', { events: insertEvent(0, 'retry: 3000\n\n') }),
    'sse-id-alone': row('An id field comes alone', { events: insertEvent(2, 'id: 7\n\n') }),
    'sse-event-alone': row('A heartbeat is an event field alone', { events: insertEvent(2, 'event: ping\n\n') }),
    'sse-unknown-field-alone': row('A heartbeat is an unknown field alone', { events: insertEvent(2, 'ping: 7\n\n') }),
    'sse-data-name-missing': row('One chunk is a line of JSON without data:', {
      events: eventAt(1, (text) => text.replace('data: ', '')),
    }),
  }),
  'sse-comments-after-ids': fault('Events have ids, and heartbeats are comments', 'stream.comment-after-id', {
    events: (events) =>
      eachEvent((text, at) => `id: ${at}\n${text}`)(events).flatMap((event) => [event, piece(': ping\n\n')]),
  }),
} satisfies Record<string, Fault>;
