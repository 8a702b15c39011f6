/** Unusual but legal behaviour below JSON, and temporary failures. */
import { type Coding, type Reply, piecesOf, refusalReply } from '../answer.ts';
import type { Call } from '../call.ts';
import { cutBody, errorAnswer, isChat, isModels, isPlain, isStream, onStatus, setHeader } from '../change.ts';
import type { Variant } from '../modifier.ts';
import { asRaw } from '../raw.ts';
import { tooManyCalls } from '../refusals.ts';

/** Only for clients that accept the coding; without Accept-Encoding, any is acceptable (RFC 9110, 12.5.3). */
const compressWith =
  (coding: Coding) =>
  (reply: Reply, call: Call): Reply => {
    const accepted = call.headers['accept-encoding'];
    const taken = accepted === undefined || accepted.includes(coding) || accepted.includes('*');
    return taken && reply.status !== 204 ? { ...reply, coding, framing: 'chunked' } : reply;
  };

const inText =
  (change: (text: string) => string) =>
  (reply: Reply): Reply =>
    'json' in reply.body
      ? { ...reply, body: { pieces: [{ bytes: change(JSON.stringify(reply.body.json)), waitMs: 0 }] } }
      : reply;

const nthPlain =
  (nth: number) =>
  (call: Call): boolean =>
    isPlain(call) && call.ordinal === nth;

