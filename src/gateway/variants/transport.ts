/** Unusual but legal behaviour below JSON, and temporary failures. */
import { type Coding, type Reply, bytesOf, piece, piecesOf, refusalReply, textReply, asRaw } from '../answer.ts';
import type { Call } from '../call.ts';
import { escapeLetters } from '../change.ts';
import {
  changeHead,
  changeJson,
  cutBody,
  errorAnswer,
  onJson,
  onStatus,
  onSuccess,
  prefixMembers,
  setHeader,
} from '../change-answer.ts';
import { isChat, isModels, isPlain, isStream } from '../call-tests.ts';
import { type Variant, row } from '../modifier.ts';
import { tooManyCalls } from '../refusals.ts';

/** Only clients that accept the coding get it; without Accept-Encoding, any is acceptable (RFC 9110, 12.5.3). */
const compressWith =
  (coding: Coding) =>
  (reply: Reply, call: Call): Reply => {
    const accepted = call.headers['accept-encoding'];
    const taken = accepted === undefined || accepted.includes(coding) || accepted.includes('*');
    return taken && reply.status !== 204 ? { ...reply, coding, framing: 'chunked' } : reply;
  };

const nthPlain =
  (nth: number) =>
  (call: Call): boolean =>
    isPlain(call) && call.ordinal === nth;

