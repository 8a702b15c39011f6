/** Streams that a client can meet, beyond the variants and faults of the reference gateway. */
import { type Piece, piece } from '../answer.ts';
import { all, alter, drop, eachChunk, eachEvent, insertChunk, insertEvent, put } from '../change.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Modifier } from '../modifier.ts';
import { CUT_PAUSE, cutInto } from './replies.ts';

const CHOICE = '/choices/0';
const DELTA = `${CHOICE}/delta`;
const NEW: Json = { since: 'v1', list: [1, null, 'two'] };

/** A second choice in the same chunks, with a text of its own. */
function withSecondChoice(chunk: JsonObject): JsonObject {
  return alter('/choices', (choices) => {
    const [first] = Array.isArray(choices) ? (choices as readonly Json[]) : [];
    if (!isObject(first)) return choices;
    const delta = isObject(first['delta']) && first['delta']['content'] !== undefined ? { content: ' other' } : {};
    return [first, { ...first, index: 1, delta }];
  })(chunk);
}

/** Chunks of a second choice between those of the first. */
function withChunksBetween(chunks: readonly JsonObject[]): readonly JsonObject[] {
  return chunks.flatMap((chunk) => [
    chunk,
    put(`${CHOICE}/index`, 1)(alter(`${DELTA}/content`, (text) => (text === undefined ? text : ' other'))(chunk)),
  ]);
}

function overTwoLines(event: string): string {
  return event.replaceAll(',"choices"', ',\ndata: "choices"');
}

function overTwoLinesWithCrlf(event: string): string {
  return overTwoLines(event).replaceAll('\n', '\r\n');
}

/** Between the first CR and its LF, with a pause, so that the client really reads them apart. */
function splitCrlf({ bytes, waitMs }: Piece): readonly Piece[] {
  const text = overTwoLinesWithCrlf(String(bytes));
  const cut = text.indexOf('\r') + 1;
  return [
    { bytes: text.slice(0, cut), waitMs },
    { bytes: text.slice(cut), waitMs: CUT_PAUSE },
  ];
}

