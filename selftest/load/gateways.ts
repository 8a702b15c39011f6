/** Gateways that break the contract under load, and gateways that are unusual there and keep it. */
import { piecesOf, type Reply, textReply } from '../../src/gateway/answer.ts';
import { errorAnswer, setHeader } from '../../src/gateway/change-answer.ts';
import { isChat, isModels, isPlain, isStream } from '../../src/gateway/call-tests.ts';
import { FAULTS, VARIANTS } from '../../src/gateway/index.ts';
import { itemsOf } from '../../src/gateway/json.ts';
import {
  faultyGateway,
  type FaultyRow,
  type GatewayRow,
  honestGateway,
  MANY_LEAVE,
  MANY_PLAIN,
  MANY_STREAMS,
} from './load-row.ts';
import { above, afterDisconnects, afterIdle, once, oneIn, to } from './pressure.ts';

const HTML = '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>';

/** The headers leave, and nothing follows. */
const headersOnly = (reply: Reply): Reply => ({ ...reply, body: { pieces: [] }, framing: 'chunked', ending: 'held' });

/** Above some number of calls in flight. */
const CROWDED = {
  'load-streams-cut': faultyGateway('Above 8 in flight, every third stream is cut', 'load.whole', {
    source: 'https://github.com/Portkey-AI/gateway/issues/1659',
    when: [to(isStream), above(8), oneIn(3)],
    change: FAULTS['stream-cut'],
  }),
  'load-stream-events-broken': faultyGateway('Above 8 in flight, an event is not JSON', 'load.whole', {
    source: 'https://github.com/triton-inference-server/triton_distributed/issues/264',
    when: [to(isStream), above(8), oneIn(3)],
    change: FAULTS['stream-comment-as-data'],
  }),
  'load-headers-and-nothing': faultyGateway(
    'Above 8 in flight, some streams have headers and nothing else',
    'load.not-silent',
    {
      source: 'https://github.com/NVIDIA-NeMo/Switchyard/issues/541',
      when: [to(isStream), above(8), oneIn(40)],
      change: { answer: (reply) => (reply.status === 200 ? headersOnly(reply) : reply) },
    },
  ),
  'load-replies-mixed': faultyGateway('Above 4 in flight, replies belong to other calls', 'load.own-reply', {
    source: 'https://github.com/vllm-project/vllm/issues/13408',
    when: [to(isPlain), above(4)],
    change: FAULTS['reply-of-another-call'],
  }),
  'load-streams-mixed': faultyGateway('Above 8 in flight, streams get words of other calls', 'load.own-reply', {
    when: [to(isStream), above(8)],
    change: FAULTS['streams-interleaved'],
  }),
  'load-500': faultyGateway('Above 8 in flight, a queue that is full is a 500', 'load.answered', {
    source: 'https://github.com/NVIDIA-NeMo/Guardrails/issues/2332',
    when: [to(isChat), above(8), oneIn(4)],
    change: { answer: () => errorAnswer(500) },
  }),
  'load-429-empty': faultyGateway('Above 8 in flight, calls are rejected with an empty 429', 'errors.json', {
    source: 'https://github.com/agentgateway/agentgateway/issues/3329',
    when: [above(8), oneIn(4)],
    change: { answer: () => textReply(429, '', '') },
  }),
  'load-503-html': faultyGateway('Above 8 in flight, calls are rejected with an HTML page', 'errors.json', {
    when: [above(8), oneIn(4)],
    change: { answer: () => textReply(503, 'text/html', HTML) },
  }),
  'load-503-error-string': faultyGateway('Above 8 in flight, the error of a 503 is a string', 'errors.object', {
    source: 'https://github.com/ollama/ollama/issues/15934',
    when: [above(8), oneIn(4)],
    change: { answer: () => ({ ...errorAnswer(503), body: { json: { error: 'server busy' } } }) },
  }),
  'load-body-cut': faultyGateway('Above 8 in flight, every tenth plain reply is cut', 'load.whole', {
    when: [to(isPlain), above(8), oneIn(10)],
    change: FAULTS['transport-json-cut'],
  }),
  'load-connections-reset': faultyGateway(
    'Above 8 in flight, half of the calls get a closed connection',
    'load.answered',
    { when: [to(isPlain), above(8), oneIn(2)], change: { before: () => ({ kind: 'hang-up', how: 'close' }) } },
  ),
  'load-key-not-checked': faultyGateway('Above 3 in flight, the key is not checked', 'load.unknown-key', {
    when: [above(3)],
    change: FAULTS['auth-any-bearer-accepted'],
  }),
  'load-key-lookup-fails': faultyGateway('Above 8 in flight, some valid keys get a 401', 'load.valid-key', {
    when: [to(isChat), above(8), oneIn(20)],
    change: { authorize: () => undefined },
  }),
  'load-limits-not-checked': faultyGateway(
    'Above 3 in flight, a temperature out of range is accepted',
    'load.refusal',
    { when: [above(3)], change: FAULTS['param-temperature-clamped'] },
  ),
  'load-limits-502': faultyGateway('Above 3 in flight, a temperature out of range causes a 502', 'load.answered', {
    when: [above(3)],
    change: FAULTS['param-temperature-out-of-range-502'],
  }),
  'load-key-lookup-500': faultyGateway('Above 3 in flight, an unknown key causes a 500', 'load.answered', {
    when: [above(3)],
    change: FAULTS['auth-unknown-key-500'],
  }),
  'load-unknown-key-400': faultyGateway('Above 3 in flight, an unknown key is refused with 400', 'load.unknown-key', {
    when: [above(3)],
    change: { answer: (reply) => (reply.status === 401 ? errorAnswer(400) : reply) },
  }),
  'load-list-short': faultyGateway('Above 3 in flight, the list lacks a model', 'load.list', {
    when: [to(isModels), above(3), oneIn(5)],
    change: { list: (list) => ({ ...list, data: itemsOf(list['data']).slice(1) }) },
  }),
  'load-list-of-another-key': faultyGateway(
    'Above 3 in flight, a restricted key gets the whole list',
    'load.list-of-other-key',
    { when: [to(isModels), above(3)], change: { authorize: (caller) => (caller === 'restricted' ? 'full' : caller) } },
  ),
  'load-stays-open': faultyGateway('Above 8 in flight, some streams stay open after [DONE]', 'stream.closes', {
    when: [to(isStream), above(8), oneIn(10)],
    change: FAULTS['tol-open-after-done'],
  }),
  'load-error-in-200': faultyGateway('Above 8 in flight, a stream starts with an error', 'load.whole', {
    when: [to(isStream), above(8), oneIn(5)],
    change: FAULTS['stream-error-in-middle'],
  }),
} satisfies Record<string, FaultyRow>;