export const TRANSPORT_VARIANTS = {
  gzip: row('Answers are compressed with gzip', { answer: compressWith('gzip') }),
  brotli: row('Answers are compressed with Brotli', { answer: compressWith('br') }),
  deflate: row('Answers are compressed with deflate', { answer: compressWith('deflate') }),
  'coding-none': row('Answers are labelled with the coding none', {
    answer: setHeader('content-encoding', 'none'),
  }),
  'transport-chunked-json': row('JSON bodies are chunked', {
    source: 'https://github.com/IcantFind-a-username/Sovereign-Founder-OS/pull/94',
    answer: (reply) => (reply.status === 204 ? reply : { ...reply, framing: 'chunked' }),
  }),
  'json-in-small-chunks': row('JSON bodies arrive in many small chunks', {
    only: isPlain,
    answer: (reply) => {
      const bytes = bytesOf(piecesOf(reply));
      const pieces = Array.from({ length: Math.ceil(bytes.length / 11) }, (_, at) =>
        piece(bytes.subarray(at * 11, at * 11 + 11)),
      );
      return { ...reply, framing: 'chunked', body: { pieces } };
    },
  }),
  'body-until-close': row('Bodies end with the connection, as in HTTP/1.0', {
    answer: (reply) => (reply.status === 204 ? reply : { ...reply, framing: 'close' }),
  }),
  'http-1-0': row('Answers use HTTP/1.0', {
    answer: (reply) =>
      asRaw({ ...reply, framing: 'counted' }, { head: (head) => head.replace('HTTP/1.1', 'HTTP/1.0') }),
  }),
  'connection-close': row('The connection is closed after each answer', {
    answer: setHeader('connection', 'close'),
  }),
  'reason-phrase-missing': row('The status line has no reason phrase', {
    answer: changeHead((head) => head.replace(/^(HTTP\/1\.1 \d+) [^\r]*/, '$1 ')),
  }),
  'early-hints': row('Each answer is preceded by an interim 103', {
    answer: changeHead((head) => `HTTP/1.1 103 Early Hints\r\nlink: </>; rel=preload\r\n\r\n${head}`),
  }),
  'header-names-upper-case': row('Header names are in upper case', {
    answer: changeHead((head) => head.replaceAll(/^[\w-]+(?=:)/gm, (name) => name.toUpperCase())),
  }),
  'json-pretty-printed': row('JSON is indented', {
    answer: changeJson((text) => JSON.stringify(JSON.parse(text), null, 2)),
  }),
  'json-with-white-space': row('JSON has blank lines around it', {
    answer: changeJson((text) => `\n\n  ${text}\n\n`),
  }),
  'json-escaped': row('Non-ASCII characters and slashes are escaped', {
    answer: changeJson((text) => escapeLetters(text.replaceAll('/', '\\/'))),
  }),
  'charset-in-content-type': row('The content type of JSON has a charset', {
    answer: onJson(setHeader('content-type', 'application/json; charset=utf-8')),
  }),
  'charset-in-capitals': row('The charset of JSON is in capitals', {
    answer: onJson(setHeader('content-type', 'application/json;Charset=UTF-8')),
  }),
  'transport-head-405': row('HEAD is not allowed', {
    source: 'https://github.com/dhyansraj/mcp-mesh/issues/262',
    only: (call) => call.method === 'HEAD',
    answer: () => errorAnswer(405),
  }),
  'other-paths-without-body': row('Other paths and methods are refused without a body', {
    answer: (reply, call) =>
      call.endpoint === 'other' || reply.status === 405 ? { ...reply, headers: {}, body: { pieces: [] } } : reply,
  }),
  'other-paths-html': row('Other paths return a web page', {
    only: (call) => call.endpoint === 'other',
    before: () => textReply(200, 'text/html', '<p>Hello'),
  }),
  'slow-answers': row('Every answer is slow', { answer: (reply) => ({ ...reply, delayMs: 60 }) }),
  'slow-completions': row('Completions take much longer than refusals', {
    onPlain: (reply) => ({ ...reply, delayMs: 200 }),
  }),
  'trouble-429-once': row('One request gets a 429 with Retry-After', {
    only: nthPlain(2),
    before: () => refusalReply(tooManyCalls()),
  }),
  'trouble-429-once-with-date': row('One request gets a 429 with a date in Retry-After', {
    only: nthPlain(2),
    before: () => {
      const soon = new Date(Date.now() + 1000).toUTCString();
      return refusalReply({ ...tooManyCalls(), headers: { 'retry-after': soon } });
    },
  }),
  'trouble-429-once-without-retry-after': row('One request gets a 429 without Retry-After', {
    only: nthPlain(2),
    before: () => refusalReply({ ...tooManyCalls(), headers: {} }),
  }),
  'trouble-429-on-list': row('The model list gets one 429', {
    only: (call) => isModels(call) && call.number === 1,
    before: () => refusalReply(tooManyCalls()),
  }),
  'trouble-503-once': row('One request gets a 503 with an error body', {
    only: nthPlain(2),
    before: () => errorAnswer(503),
  }),
  'trouble-list-503-once': row('The model list gets a 503 before it is answered', {
    only: (call) => isModels(call) && call.number === 1,
    before: () => errorAnswer(503),
  }),
  'trouble-503-twice': row('One request gets two 503s before it is answered', {
    answer: onSuccess(
      (call) => isPlain(call) && call.attempt <= 2 && call.ordinal <= 2,
      () => errorAnswer(503),
    ),
  }),
  'trouble-503-once-on-refusal': row('An invalid request gets a 503 before it is refused', {
    only: (call) => isChat(call) && call.attempt === 1 && Number(call.body['temperature']) < 0,
    answer: onStatus(400, () => errorAnswer(503)),
  }),
  'trouble-reset-once': row('One connection is reset before the answer', {
    only: nthPlain(2),
    before: () => ({ kind: 'hang-up', how: 'reset' }),
  }),
  'trouble-closed-once': row('One connection is closed before the answer', {
    only: (call) => isModels(call) && call.number === 1,
    before: () => ({ kind: 'hang-up', how: 'close' }),
  }),
  'idle-connection-reset': row('A connection that idled is reset when a call comes', {
    only: (call) => call.idleMs >= 50,
    before: () => ({ kind: 'hang-up', how: 'reset' }),
  }),
  'stream-closes-connection': row('The connection is closed after a stream, without having been announced', {
    onStream: changeHead((head) => head.replace('connection: close\r\n', '')),
  }),
  'json-member-twice-alike': row('Completions have object twice, with the same value', {
    onPlain: prefixMembers('"object": "chat.completion" ,'),
  }),
  'stream-member-twice-alike': row('Chunks have object twice, with the same value', {
    event: (text) => text.replace('{', '{"object": "chat.completion.chunk" ,'),
  }),
  'trouble-body-cut-once': row('One body breaks off', { answer: onSuccess(nthPlain(1), cutBody) }),
  'trouble-stream-cut-once': row('One stream breaks off', {
    answer: onSuccess(
      (call) => isStream(call) && call.ordinal === 1,
      (reply) => ({ ...reply, body: { pieces: piecesOf(reply).slice(0, 3) }, ending: 'cut' }),
    ),
  }),
} satisfies Record<string, Variant>;
