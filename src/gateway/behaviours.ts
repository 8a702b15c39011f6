/**
 * What a scripted server can do beyond the variants and faults by which gateways are tried: replies, lists and streams that a
 * client can meet, and failures that it has to report.
 */
import { type Coding, jsonReply, type Piece, piece, piecesOf, type Reply, textReply } from './answer.ts';
import { all, alter, drop, eachEvent, insertChunk, insertEvent, put } from './change.ts';
import { cutBody, errorAnswer, onSuccess, setHeader } from './change-answer.ts';
import { isChat, isStream } from './call-tests.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Modifier } from './modifier.ts';

/** Any coding is allowed without Accept-Encoding (RFC 9110, 12.5.3), but no gateway compresses for such a client. */
function compressWith(coding: Coding): Modifier['answer'] & object {
  return (reply, call) =>
    call.headers['accept-encoding']?.includes(coding) && reply.status !== 204
      ? { ...reply, coding, framing: 'chunked' }
      : reply;
}

/** Milliseconds that keep the network from joining two pieces again. */
const CUT_PAUSE = 25;

/**
 * Writes of so many bytes. A cut within a character, between CR and LF or in the middle is followed by a pause, so that the
 * parts are really read one by one.
 */
function cutInto(size: number): (piece: Piece) => readonly Piece[] {
  return ({ bytes, waitMs }) => {
    const whole = Buffer.from(bytes);
    const middle = Math.ceil(whole.length / 2 / size);
    return Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => {
      const at = index * size;
      const isHard =
        index === middle || ((whole[at] ?? 0) & 0xc0) === 0x80 || whole.toString('latin1', at - 1, at + 1) === '\r\n';
      return { bytes: whole.subarray(at, at + size), waitMs: index === 0 ? waitMs : isHard ? CUT_PAUSE : 0 };
    });
  };
}

/** Cuts every character of several bytes after its first one, with a pause, so that the client really reads it in two. */
function splitCharacters({ bytes, waitMs }: Piece): readonly Piece[] {
  const whole = Buffer.from(bytes);
  const cuts = [...whole.keys()].filter((at) => at > 0 && (whole[at - 1] ?? 0) >= 0xc0);
  const continues = ((whole[0] ?? 0) & 0xc0) === 0x80;
  return [0, ...cuts].map((at, index) => ({
    bytes: whole.subarray(at, cuts[index]),
    waitMs: index > 0 || continues ? CUT_PAUSE : waitMs,
  }));
}

const CHOICE = '/choices/0';
const NEW: Json = { since: 'v1', list: [1, null, 'two'] };

function inEachModel(change: (model: JsonObject) => JsonObject): NonNullable<Modifier['list']> {
  return alter('/data', (data) =>
    Array.isArray(data) ? (data as readonly Json[]).map((model) => (isObject(model) ? change(model) : model)) : data,
  );
}

const REPLY_BEHAVIOURS = {
  'unknown-at-top': { completion: put('/x_new', NEW) },
  'unknown-in-choice': { completion: put(`${CHOICE}/x_new`, NEW) },
  'unknown-in-message': { completion: put(`${CHOICE}/message/x_new`, NEW) },
  'unknown-in-usage': { completion: put('/usage/x_new', NEW) },
  'unknown-in-list': { list: put('/x_new', NEW) },
  'unknown-in-model': { list: inEachModel((model) => ({ x_new: NEW, ...model })) },
  'unusual-model-ids': {
    models: (models) => [
      ...models,
      ...['org/sea:latest@v1', 'большое море', '海-🌊'].map((id) => ({ id, object: 'model', owned_by: 'reference' })),
    ],
  },
  'owner-unknown': { list: inEachModel(put('/owned_by', 'x_owner/✓')) },
  'owner-absent': { list: inEachModel(drop('/owned_by')) },
  'model-object-absent': { list: inEachModel(drop('/object')) },
  'list-object-absent': { list: drop('/object') },
  'usage-absent': { completion: drop('/usage') },
  'usage-null': { completion: put('/usage', null) },
  'id-absent': { completion: drop('/id') },
  'created-absent': { completion: drop('/created') },
  'model-absent': { completion: drop('/model') },
  'object-absent': { completion: drop('/object') },
  'index-absent': { completion: drop(`${CHOICE}/index`) },
  'finish-absent': { completion: drop(`${CHOICE}/finish_reason`) },
  'finish-null': { completion: put(`${CHOICE}/finish_reason`, null) },
  'only-message': { completion: ({ choices }) => ({ choices: choices ?? [] }) satisfies JsonObject },
  'gzip-if-accepted': { answer: compressWith('gzip') },
  'brotli-if-accepted': { answer: compressWith('br') },
  'deflate-if-accepted': { answer: compressWith('deflate') },
  'split-characters': {
    onChat: (reply) => ({ ...reply, framing: 'chunked', body: { pieces: piecesOf(reply).flatMap(splitCharacters) } }),
  },
  'reply-in-threes': {
    onPlain: (reply) => ({ ...reply, framing: 'chunked', body: { pieces: piecesOf(reply).flatMap(cutInto(3)) } }),
  },
  'optional-null': {
    completion: all(
      put('/system_fingerprint', null),
      put('/service_tier', null),
      put(`${CHOICE}/logprobs`, null),
      put(`${CHOICE}/message/refusal`, null),
      put(`${CHOICE}/message/annotations`, null),
    ),
  },
  'reasoning-in-message': {
    completion: all(put(`${CHOICE}/message/reasoning_content`, 'Hm.'), put(`${CHOICE}/message/reasoning`, 'Hm.')),
  },
} satisfies Record<string, Modifier>;

