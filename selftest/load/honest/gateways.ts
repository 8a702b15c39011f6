/** Gateways that are unusual under load and keep the contract. */
import { piecesOf } from '../../../src/gateway/answer.ts';
import { errorAnswer, isStream, onSuccess, setHeader } from '../../../src/gateway/change.ts';
import { VARIANTS } from '../../../src/gateway/index.ts';
import { itemsOf } from '../../../src/gateway/json.ts';
import { above, afterIdle, oneIn } from '../condition.ts';
import { honestGateway, type GatewayRow } from '../load-row.ts';

const withRetryAfter = setHeader('retry-after', '1');

/** Milliseconds. */
const THINKING = 400;
const GATHERED = 200;

export const HONEST_LOAD_GATEWAYS = {
  'load-calm': honestGateway('The gateway does everything as it should', {}),
  'load-quick': honestGateway('Answers come at once', { latencyMs: 0 }),
  'load-queues': honestGateway('Six calls are answered at a time, and the others wait', { slots: 6 }),
  'load-rejects-429': honestGateway('Calls above 8 in flight are rejected with 429 and Retry-After', {
    when: [above(8)],
    change: { before: () => withRetryAfter(errorAnswer(429, 'too_many_calls', 'Too many calls at once.')) },
  }),
  'load-rejects-503': honestGateway('Calls above 12 in flight are rejected with 503', {
    when: [above(12)],
    change: { before: () => errorAnswer(503, 'overloaded', 'Too many calls at once.') },
  }),
  'load-rejects-streams': honestGateway('Streams above 10 calls in flight are rejected with 429', {
    when: [above(10)],
    to: isStream,
    change: { before: () => errorAnswer(429, 'too_many_streams', 'Too many streams at once.') },
  }),
  'load-rejects-now-and-then': honestGateway('One call of 20 is rejected with 503 and Retry-After', {
    when: [above(2), oneIn(20)],
    change: { before: () => withRetryAfter(errorAnswer(503, 'overloaded', 'Busy for a moment.')) },
  }),
  'load-rejects-invalid-calls': honestGateway('Above 3 in flight, calls that it would refuse are rejected with 503', {
    when: [above(3)],
    change: { answer: (reply) => (reply.status < 400 ? reply : errorAnswer(503, 'overloaded', 'Too many calls.')) },
  }),
  'load-blocks-unknown-keys': honestGateway('Above 3 in flight, unknown keys are blocked with 403', {
    when: [above(3)],
    change: { answer: (reply) => (reply.status === 401 ? errorAnswer(403, 'blocked', 'Too many logins.') : reply) },
  }),
  'load-rejects-after-idle': honestGateway('After a pause, the first calls are rejected with 503: it wakes up', {
    when: [afterIdle(5_000, 6)],
    change: { before: () => errorAnswer(503, 'starting', 'The model is being loaded.') },
  }),
  'load-closes-connections': honestGateway('Every connection is closed after its answer', {
    always: VARIANTS['connection-close'],
  }),
  'load-bodies-until-close': honestGateway('Bodies end with the connection', { always: VARIANTS['body-until-close'] }),
  'load-slows-down': honestGateway('Above 4 in flight, answers take 150 ms', {
    when: [above(4)],
    change: { answer: (reply) => ({ ...reply, delayMs: 150 }) },
  }),
  'load-some-are-slow': honestGateway('One call of 10 takes 600 ms', {
    when: [oneIn(10)],
    change: { answer: (reply) => ({ ...reply, delayMs: 600 }) },
  }),
  'load-headers-long-before-text': honestGateway('A stream has its headers 400 ms before its first event', {
    always: {
      answer: onSuccess(isStream, (reply) => ({
        ...reply,
        body: { pieces: piecesOf(reply).map((piece, at) => (at === 0 ? { ...piece, waitMs: THINKING } : piece)) },
      })),
    },
  }),
  'load-gathers-events': honestGateway('Above 4 in flight, events are gathered for 200 ms', {
    when: [above(4)],
    change: {
      answer: onSuccess(isStream, (reply) => {
        const pieces = piecesOf(reply);
        const half = pieces.length >> 1;
        return {
          ...reply,
          body: { pieces: pieces.map((piece, at) => ({ ...piece, waitMs: at === half ? GATHERED : 0 })) },
        };
      }),
    },
  }),
  'load-compresses': honestGateway('Answers are compressed with gzip', { always: VARIANTS['gzip'] }),
  'load-new-model': honestGateway('A model is new once there is load, and stays', {
    always: {
      list: (list, call) => ({
        ...list,
        data: [
          ...itemsOf(list['data']),
          ...(call.number > 60 ? [{ id: 'sea-new', object: 'model', owned_by: 'reference' }] : []),
        ],
      }),
    },
  }),
} satisfies Record<string, GatewayRow>;
