/** Unusual but legal streams: every form of the event-stream grammar, and extra contents of chunks. */
import { type Piece, bytesOf, piece } from '../answer.ts';
import { all, alter, chunkAt, cutEvery, drop, eachEvent, escapeLetters, eventAt, insertChunk, put } from '../change.ts';
import { type JsonObject, isObject } from '../json.ts';
import { type Variant, row } from '../modifier.ts';

const DELTA = '/choices/0/delta';

/** So many events at once, after a pause. */
const inGroups =
  (size: number, waitMs: number) =>
  (events: readonly Piece[]): readonly Piece[] =>
    Array.from({ length: Math.ceil(events.length / size) }, (_, at) => ({
      bytes: bytesOf(events.slice(at * size, at * size + size)),
      waitMs,
    }));

function choiceOf(chunk: JsonObject | undefined): JsonObject {
  const choices = chunk?.['choices'];
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? first : {};
}

/** Adds a last chunk with usage. Apart from the tokens, there is a chunk for the role and one for the finish_reason. */
const withUsage = (chunks: readonly JsonObject[]): readonly JsonObject[] => {
  const completion = chunks.length - 2;
  const usage = { prompt_tokens: 9, completion_tokens: completion, total_tokens: completion + 9 };
  return [...chunks, { ...chunks[0], choices: [], usage }];
};