export const TRANSPORT_VARIANTS = {
  gzip: {
    title: 'Answers are compressed with gzip',
    answer: compressWith('gzip'),
  },
  brotli: {
    title: 'Answers are compressed with Brotli',
    answer: compressWith('br'),
  },
  deflate: {
    title: 'Answers are compressed with deflate',
    answer: compressWith('deflate'),
  },
  'transport-chunked-json': {
    title: 'JSON bodies are chunked',
    source: 'https://github.com/IcantFind-a-username/Sovereign-Founder-OS/pull/94',
    answer: (reply) => (reply.status === 204 ? reply : { ...reply, framing: 'chunked' }),
  },
  'json-in-small-chunks': {
    title: 'JSON bodies arrive in many small chunks',
    only: isPlain,
    answer: (reply) => {
      const bytes = Buffer.concat(piecesOf(reply).map((piece) => Buffer.from(piece.bytes)));
      const pieces = Array.from({ length: Math.ceil(bytes.length / 11) }, (_, at) => ({
        bytes: bytes.subarray(at * 11, at * 11 + 11),
        waitMs: 0,
      }));
      return { ...reply, framing: 'chunked', body: { pieces } };
    },
  },
  'body-until-close': {
    title: 'Bodies end with the connection, as in HTTP/1.0',
    answer: (reply) => (reply.status === 204 ? reply : { ...reply, framing: 'close' }),
  },
  'http-1-0': {
    title: 'Answers use HTTP/1.0',
    answer: (reply) =>
      asRaw({ ...reply, framing: 'counted' }, { head: (head) => head.replace('HTTP/1.1', 'HTTP/1.0') }),
  },
  'connection-close': {
    title: 'The connection is closed after each answer',
    answer: setHeader('connection', 'close'),
  },
  'reason-phrase-missing': {
    title: 'The status line has no reason phrase',
    answer: (reply) => asRaw(reply, { head: (head) => head.replace(/^(HTTP\/1\.1 \d+) [^\r]*/, '$1 ') }),
  },
  'early-hints': {
    title: 'Each answer is preceded by an interim 103',
    answer: (reply) =>
      asRaw(reply, { head: (head) => `HTTP/1.1 103 Early Hints\r\nlink: </>; rel=preload\r\n\r\n${head}` }),
  },
  'header-names-upper-case': {
    title: 'Header names are in upper case',
    answer: (reply) =>
      asRaw(reply, { head: (head) => head.replaceAll(/^[\w-]+(?=:)/gm, (name) => name.toUpperCase()) }),
  },
  'json-pretty-printed': {
    title: 'JSON is indented',
    answer: inText((text) => JSON.stringify(JSON.parse(text), null, 2)),
  },
  'json-with-white-space': {
    title: 'JSON has blank lines around it',
    answer: inText((text) => `\n\n  ${text}\n\n`),
  },
  'json-escaped': {
    title: 'Non-ASCII characters and slashes are escaped',
    answer: inText((text) =>
      text
        .replaceAll('/', '\\/')
        .replaceAll(/[\u0080-\uFFFF]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
  },
  'charset-in-content-type': {
    title: 'The content type of JSON has a charset',
    answer: (reply) =>
      'json' in reply.body ? setHeader('content-type', 'application/json; charset=utf-8')(reply) : reply,
  },
  'content-type-in-capitals': {
    title: 'The content type is in mixed case',
    answer: (reply) =>
      'json' in reply.body ? setHeader('content-type', 'Application/JSON;charset=UTF-8')(reply) : reply,
  },
  'transport-head-405': {
    title: 'HEAD is not allowed',
    source: 'https://github.com/dhyansraj/mcp-mesh/issues/262',
    only: (call) => call.method === 'HEAD',
    answer: () => errorAnswer(405),
  },
  'other-paths-without-body': {
    title: 'Other paths and methods are refused without a body',
    answer: (reply, call) =>
      call.endpoint === 'other' || reply.status === 405 ? { ...reply, headers: {}, body: { pieces: [] } } : reply,
  },
  'other-paths-html': {
    title: 'Other paths return a web page',
    only: (call) => call.endpoint === 'other',
    before: () => ({
      ...errorAnswer(200),
      headers: { 'content-type': 'text/html' },
      body: { pieces: [{ bytes: '<p>Hello', waitMs: 0 }] },
    }),
  },
  'slow-answers': {
    title: 'Every answer is slow',
    answer: (reply) => ({ ...reply, delayMs: 60 }),
  },
  'slow-completions': {
    title: 'Completions take much longer than refusals',
    only: isPlain,
    answer: onStatus(200, (reply) => ({ ...reply, delayMs: 200 })),
  },
  'trouble-429-once': {
    title: 'One request gets a 429 with Retry-After',
    only: nthPlain(2),
    before: () => refusalReply(tooManyCalls()),
  },
  'trouble-429-once-with-date': {
    title: 'One request gets a 429 with a date in Retry-After',
    only: nthPlain(2),
    before: () => {
      const soon = new Date(Date.now() + 1000).toUTCString();
      return refusalReply({ ...tooManyCalls(), headers: { 'retry-after': soon } });
    },
  },
  'trouble-429-once-without-retry-after': {
    title: 'One request gets a 429 without Retry-After',
    only: nthPlain(2),
    before: () => refusalReply({ ...tooManyCalls(), headers: {} }),
  },
  'trouble-429-on-list': {
    title: 'The model list gets one 429',
    only: (call) => isModels(call) && call.number === 1,
    before: () => refusalReply(tooManyCalls()),
  },
  'trouble-503-once': {
    title: 'One request gets a 503 with an error body',
    only: nthPlain(2),
    before: () => errorAnswer(503),
  },
  'trouble-503-twice': {
    title: 'One request gets two 503s before it is answered',
    only: (call) => isPlain(call) && call.attempt <= 2 && call.ordinal <= 2,
    answer: onStatus(200, () => errorAnswer(503)),
  },
  'trouble-503-once-on-refusal': {
    title: 'An invalid request gets a 503 before it is refused',
    only: (call) => isChat(call) && call.attempt === 1 && Number(call.body['temperature']) < 0,
    answer: onStatus(400, () => errorAnswer(503)),
  },
  'trouble-reset-once': {
    title: 'One connection is reset before the answer',
    only: nthPlain(2),
    before: () => ({ kind: 'hang-up', how: 'reset' }),
  },
  'trouble-closed-once': {
    title: 'One connection is closed before the answer',
    only: (call) => isModels(call) && call.number === 1,
    before: () => ({ kind: 'hang-up', how: 'close' }),
  },
  'trouble-body-cut-once': {
    title: 'One body breaks off',
    only: nthPlain(1),
    answer: onStatus(200, cutBody),
  },
  'trouble-stream-cut-once': {
    title: 'One stream breaks off',
    only: (call) => isStream(call) && call.ordinal === 1,
    answer: onStatus(200, (reply) => ({ ...reply, body: { pieces: piecesOf(reply).slice(0, 3) }, ending: 'cut' })),
  },
} satisfies Record<string, Variant>;
