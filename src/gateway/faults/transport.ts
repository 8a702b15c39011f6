/** Faults below JSON: framing, connections and the base URL (part 1). */
import { cutBody, errorAnswer, isChat, isModels, isPlain, isStream, onErrors, onStatus, setHeader } from '../change.ts';
import { textReply } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Fault } from '../modifier.ts';
import { asRaw } from '../raw.ts';

/** A model that only the model sample calls, so the rest of a run is not affected. */
const callsRareModel = (call: Call): boolean => call.body['model'] === 'sea-old';

export const TRANSPORT_FAULTS = {
  'service-base-not-v1': {
    title: 'The base URL does not end in v1',
    breaks: ['service.base-address'],
    basePath: '/api',
  },
  'service-base-v2': {
    title: 'The base URL ends in v2',
    breaks: ['service.base-address'],
    basePath: '/v2',
  },
  'transport-length-and-chunked': {
    title: 'Streams have both Content-Length and Transfer-Encoding',
    source: 'https://github.com/timoklimmer/powerproxy-aoai/issues/53',
    breaks: ['wire.http'],
    only: isStream,
    answer: onStatus(200, (reply) =>
      asRaw(reply, { head: (head) => head.replace('\r\n\r\n', '\r\ncontent-length: 120\r\n\r\n') }),
    ),
  },
  'transport-bad-status-line': {
    title: 'One model answers with an invalid status line',
    breaks: ['wire.http'],
    only: callsRareModel,
    answer: onStatus(200, (reply) => asRaw(reply, { head: (head) => head.replace('HTTP/1.1 200', 'HTTP/1.1 OK') })),
  },
  'transport-not-http': {
    title: 'One model answers with bytes that are not HTTP',
    breaks: ['wire.http'],
    only: callsRareModel,
    answer: onStatus(200, () => ({ kind: 'raw', pieces: [{ bytes: 'hello\n', waitMs: 0 }], ending: 'end' })),
  },
  'transport-two-lengths': {
    title: 'One model answers with two different Content-Length headers',
    breaks: ['wire.http'],
    only: callsRareModel,
    answer: onStatus(200, (reply) =>
      asRaw(reply, { head: (head) => head.replace('\r\n\r\n', '\r\ncontent-length: 1\r\n\r\n') }),
    ),
  },
  'transport-bad-chunk-size': {
    title: 'A stream has an invalid chunk size',
    breaks: ['stream.completes'],
    only: isStream,
    answer: onStatus(200, (reply) =>
      asRaw(reply, { piece: (text, at) => (at === 2 ? text.replace(/^\w+/, 'size') : text) }),
    ),
  },
  'transport-json-cut': {
    title: 'The body of completions breaks off',
    breaks: ['endpoint.chat-json'],
    only: isPlain,
    answer: onStatus(200, cutBody),
  },
  'transport-list-cut': {
    title: 'The body of the model list breaks off',
    breaks: ['endpoint.models-json'],
    only: isModels,
    answer: onStatus(200, cutBody),
  },
  'transport-coding-untrue': {
    title: 'Completions are labelled gzip but not compressed',
    breaks: ['endpoint.chat-json'],
    only: isPlain,
    answer: onStatus(200, setHeader('content-encoding', 'gzip')),
  },
  'transport-refusal-hangs-up': {
    title: 'An invalid request closes the connection',
    breaks: ['errors.json'],
    only: isChat,
    answer: onStatus(400, () => ({ kind: 'hang-up', how: 'close' })),
  },
  'transport-limits-reset': {
    title: 'A temperature out of range resets the connection',
    breaks: ['errors.json'],
    only: (call) => typeof call.body['temperature'] === 'number' && call.body['temperature'] > 2,
    answer: onStatus(400, () => ({ kind: 'hang-up', how: 'reset' })),
  },
  'transport-error-cut': {
    title: 'The body of errors breaks off',
    breaks: ['errors.json'],
    only: isChat,
    answer: onErrors(cutBody),
  },
  'trouble-429-once-text': {
    title: 'One 429 has a plain text body',
    breaks: ['errors.json'],
    only: (call) => isPlain(call) && call.ordinal === 2,
    before: () => ({ ...textReply(429, 'text/plain', 'Slow down.'), headers: { 'retry-after': '1' } }),
  },
  'trouble-model-503': {
    title: 'One listed model always gets a 503',
    breaks: ['errors.no-server-error'],
    only: callsRareModel,
    answer: onStatus(200, () => errorAnswer(503)),
  },
} satisfies Record<string, Fault>;
