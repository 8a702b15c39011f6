/** Faults in a stream as a whole: whether it is one, how it starts, arrives and ends (part 4). */
import type { Piece, Reply } from '../answer.ts';
import { errorAnswer, eventAt, insertEvent, isStream, onStatus, refuseIf, replaceBody, setHeader } from '../change.ts';
import type { Fault } from '../modifier.ts';

const ERROR = '{"error":{"message":"The provider went away.","type":"server_error","code":"provider_gone"}}';

/** The first events of a stream and then another ending. */
const after =
  (events: number, ending: Reply['ending']) =>
  (reply: Reply): Reply => ({
    ...reply,
    body: 'pieces' in reply.body ? { pieces: reply.body.pieces.slice(0, events) } : reply.body,
    ending,
  });

const piece = (bytes: string): Piece => ({ bytes, waitMs: 0 });

/** One JSON text a line, without the words of an event stream and without `[DONE]`. */
const asLines = (events: readonly Piece[]): readonly Piece[] =>
  events
    .slice(0, -1)
    .map(({ bytes, waitMs }) => ({ bytes: `${String(bytes).slice('data: '.length).trim()}\n`, waitMs }));

/** Nothing until the last token is made, at this pace in milliseconds, and then everything at once. */
const TOKEN_MS = 15;
const atOnce = (events: readonly Piece[]): readonly Piece[] =>
  events.map(({ bytes }, index) => ({ bytes, waitMs: index === 0 ? events.length * TOKEN_MS : 0 }));