const DELTA = `${CHOICE}/delta`;

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

/** The cut is between the first CR and its LF, with a pause, so that the client really reads them apart. */
function splitCrlf({ bytes, waitMs }: Piece): readonly Piece[] {
  const text = overTwoLinesWithCrlf(String(bytes));
  const cut = text.indexOf('\r') + 1;
  return [
    { bytes: text.slice(0, cut), waitMs },
    { bytes: text.slice(cut), waitMs: CUT_PAUSE },
  ];
}

const PING = piece(': ping\n\n');

const STREAM_BEHAVIOURS = {
  'bytes-one-by-one': { events: (events) => events.flatMap(cutInto(1)) },
  'bytes-in-sevens': { events: (events) => events.flatMap(cutInto(7)) },
  'chunk-optional-null': {
    chunk: all(
      put('/system_fingerprint', null),
      put('/usage', null),
      put(`${CHOICE}/logprobs`, null),
      alter(`${DELTA}/content`, (text) => (text === '' ? null : text)),
    ),
  },
  'only-delta': {
    chunk: all(
      ...['/id', '/object', '/created', '/model', `${CHOICE}/index`].map(drop),
      alter(`${CHOICE}/finish_reason`, (reason) => (reason === null ? undefined : reason)),
    ),
  },
  'event-ids': { event: (text, at) => `id: ${at + 1}\n${text}` },
  'retry-in-events': { event: (text) => `retry: 3000\n${text}` },
  'unknown-in-chunk': { chunk: put('/x_new', NEW) },
  'unknown-in-chunk-choice': { chunk: put(`${CHOICE}/x_new`, NEW) },
  'unknown-in-delta': { chunk: put(`${DELTA}/x_new`, NEW) },
  'chunk-id-absent': { chunk: drop('/id') },
  'chunk-object-absent': { chunk: drop('/object') },
  'chunk-created-absent': { chunk: drop('/created') },
  'chunk-model-absent': { chunk: drop('/model') },
  'chunk-finish-absent': {
    chunk: (chunk, _at, fromEnd) => (fromEnd < -1 ? drop(`${CHOICE}/finish_reason`)(chunk) : chunk),
  },
  'role-absent': { chunk: drop(`${DELTA}/role`) },
  'delta-empty': { chunks: insertChunk(2, (chunk) => put(DELTA, {})(chunk)) },
  'two-choices-in-chunks': { chunk: withSecondChoice },
  'two-choices-in-turn': { chunks: withChunksBetween },
  'usage-in-chunks': { chunk: put('/usage', { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }) },
  'retry-alone': { events: insertEvent(1, 'retry: 3000\n\n') },
  'id-alone': { events: insertEvent(1, 'id: 7\n\n') },
  'event-name-alone': { events: insertEvent(1, 'event: ping\n\n') },
  'comment-after-id': {
    events: (events) => eachEvent((text, at) => `id: ${at}\n${text}`)(events).flatMap((event) => [event, PING]),
  },
  'comment-in-event': { event: (text) => `: here\n${text}` },
  'blank-lines': { event: (text) => `\n\n${text}\n\n` },
  'named-ping': { events: insertEvent(2, 'event: ping\ndata: {"type":"ping"}\n\n') },
  'named-chunks': { event: (text, at) => (at % 2 === 0 || text.includes('[DONE]') ? text : `event: chunk\n${text}`) },
  'data-without-choices': { events: insertEvent(2, 'data: {"type":"keepalive"}\n\n') },
  'lone-cr': { event: (text) => text.replaceAll('\n', '\r') },
  'several-data-lines': { event: overTwoLines },
  'crlf-several-data-lines': { event: overTwoLinesWithCrlf },
  'crlf-split-in-event': { events: (events) => events.flatMap(splitCrlf) },
  'pause-in-event': {
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

const ERROR = { message: 'The provider went away.', type: 'server_error', code: 'provider_gone' };
const ERROR_EVENT = piece(`data: ${JSON.stringify({ error: ERROR })}\n\n`);
const HTML = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Milliseconds in which what was sent before a break arrives: a reset may overtake it. */
const BEFORE_BREAK: Piece = { bytes: '', waitMs: 150 };

/** Only the first events of a stream, and then its end. A negative number counts from the end. */
function keepEvents(events: number, ending: Reply['ending']): NonNullable<Modifier['answer']> {
  return onSuccess(isStream, (reply) => {
    const kept = piecesOf(reply).slice(0, events);
    const breaks = ending === 'cut' || ending === 'reset';
    return { ...reply, body: { pieces: breaks ? [...kept, BEFORE_BREAK] : kept }, ending };
  });
}

const FAILURE_BEHAVIOURS = {
  'retry-after': { answer: setHeader('retry-after', '1') },
  'retry-after-3': { answer: setHeader('retry-after', '3') },
  'error-type-new': { error: (body) => put('/error/type', 'x_type')(put('/error/code', 'x_code')(body)) },
  'error-unknown-fields': { error: (body) => put('/error/x_new', { list: [1, null] })(put('/x_new', true)(body)) },
  'html-502': { onChat: () => textReply(502, 'text/html', HTML) },
  'html-200': { onChat: () => textReply(200, 'text/html', HTML) },
  'empty-200': { onChat: () => textReply(200, 'application/json', '') },
  'empty-500': { onChat: () => textReply(500, '', '') },
  'empty-429': { onChat: () => textReply(429, '', '') },
  'empty-503': { onChat: () => textReply(503, '', '') },
  'error-in-200': { onChat: () => jsonReply(200, { error: ERROR }) },
  'error-beside-choices': { completion: (completion) => ({ ...completion, choices: [], error: ERROR }) },
  'body-cut': { onChat: cutBody },
  'hang-up': { only: isChat, before: () => ({ kind: 'hang-up', how: 'close' }) },
  reset: { only: isChat, before: () => ({ kind: 'hang-up', how: 'reset' }) },
  silence: { only: isChat, before: () => ({ kind: 'silence' }) },
  'stream-cut': { answer: keepEvents(3, 'cut') },
  'stream-reset': { answer: keepEvents(3, 'reset') },
  'stream-cut-before-text': { answer: keepEvents(1, 'cut') },
  'stream-ends-before-text': { answer: keepEvents(1, 'proper') },
  'stream-cut-before-finish': { answer: keepEvents(-2, 'cut') },
  'stream-ends-early': { answer: keepEvents(3, 'proper') },
  'stream-ends-before-finish': { answer: keepEvents(-2, 'proper') },
  'stream-empty': { events: () => [] },
  'stream-stalls': { answer: keepEvents(3, 'held') },
  // The first event has the role, so that three pieces of text come before the failure.
  'stream-cut-after-three': { answer: keepEvents(4, 'cut') },
  'stream-ends-after-three': { answer: keepEvents(4, 'proper') },
  'stream-stalls-after-three': { answer: keepEvents(4, 'held') },
  'body-withheld': { onChat: (reply) => ({ ...reply, framing: 'chunked', body: { pieces: [] }, ending: 'held' }) },
  'stream-stalls-at-start': { answer: keepEvents(0, 'held') },
  'error-event': { events: (events) => [...events.slice(0, 3), ERROR_EVENT, ...events.slice(-1)] },
  'error-event-first': { events: (events) => [ERROR_EVENT, ...events.slice(-1)] },
  'error-event-last': { events: (events) => [...events.slice(0, 3), ERROR_EVENT] },
  'error-event-alone': { events: () => [ERROR_EVENT] },
  'error-event-named': {
    events: (events) => [...events.slice(0, 3), piece(`event: error\ndata: ${JSON.stringify({ error: ERROR })}\n\n`)],
  },
  'error-event-in-chunk': { chunks: (chunks) => [...chunks.slice(0, 3), { ...chunks[0], choices: [], error: ERROR }] },
  'server-error-once': { only: (call) => isChat(call) && call.ordinal === 1, before: () => errorAnswer(503) },
  'done-missing': { answer: keepEvents(-1, 'proper') },
  'open-after-done': { answer: keepEvents(Number.MAX_SAFE_INTEGER, 'held') },
} satisfies Record<string, Modifier>;

export const BEHAVIOURS = {
  ...REPLY_BEHAVIOURS,
  ...STREAM_BEHAVIOURS,
  ...FAILURE_BEHAVIOURS,
} satisfies Record<string, Modifier>;