export const STREAM_BEHAVIOURS = {
  'bytes-one-by-one': { title: 'The stream arrives byte by byte', events: (events) => events.flatMap(cutInto(1)) },
  'bytes-in-sevens': {
    title: 'The stream arrives seven bytes at a time',
    events: (events) => events.flatMap(cutInto(7)),
  },
  'chunk-optional-null': {
    title: 'Optional fields of chunks are null',
    chunks: eachChunk(
      all(
        put('/system_fingerprint', null),
        put('/usage', null),
        put(`${CHOICE}/logprobs`, null),
        alter(`${DELTA}/content`, (text) => (text === '' ? null : text)),
      ),
    ),
  },
  'only-delta': {
    title: 'Chunks have nothing but their text',
    chunks: eachChunk(
      all(
        ...['/id', '/object', '/created', '/model', `${CHOICE}/index`].map(drop),
        alter(`${CHOICE}/finish_reason`, (reason) => (reason === null ? undefined : reason)),
      ),
    ),
  },
  'event-ids': {
    title: 'Every event has an id',
    events: (events) => events.map((event, at) => ({ ...event, bytes: `id: ${at + 1}\n${String(event.bytes)}` })),
  },
  'retry-in-events': { title: 'Every event has a retry line', events: eachEvent((text) => `retry: 3000\n${text}`) },
  'unknown-in-chunk': { title: 'Chunks have an unknown field', chunks: eachChunk(put('/x_new', NEW)) },
  'unknown-in-chunk-choice': { title: 'Choices have an unknown field', chunks: eachChunk(put(`${CHOICE}/x_new`, NEW)) },
  'unknown-in-delta': { title: 'Deltas have an unknown field', chunks: eachChunk(put(`${DELTA}/x_new`, NEW)) },
  'chunk-id-absent': { title: 'Chunks have no id', chunks: eachChunk(drop('/id')) },
  'chunk-object-absent': { title: 'Chunks have no object', chunks: eachChunk(drop('/object')) },
  'chunk-created-absent': { title: 'Chunks have no created', chunks: eachChunk(drop('/created')) },
  'chunk-model-absent': { title: 'Chunks have no model', chunks: eachChunk(drop('/model')) },
  'chunk-finish-absent': {
    title: 'finish_reason is absent until the last chunk',
    chunks: (chunks) =>
      chunks.map((chunk, at) => (at < chunks.length - 1 ? drop(`${CHOICE}/finish_reason`)(chunk) : chunk)),
  },
  'role-absent': { title: 'No delta has a role', chunks: eachChunk(drop(`${DELTA}/role`)) },
  'delta-empty': {
    title: 'A chunk in the middle has an empty delta',
    chunks: insertChunk(2, (chunk) => put(DELTA, {})(chunk)),
  },
  'two-choices-in-chunks': { title: 'Every chunk has two choices', chunks: eachChunk(withSecondChoice) },
  'two-choices-in-turn': { title: 'Chunks of two choices alternate', chunks: withChunksBetween },
  'usage-in-chunks': {
    title: 'Every chunk has usage',
    chunks: eachChunk(put('/usage', { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 })),
  },
  'retry-alone': { title: 'A block has only retry', events: insertEvent(1, 'retry: 3000\n\n') },
  'id-alone': { title: 'A block has only an id', events: insertEvent(1, 'id: 7\n\n') },
  'event-name-alone': { title: 'A block has only a name', events: insertEvent(1, 'event: ping\n\n') },
  'comment-after-id': {
    title: 'A comment stands alone after an event with an id',
    events: (events) =>
      events.flatMap(({ bytes, waitMs }, at) => [
        { bytes: `id: ${at}\n${String(bytes)}`, waitMs },
        piece(': ping\n\n'),
      ]),
  },
  'comment-in-event': { title: 'Every event has a comment line', events: eachEvent((text) => `: here\n${text}`) },
  'blank-lines': { title: 'Several blank lines stand between events', events: eachEvent((text) => `\n\n${text}\n\n`) },
  'named-ping': {
    title: 'An event named ping has data that is not a chunk',
    events: insertEvent(2, 'event: ping\ndata: {"type":"ping"}\n\n'),
  },
  'named-chunks': {
    title: 'Every second event is named chunk',
    events: (events) =>
      events.map((event, at) =>
        at % 2 === 0 || at === events.length - 1 ? event : { ...event, bytes: `event: chunk\n${String(event.bytes)}` },
      ),
  },
  'data-without-choices': {
    title: 'An event has an object without choices',
    events: insertEvent(2, 'data: {"type":"keepalive"}\n\n'),
  },
  'lone-cr': { title: 'Lines end with CR', events: eachEvent((text) => text.replaceAll('\n', '\r')) },
  'several-data-lines': { title: 'The JSON of an event spans several data lines', events: eachEvent(overTwoLines) },
  'crlf-several-data-lines': {
    title: 'The JSON of an event spans several data lines, which end with CRLF',
    events: eachEvent(overTwoLinesWithCrlf),
  },
  'crlf-split-in-event': {
    title: 'The CR and LF between two data lines of an event arrive in separate reads',
    events: (events) => events.flatMap(splitCrlf),
  },
  'pause-in-event': {
    title: 'The network pauses in the middle of an event',
    events: (events) =>
      events.flatMap(({ bytes, waitMs }, at) => {
        const whole = Buffer.from(bytes);
        const middle = whole.length >> 1;
        return at === 2
          ? [
              { bytes: whole.subarray(0, middle), waitMs },
              { bytes: whole.subarray(middle), waitMs: 60 },
            ]
          : [{ bytes, waitMs }];
      }),
  },
} satisfies Record<string, Modifier>;