export const STREAM_VARIANTS = {
  'sse-crlf': row('Lines end with CRLF', { event: (text) => text.replaceAll('\n', '\r\n') }),
  'sse-crlf-split': row('CR and LF of a line end arrive separately', {
    events: (events) =>
      events.flatMap(({ bytes, waitMs }) => [{ bytes: `${String(bytes).trimEnd()}\r\n\r`, waitMs }, piece('\n')]),
  }),
  'sse-byte-order-mark': row('The stream starts with a byte order mark', {
    events: eventAt(0, (text) => `\uFEFF${text}`),
  }),
  'sse-comments': row('There are comments before and between events', {
    events: (events) => events.flatMap((event) => [piece(': ping\n\n'), event, piece(':\n')]),
  }),
  'sse-comments-before-ids': row('Comments come before the first id, and later inside events', {
    events: (events) => [piece(': connected\n\n'), ...eachEvent((text, at) => `: ping\nid: ${at}\n${text}`)(events)],
  }),
  'sse-comments-beyond-ascii': row('A comment is not ASCII, and another one mentions data', {
    events: (events) => [piece(': café\n\n: data: none\n\n'), ...events],
  }),
  'sse-ids-and-retry': row('Events have id and retry fields', {
    event: (text, at) => `id: ${at}\nretry: 3000\n${text}`,
  }),
  'sse-event-named-message': row('Events are named message', { event: (text) => `event: message\n${text}` }),
  'sse-unknown-field': row('Events have unknown fields', { event: (text) => `trace: abc\nempty\n${text}` }),
  'tol-sse-no-space': row('There is no space after data:', {
    source: 'https://github.com/openai/openai-python/issues/498',
    event: (text) => text.replace('data: ', 'data:'),
  }),
  'tol-sse-long-line': row('A data line is longer than 64 KiB', {
    source: 'https://github.com/openai/openai-go/issues/368',
    chunks: chunkAt(0, put('/x_padding', 'sea '.repeat(60_000))),
  }),
  'tol-sse-split-json': row('Events are split over several reads', {
    source: 'https://github.com/alexrudall/ruby-openai/pull/332',
    events: (events) =>
      events.flatMap(({ bytes, waitMs }) => [
        { bytes: String(bytes).slice(0, 40), waitMs },
        { bytes: String(bytes).slice(40), waitMs: 1 },
      ]),
  }),
  'sse-byte-by-byte': row('The first events arrive byte by byte', {
    events: (events) => [...cutEvery(1, () => 0)(events.slice(0, 2)), ...events.slice(2)],
  }),
  'sse-cut-anywhere': row('The stream arrives seven bytes at a time, which splits characters', {
    events: cutEvery(7, (at) => Number(at % 16 === 0)),
  }),
  'tol-sse-many-events-per-read': row('Several events arrive in one read', {
    source: 'https://github.com/ggml-org/llama.cpp/issues/14268',
    events: inGroups(4, 8),
  }),
  'sse-done-without-blank-line': row('The stream ends right after [DONE], without a line end', {
    events: eventAt(-1, () => 'data: [DONE]'),
  }),
  'stream-instant': row('The model is very fast: all events follow one another at once', { eventGapMs: 0 }),
  'stream-two-thousand-tokens-a-second': row('The model makes two tokens a millisecond', { events: inGroups(2, 1) }),
  'stream-bursts-of-eight': row('Speculative decoding gives eight tokens at once', { events: inGroups(8, 60) }),
  'stream-network-batches': row('The network delivers ten events every 40 ms', { events: inGroups(10, 40) }),
  'stream-filter-releases': row('A content filter releases the text in chunks of 1 KiB', {
    chunk: put('/x_filter', 'sea '.repeat(210)),
    events: inGroups(1, 30),
  }),
  'stream-in-one-write': row('All events are sent in one write, right after the request', {
    events: (events) => [piece(bytesOf(events))],
  }),
  'stream-slow-start': row('The first token is slow', {
    events: (events) => events.map((event, at) => (at === 1 ? { ...event, waitMs: 150 } : event)),
  }),
  'stream-content-length': row('Streams have a Content-Length', {
    onStream: (reply) => ({ ...reply, framing: 'counted' }),
  }),
  'stream-until-close': row('Streams end with the connection, as in HTTP/1.0', {
    onStream: (reply) => ({ ...reply, framing: 'close' }),
  }),
  'stream-label-with-charset': row('The content type of streams has a charset', {
    onStream: (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'text/event-stream; charset=utf-8' },
    }),
  }),
  'stream-closes-late': row('The response ends a while after [DONE]', {
    events: (events) => [...events, { bytes: ': bye\n\n', waitMs: 200 }],
  }),
  'tol-role-every-chunk': row('Every delta has a role', {
    source: 'https://github.com/ollama/ollama/issues/4357',
    chunk: put(`${DELTA}/role`, 'assistant'),
  }),
  'stream-role-with-first-text': row('The role comes with the first text', {
    chunks: (chunks) => chunkAt(0, put(`${DELTA}/role`, 'assistant'))(chunks.slice(1)),
  }),
  'stream-role-null-later': row('Later deltas have role null', {
    chunk: (chunk, at) => (at === 0 ? chunk : put(`${DELTA}/role`, null)(chunk)),
  }),
  'stream-content-null': row('Deltas without text have content null', {
    chunks: (chunks) => chunkAt(0, put(`${DELTA}/content`, null))(chunkAt(-1, put(`${DELTA}/content`, null))(chunks)),
  }),
  'stream-headers-with-text': row('The headers of a stream wait for its first text', {
    onStream: (reply) => ({ ...reply, delayMs: 40 }),
  }),
  'stream-finish-with-last-text': row('finish_reason comes with the last text', {
    chunks: (chunks) => {
      const { finish_reason: reason = 'stop' } = choiceOf(chunks.at(-1));
      return chunkAt(-1, put('/choices/0/finish_reason', reason))(chunks.slice(0, -1));
    },
  }),
  'stream-usage-chunk': row('The last chunk has usage and empty choices', { chunks: withUsage }),
  'stream-first-chunk-without-choices': row('The first chunk has filter results and empty choices', {
    chunks: insertChunk(0, (chunk) => ({ ...chunk, choices: [], prompt_filter_results: [] })),
  }),
  'stream-usage-in-every-chunk': row('Every chunk has usage: null', { chunk: put('/usage', null) }),
  'tol-created-varies': row('created changes during a stream', {
    source: 'https://github.com/sgl-project/sglang/issues/39864',
    chunk: (chunk, at) => alter('/created', (created) => Number(created) + (at >> 2))(chunk),
  }),
  'tol-finish-reason-unknown': row('finish_reason is an unusual word', {
    source: 'https://github.com/openai/openai-dotnet/pull/267',
    reply: () => ({ finishReason: 'eos_token' }),
  }),
  'tol-id-format': row('id does not start with chatcmpl-', {
    source: 'https://github.com/JohnnyZ93/oai-compatible-copilot/issues/17',
    reply: (_reply, call) => ({ id: `2026-03-01T12:00:00Z #${call.number}` }),
  }),
  'stream-reasoning-first': row('Reasoning precedes the text, in a separate field', {
    chunks: (chunks) => [
      ...chunks.slice(0, 1),
      ...['Let', ' me', ' think'].map((reasoning) =>
        all(put(DELTA, { reasoning_content: reasoning }), put('/choices/0/finish_reason', null))(chunks[0] ?? {}),
      ),
      ...chunks.slice(1),
    ],
  }),
  'stream-repeated-words': row('The reply repeats a single word', {
    reply: (reply) => ({ pieces: reply.pieces.map(() => ' sea') }),
  }),
  'stream-repeated-beginning': row('The reply begins with ha, then ha ha', {
    reply: (reply) => ({ pieces: ['ha', 'ha ha', ...reply.pieces.slice(2)].slice(0, reply.pieces.length) }),
  }),
  'stream-finish-key-omitted': row('finish_reason is missing before the last chunk', {
    source: 'https://github.com/mlflow/mlflow/pull/24111',
    chunk: (chunk, _at, fromEnd) => (fromEnd < -1 ? drop('/choices/0/finish_reason')(chunk) : chunk),
  }),
  'stream-cut-character-at-length': row('A reply cut off by max_tokens ends with half a character', {
    reply: (reply) => (reply.finishReason === 'length' ? { pieces: [...reply.pieces.slice(0, -1), ' \uFFFD'] } : reply),
  }),
  'stream-unknown-delta-fields': row('Deltas and choices have unknown fields', {
    chunk: all(
      put(`${DELTA}/tool_calls`, []),
      put('/choices/0/logprobs', null),
      alter('/choices/0/native', (old) => (isObject(old) ? old : { reason: 'x' })),
    ),
  }),
  'stream-escaped-text': row('Non-ASCII characters are escaped', { event: escapeLetters }),
} satisfies Record<string, Variant>;
