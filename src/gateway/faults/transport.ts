/** Faults below JSON: framing, connections and the base URL (part 1). */
import { eventAt } from '../change.ts';
import {
  changeHead,
  changeJson,
  cutBody,
  errorAnswer,
  onErrors,
  onJson,
  onStatus,
  onSuccess,
  prefixMembers,
  setHeader,
} from '../change-answer.ts';
import { isChat, isPlain } from '../call-tests.ts';
import { piece, textReply, asRaw, bytesOf, piecesOf } from '../answer.ts';
import type { Call } from '../call.ts';
import { breaking, type Fault, fault, row } from '../modifier.ts';

/** A model that only the model sample calls, so the rest of a run is not affected. */
const callsRareModel = (call: Call): boolean => call.body['model'] === 'sea-old';

/** Milliseconds. The self-test scales the pauses, and tells them apart by these. */
const SHORT_IDLE = 120;
const LONG_IDLE = 800;

export const TRANSPORT_FAULTS = {
  'transport-502-after-idle': fault('A call on a connection that idled gets a 502', 'errors.after-pauses', {
    source: 'https://github.com/agentgateway/agentgateway/issues/1202',
    only: (call) => call.idleMs >= SHORT_IDLE,
    before: () => errorAnswer(502),
  }),
  'transport-502-after-long-idle': fault(
    'A call on a connection that idled for long gets a 502',
    'errors.after-pause',
    { only: (call) => call.idleMs >= LONG_IDLE, before: () => errorAnswer(502) },
  ),
  'service-base-not-v1': fault('The base URL does not end in v1', 'service.base-address', { basePath: '/api' }),
  'service-base-v2': fault('The base URL ends in v2', 'service.base-address', { basePath: '/v2' }),
  'transport-length-and-chunked': fault('Streams have both Content-Length and Transfer-Encoding', 'wire.http', {
    source: 'https://github.com/timoklimmer/powerproxy-aoai/issues/53',
    onStream: changeHead((head) => head.replace('\r\n\r\n', '\r\ncontent-length: 120\r\n\r\n')),
  }),
  'transport-bad-status-line': fault('One model answers with an invalid status line', 'wire.http', {
    answer: onSuccess(
      callsRareModel,
      changeHead((head) => head.replace('HTTP/1.1 200', 'HTTP/1.1 OK')),
    ),
  }),
  'transport-not-http': fault('One model answers with bytes that are not HTTP', 'wire.http', {
    answer: onSuccess(callsRareModel, () => ({ kind: 'raw', pieces: [piece('hello\n')], ending: 'end' })),
  }),
  'transport-two-lengths': fault('One model answers with two different Content-Length headers', 'wire.http', {
    answer: onSuccess(
      callsRareModel,
      changeHead((head) => head.replace('\r\n\r\n', '\r\ncontent-length: 1\r\n\r\n')),
    ),
  }),
  'transport-length-too-small': fault('The Content-Length of streams is one less than what is sent', 'wire.http', {
    onStream: (reply) => {
      const length = bytesOf(piecesOf(reply)).length - 1;
      return asRaw({ ...setHeader('content-length', String(length))(reply), framing: 'counted' });
    },
  }),
  'transport-bad-chunk-size': fault('A stream has an invalid chunk size', 'stream.completes', {
    onStream: (reply) => asRaw(reply, { chunk: (text, at) => (at === 2 ? text.replace(/^\w+/, 'size') : text) }),
  }),
  'content-type-in-capitals': fault('The content type of JSON is in mixed case', 'wire.json-label-case', {
    answer: onJson(setHeader('content-type', 'Application/JSON;charset=UTF-8')),
  }),
  'json-member-twice': fault('Completions have model twice, with different values', 'wire.json-members-once', {
    onPlain: prefixMembers('"model":"another",'),
  }),
  'stream-content-twice': fault('A delta has content twice, with different values', 'wire.json-members-once', {
    events: eventAt(1, (text) => text.replace('"content":', '"content":"","content":')),
  }),
  'json-byte-order-mark': fault('JSON starts with a byte order mark', 'wire.json-byte-order-mark', {
    answer: changeJson((text) => `\uFEFF${text}`),
  }),
  'transport-large-headers': fault('Answers have 17 KB of headers', 'wire.headers-fit', {
    answer: setHeader('x-trace', 'a'.repeat(17_000)),
  }),
  'transport-json-cut': fault('The body of completions breaks off', 'endpoint.chat-json', { onPlain: cutBody }),
  'transport-list-cut': fault('The body of the model list breaks off', 'endpoint.models-json', { onModels: cutBody }),
  'transport-coding-untrue': fault(
    'Completions are labelled gzip but not compressed',
    ['endpoint.chat-json', 'wire.http'],
    { onPlain: setHeader('content-encoding', 'gzip') },
  ),
  'transport-stream-coding-untrue': fault(
    'Streams are labelled gzip but not compressed',
    ['stream.completes', 'wire.http'],
    { onStream: setHeader('content-encoding', 'gzip') },
  ),
  'transport-coding-unknown': fault(
    'Completions and streams are labelled with an unknown coding',
    ['endpoint.chat-json', 'stream.completes', 'wire.http'],
    { onChat: setHeader('content-encoding', 'utf-8') },
  ),
  ...breaking('errors.json', {
    'transport-refusal-hangs-up': row('An invalid request closes the connection', {
      only: isChat,
      answer: onStatus(400, () => ({ kind: 'hang-up', how: 'close' })),
    }),
    'transport-limits-reset': row('A temperature out of range resets the connection', {
      only: (call) => typeof call.body['temperature'] === 'number' && call.body['temperature'] > 2,
      answer: onStatus(400, () => ({ kind: 'hang-up', how: 'reset' })),
    }),
    'transport-error-cut': row('The body of errors breaks off', { only: isChat, answer: onErrors(cutBody) }),
    'trouble-429-once-text': row('One 429 has a plain text body', {
      only: (call) => isPlain(call) && call.ordinal === 2,
      before: () => ({ ...textReply(429, 'text/plain', 'Slow down.'), headers: { 'retry-after': '1' } }),
    }),
  }),
  'trouble-model-503': fault('One listed model always gets a 503', 'errors.no-server-error', {
    answer: onSuccess(callsRareModel, () => errorAnswer(503)),
  }),
} satisfies Record<string, Fault>;