export const STREAMING_FAULTS = {
  'stream-refused': {
    title: 'Streams are not supported',
    breaks: ['stream.answers'],
    refuse: refuseIf(isStream),
  },
  'stream-status-201': {
    title: 'Streams have status 201',
    breaks: ['stream.answers'],
    only: isStream,
    answer: onStatus(200, (reply) => ({ ...reply, status: 201 })),
  },
  'stream-503': {
    title: 'Streaming requests get a 503',
    breaks: ['stream.answers'],
    only: isStream,
    answer: onStatus(200, () => errorAnswer(503)),
  },
  'stream-plain-json': {
    title: 'stream true is ignored: the answer is a plain completion',
    breaks: ['stream.event-stream'],
    streams: () => false,
  },
  'stream-ndjson': {
    title: 'The stream is newline-delimited JSON',
    breaks: ['stream.event-stream'],
    only: isStream,
    events: asLines,
    answer: onStatus(200, setHeader('content-type', 'application/x-ndjson')),
  },
  'stream-ndjson-labelled-events': {
    title: 'Newline-delimited JSON is labelled text/event-stream',
    breaks: ['stream.event-stream'],
    events: asLines,
  },
  'stream-raw-text': {
    title: 'The stream is the plain text of the reply',
    breaks: ['stream.event-stream'],
    only: isStream,
    answer: onStatus(200, replaceBody('text/plain', 'The sea lifts its grey back.')),
  },
  'stream-empty': {
    title: 'The stream is empty',
    breaks: ['stream.has-choices'],
    events: () => [],
  },
  'stream-only-comments': {
    title: 'The stream has only comments and [DONE]',
    breaks: ['stream.has-choices'],
    events: (events) => [piece(': ping\n\n'), piece(': ping\n\n'), ...events.slice(-1)],
  },
  'stream-only-done': {
    title: 'The stream has only [DONE]',
    breaks: ['stream.has-choices'],
    events: (events) => events.slice(-1),
  },
  'stream-choices-always-empty': {
    title: 'choices is empty in every chunk',
    breaks: ['stream.has-choices'],
    chunks: (chunks) => chunks.map((chunk) => ({ ...chunk, choices: [] })),
  },
  'stream-cut': {
    title: 'The connection closes in the middle of the stream',
    breaks: ['stream.completes'],
    only: isStream,
    answer: onStatus(200, after(2, 'cut')),
  },
  'stream-cut-before-end-of-body': {
    title: 'The connection closes after the last token, before finish_reason',
    breaks: ['stream.completes'],
    only: isStream,
    answer: onStatus(200, after(-2, 'cut')),
  },
  'stream-stalls': {
    title: 'The stream stalls and stays open',
    breaks: ['stream.completes'],
    only: isStream,
    answer: onStatus(200, after(2, 'held')),
  },
  'stream-error-event-first': {
    title: 'The stream has an error instead of tokens',
    breaks: ['stream.completes'],
    events: (events) => [piece(`data: ${ERROR}\n\n`), ...events.slice(-1)],
  },
  'stream-error-event-named': {
    title: 'The stream ends with an event named error',
    breaks: ['stream.completes'],
    events: (events) => [...events.slice(0, 3), piece(`event: error\ndata: ${ERROR}\n\n`)],
  },
  'stream-error-in-middle': {
    title: 'The stream ends with an error after some tokens',
    breaks: ['stream.completes'],
    events: (events) => [...events.slice(0, 3), piece(`data: ${ERROR}\n\n`), ...events.slice(-1)],
  },
  'stream-error-chunk-no-choices': {
    title: 'The stream ends with an error in a chunk with empty choices',
    source: 'https://github.com/diegosouzapw/OmniRoute/pull/8210',
    breaks: ['stream.completes'],
    chunks: (chunks) => [
      ...chunks.slice(0, 2),
      { ...chunks[0], choices: [], error: { message: 'Provider returned an error.', code: 502 } },
    ],
  },
  'stream-type-text-plain': {
    title: 'Streams are labelled text/plain',
    source: 'https://github.com/containers/ramalama/issues/2837',
    breaks: ['stream.labelled'],
    only: isStream,
    answer: onStatus(200, setHeader('content-type', 'text/plain')),
  },
  'stream-type-json': {
    title: 'Streams are labelled application/json',
    breaks: ['stream.labelled'],
    only: isStream,
    answer: onStatus(200, setHeader('content-type', 'application/json')),
  },
  'stream-type-missing': {
    title: 'Streams have no content type',
    breaks: ['stream.labelled'],
    only: isStream,
    answer: onStatus(200, (reply) => ({ ...reply, headers: {} })),
  },
  'stream-no-done': {
    title: '[DONE] is missing',
    breaks: ['stream.done'],
    events: (events) => events.slice(0, -1),
  },
  'stream-no-done-held-open': {
    title: '[DONE] is missing, and the connection stays open',
    source: 'https://github.com/diegosouzapw/OmniRoute/issues/6777',
    breaks: ['stream.done'],
    only: isStream,
    answer: onStatus(200, after(-1, 'held')),
  },
  'stream-done-twice': {
    title: '[DONE] is sent twice',
    breaks: ['stream.done'],
    events: (events) => [...events, ...events.slice(-1)],
  },
  'stream-done-misspelt': {
    title: 'The stream ends with [END] instead of [DONE]',
    breaks: ['stream.done', 'stream.data-json'],
    events: eventAt(-1, () => 'data: [END]\n\n'),
  },
  'stream-usage-after-done': {
    title: 'A chunk with usage follows [DONE]',
    source: 'https://github.com/Continuum-AI-Corp/OrcaRouter-Lite/issues/127',
    breaks: ['stream.done'],
    events: (events) => {
      const chunk = String(events[0]?.bytes).replace(/"choices":.*/s, '"choices":[],"usage":{"total_tokens":7}}');
      return insertEvent(-1, `${chunk}\n\n`)(events);
    },
  },
  'stream-buffered-whole': {
    title: 'All events arrive together at the end',
    source: 'https://github.com/router-for-me/CLIProxyAPI/issues/460',
    breaks: ['stream.in-pieces'],
    events: atOnce,
  },
  'stream-buffered-with-headers': {
    title: 'Headers and all events arrive together at the end',
    breaks: ['stream.in-pieces'],
    only: isStream,
    answer: onStatus(200, (reply) => {
      const pieces = 'pieces' in reply.body ? reply.body.pieces : [];
      const bytes = pieces.map((event) => String(event.bytes)).join('');
      return { ...reply, delayMs: pieces.length * TOKEN_MS, body: { pieces: [piece(bytes)] } };
    }),
  },
  'stream-no-content': {
    title: 'The stream contains no text',
    source: 'https://github.com/mudler/LocalAI/issues/1609',
    breaks: ['stream.carries-text'],
    only: isStream,
    reply: (reply) => ({ ...reply, pieces: [], finishReason: 'stop' }),
  },
} satisfies Record<string, Fault>;