/** Faults in few answers, after disconnects, after a pause, or once the load is over. */
const OTHERS = {
  'load-stream-cut-1-in-200': faultyGateway('One stream of 200 is cut', 'load.whole', {
    load: MANY_STREAMS,
    when: [to(isStream), oneIn(200)],
    change: FAULTS['stream-cut'],
  }),
  'load-reply-cut-1-in-200': faultyGateway('One plain reply of 200 is cut', 'load.whole', {
    load: MANY_PLAIN,
    when: [to(isPlain), oneIn(200)],
    change: FAULTS['transport-json-cut'],
  }),
  'load-reply-mixed-1-in-200': faultyGateway('One plain reply of 200 belongs to another call', 'load.own-reply', {
    load: MANY_PLAIN,
    when: [to(isPlain), above(1), oneIn(200)],
    change: FAULTS['reply-of-another-call'],
  }),
  'load-stream-cut-once': faultyGateway('A single stream is cut', 'load.always-whole', {
    when: [to(isStream), once(40)],
    change: FAULTS['stream-cut'],
  }),
  'load-500-rare': faultyGateway('One call of 250 gets a 500', 'load.always-answered', {
    load: MANY_PLAIN,
    when: [to(isChat), oneIn(250)],
    change: { answer: (reply) => (reply.status === 200 ? errorAnswer(500) : reply) },
  }),
  'load-slots-kept': faultyGateway(
    'Clients that disconnect keep their slot, until every call is a 503',
    'load.recovery',
    {
      source: 'https://github.com/maiphucgiang/codebuddy2api/issues/22',
      load: MANY_LEAVE,
      when: [afterDisconnects(8, Number.POSITIVE_INFINITY)],
      change: { answer: () => errorAnswer(503) },
    },
  ),
  'load-500-after-disconnects': faultyGateway('After each disconnect, four calls get a 500', 'load.answered', {
    load: MANY_LEAVE,
    when: [to(isPlain), afterDisconnects(1, 4)],
    change: { answer: () => errorAnswer(500) },
  }),
  'load-reader-recycled': faultyGateway('After a disconnect, a stream gets words of another call', 'load.own-reply', {
    source: 'https://github.com/maximhq/bifrost/issues/6143',
    load: MANY_LEAVE,
    when: [to(isStream), afterDisconnects(1, 2)],
    change: FAULTS['stream-of-another-call'],
  }),
  'load-empty-503-after-idle': faultyGateway(
    'After 5 s without calls, the first calls get an empty 503',
    'errors.json',
    { when: [afterIdle(5_000, 6)], change: { answer: () => textReply(503, '', '') } },
  ),
  'load-503-for-good': faultyGateway('After a load and a pause, every call gets a 503 for good', 'load.recovery', {
    when: [afterIdle(5_000, Number.POSITIVE_INFINITY)],
    change: { answer: () => errorAnswer(503) },
  }),
  'load-500-for-good': faultyGateway(
    'After a load and a pause, every chat call gets a 500 for good',
    ['load.answered', 'load.recovery'],
    {
      when: [to(isChat), afterIdle(5_000, Number.POSITIVE_INFINITY)],
      change: { answer: (reply) => (reply.status === 200 ? errorAnswer(500) : reply) },
    },
  ),
} satisfies Record<string, FaultyRow>;

export const LOAD_GATEWAYS: Readonly<Record<string, FaultyRow>> = { ...CROWDED, ...OTHERS };

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
    when: [to(isStream), above(10)],
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
      onStream: (reply) => ({
        ...reply,
        body: { pieces: piecesOf(reply).map((piece, at) => (at === 0 ? { ...piece, waitMs: THINKING } : piece)) },
      }),
    },
  }),
  'load-gathers-events': honestGateway('Above 4 in flight, events are gathered for 200 ms', {
    when: [above(4)],
    change: {
      onStream: (reply) => {
        const pieces = piecesOf(reply);
        const half = pieces.length >> 1;
        return {
          ...reply,
          body: { pieces: pieces.map((piece, at) => ({ ...piece, waitMs: at === half ? GATHERED : 0 })) },
        };
      },
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
