/** Relays that break the contract under load, and relays that are unusual there and keep it. */
import { setTimeout as pause } from 'node:timers/promises';
import { readRelayEvents } from '../relays/read-events.ts';
import type { ClientCall, JsonMap, RelayModifier } from '../relays/relay-modifier.ts';
import { LEGAL_RELAYS } from '../relays/legal.ts';
import {
  messagesIn,
  withChoices,
  withChunkText,
  withMessages,
  withMessageText,
  withReplyText,
} from '../relays/rewrite.ts';
import { errorAnswer } from '../relays/small-relay.ts';
import {
  faultyRelay,
  type FaultyRow,
  honestRelay,
  MANY_LEAVE,
  MANY_PLAIN,
  type RelayRow,
  SLOW_READERS,
} from './load-row.ts';
import {
  above,
  afterDisconnects,
  afterIdle,
  oneIn,
  type Pressure,
  openSlots,
  to,
  whileReaderIsSlow,
} from './pressure.ts';

const isStream = ({ isStream: streams }: ClientCall): boolean => streams;
const isPlain = ({ isStream: streams }: ClientCall): boolean => !streams;

const loseLetters = withChunkText((text) => text.slice(1));

/** The word that a call asks for is the last one of its prompt. */
const wordOf = ({ body }: ClientCall): string => messagesIn(body).at(-1)?.content.split(' ').at(-1) ?? '';

/** The words of the calls in flight. */
function wordsIn({ memory }: ClientCall): Set<string> {
  const words = (memory.get('words') as Set<string> | undefined) ?? new Set();
  memory.set('words', words);
  return words;
}

function rememberWord(call: ClientCall): Promise<() => void> {
  const [words, own] = [wordsIn(call), wordOf(call)];
  words.add(own);
  return Promise.resolve(() => void words.delete(own));
}

/** The reply has the word of another call in flight. */
function mixReplies(reply: JsonMap, call: ClientCall): JsonMap {
  const own = wordOf(call);
  const other = [...wordsIn(call)].find((word) => word !== own) ?? own;
  return withReplyText((text) => text.replaceAll(own, other))(reply);
}

/** The name upstream of the model of this call, or of the call before. */
function toInner(body: JsonMap, memory: ClientCall['memory'], isOfLast: boolean): JsonMap {
  const [model, last = model] = [body['model'], memory.get('model')];
  memory.set('model', model);
  return { ...body, model: `inner-${String(isOfLast ? last : model)}` };
}

/** Reads so many events and no more. */
function endAfter(events: number): NonNullable<RelayModifier['readEvents']> {
  return async function* read(bytes) {
    let left = events;
    for await (const event of readRelayEvents(bytes)) {
      if (left === 0) return;
      left -= 1;
      yield event;
    }
  };
}

/** Milliseconds. */
const LOOK = 30;
const LOOKS = 3;

/**
 * After a crowd, closes the connection of a call that is alone. Looks several times: the calls of a crowd may arrive one
 * by one.
 */
function closeIfAlone(pressure: Pressure, crowd: number): NonNullable<RelayModifier['admit']> {
  return async () => {
    for (let look = 0; look < LOOKS; look++) {
      if (pressure.peak < crowd || pressure.inFlight > 1) return () => undefined;
      await pause(LOOK);
    }
    throw new Error('The relay is out of connections.');
  };
}

/** Calls the second upstream once the first has failed, unless the request itself was refused. */
const FAILS_OVER = {
  turns: () => ['primary', 'fallback'],
  takesNext: ({ status }) => status !== 400,
} satisfies RelayModifier;

/** Counts the failures of the first upstream so far. */
function countFailure({ memory }: ClientCall, by: number): number {
  const count = ((memory.get('failures') as number | undefined) ?? 0) + by;
  memory.set('failures', count);
  return count;
}

const FAILURES = 40;

/** Of the second upstream, the first half looks as if the first had sent it. */
const halfOfFirst = withReplyText(
  (text) => text.slice(0, text.length >> 1).replaceAll(';', '.') + text.slice(text.length >> 1),
);

/** A stream that closes properly, before its end. */
const ENDS_EARLY = ['load.text', 'stream.done', 'stream.finishes'];

export const LOAD_RELAYS = {
  'load-relay-loses-text': faultyRelay('Above 8 in flight, streams lose letters', 'load.text', {
    when: [to(isStream), above(8), oneIn(5)],
    change: { chunk: loseLetters },
  }),
  'load-relay-alters-1-in-200': faultyRelay('One plain reply of 200 loses its last letter', 'load.text', {
    load: MANY_PLAIN,
    when: [to(isPlain), oneIn(200)],
    change: { reply: withReplyText((text) => text.slice(0, -1)) },
  }),
  'load-relay-says-stop': faultyRelay('Above 8 in flight, replies that were cut say stop', 'load.finish-reason', {
    when: [to(isPlain), above(8)],
    change: { reply: withChoices((choice) => ({ ...choice, finish_reason: 'stop' })) },
  }),
  'load-relay-counts-twice': faultyRelay('Above 8 in flight, tokens are counted twice', 'load.usage', {
    when: [to(isPlain), above(8), oneIn(5)],
    change: { reply: (reply) => ({ ...reply, usage: { prompt_tokens: 24, completion_tokens: 1, total_tokens: 25 } }) },
  }),
  'load-relay-gathers': faultyRelay('Above 8 in flight, streams are sent when they are complete', 'load.pieces', {
    when: [to(isStream), above(8)],
    change: { holdBack: Infinity },
  }),
  'load-relay-ends-early': faultyRelay('Above 8 in flight, a stream closes before its end', ENDS_EARLY, {
    when: [to(isStream), above(8), oneIn(5)],
    change: { readEvents: endAfter(3), midStream: 'close' },
  }),
  'load-relay-cuts-and-stops': faultyRelay(
    'Above 8 in flight, a stream is cut short and called whole',
    ['load.text', 'stream.chunk-object', 'stream.chunk-id', 'stream.chunk-model'],
    { when: [to(isStream), above(8), oneIn(5)], change: { readEvents: endAfter(3), midStream: 'proper-end' } },
  ),
  'load-relay-mixes-replies': faultyRelay(
    'Above 8 in flight, plain replies have the words of other calls',
    'load.own-reply',
    { when: [to(isPlain), above(8)], always: { admit: rememberWord }, change: { reply: mixReplies } },
  ),
  'load-relay-cuts-messages': faultyRelay(
    'One plain call of 50 reaches the upstream without its end',
    'load.messages',
    {
      load: MANY_PLAIN,
      when: [to(isPlain), oneIn(50)],
      change: { request: withMessageText((text) => text.slice(0, -8)) },
    },
  ),
  'load-relay-raises-limits': faultyRelay('Above 8 in flight, token limits are raised', 'load.token-limit', {
    when: [above(8), oneIn(20)],
    change: { request: (body) => ({ ...body, max_tokens: 4_096 }) },
  }),
  'load-relay-mixes-models': faultyRelay('Above 8 in flight, calls get the model of the call before', 'load.model', {
    models: ['small=inner-small', 'large=inner-large'],
    always: { request: (body, { memory }) => toInner(body, memory, false) },
    when: [above(8), oneIn(5)],
    change: { request: (body, { memory }) => toInner(body, memory, true) },
  }),
  'load-relay-joins-models': faultyRelay('Above 8 in flight, every model is the first', 'load.model', {
    models: ['small', 'large'],
    when: [above(8), oneIn(5)],
    change: { request: (body) => ({ ...body, model: 'small' }) },
  }),
  'load-relay-502-after-idle': faultyRelay(
    'After 5 s without calls, connections that the upstream has closed are used again',
    'load.answered',
    {
      when: [afterIdle(5_000, 8)],
      change: { shortcut: () => errorAnswer(502, 'upstream_failed', 'The upstream closed the connection.') },
    },
  ),
  'load-relay-502-after-disconnects': faultyRelay('After each disconnect, three calls get a 502', 'load.answered', {
    load: MANY_LEAVE,
    when: [afterDisconnects(1, 3)],
    change: { shortcut: () => errorAnswer(502, 'upstream_failed', 'The upstream call was cancelled.') },
  }),
  'load-relay-hangs-after-disconnects': faultyRelay(
    'Once a client has disconnected, no call is answered, even one at a time',
    'load.recovery',
    {
      source: 'https://github.com/BerriAI/litellm/issues/36429',
      load: MANY_LEAVE,
      when: [afterDisconnects(1, Number.POSITIVE_INFINITY)],
      change: { admit: () => new Promise(() => undefined) },
    },
  ),
  'load-relay-loses-text-for-slow-readers': faultyRelay('While a reader is slow, streams lose letters', 'load.text', {
    source: 'https://github.com/IBM/mcp-context-forge/issues/1682',
    load: SLOW_READERS,
    change: (pressure) => ({ chunk: (chunk) => (pressure.hasSlowReader ? loseLetters(chunk) : [chunk]) }),
  }),
  'load-relay-ends-early-while-slow': faultyRelay('While a reader is slow, other streams end early', ENDS_EARLY, {
    load: SLOW_READERS,
    when: [to(isStream), whileReaderIsSlow],
    change: { readEvents: endAfter(3), midStream: 'close' },
  }),
  'load-relay-500-while-slow': faultyRelay('While a reader is slow, other calls get a 500', 'load.answered', {
    source: 'https://github.com/MAXeaglet/commandcode-proxy/issues/20',
    load: SLOW_READERS,
    when: [to(isPlain), whileReaderIsSlow],
    change: { shortcut: () => errorAnswer(500, 'out_of_memory', 'The relay has no memory left.') },
  }),
  'load-relay-storm': faultyRelay('While the first upstream fails, it is called 12 times', 'relay.fallback-calls', {
    source: 'https://github.com/BerriAI/litellm/issues/40405',
    two: true,
    always: { ...FAILS_OVER, turns: () => [...Array.from({ length: 12 }, () => 'primary' as const), 'fallback'] },
  }),
  'load-relay-joins-upstreams': faultyRelay(
    'While the first upstream fails, plain replies begin with its text',
    'relay.fallback-joined',
    {
      two: true,
      always: { ...FAILS_OVER, replyFrom: (from, reply) => (from === 'fallback' ? halfOfFirst(reply) : reply) },
    },
  ),
  'load-relay-mixes-after-failures': faultyRelay(
    'While the first upstream fails, plain replies have the words of other calls',
    'load.own-reply',
    {
      two: true,
      always: {
        ...FAILS_OVER,
        admit: rememberWord,
        takesNext: ({ status }, _upstream, call) => status === 503 && countFailure(call, 1) > 0,
        reply: (reply, call) => (countFailure(call, 0) > 0 ? mixReplies(reply, call) : reply),
      },
    },
  ),
  'load-relay-tells-failures': faultyRelay(
    'While the first upstream fails, streams get a 502',
    'relay.fallback-answers',
    {
      two: true,
      always: {
        ...FAILS_OVER,
        takesNext: ({ status }, _upstream, { isStream: streams }) => status !== 400 && !streams,
        failure: ({ status }, _call, usual) =>
          status === 503 ? errorAnswer(502, 'upstream_failed', 'The upstream failed.') : usual,
      },
    },
  ),
  'load-relay-never-returns': faultyRelay(
    `After ${FAILURES} failures of the first upstream, every call gets a 502 for good`,
    ['load.recovery', 'relay.fallback-answers'],
    {
      two: true,
      always: {
        ...FAILS_OVER,
        takesNext: ({ status }, _upstream, call) => status === 503 && countFailure(call, 1) > 0,
        shortcut: (call) =>
          countFailure(call, 0) > FAILURES ? errorAnswer(502, 'circuit_open', 'The circuit is open.') : undefined,
      },
    },
  ),
  'load-relay-closes-afterwards': faultyRelay(
    'After 12 in flight, a call that comes alone gets a closed connection',
    'load.recovery',
    { change: (pressure) => ({ admit: closeIfAlone(pressure, 12) }) },
  ),
} satisfies Record<string, FaultyRow>;

const overloaded = (status: number) => ({
  shortcut: () => errorAnswer(status, 'overloaded', 'Too many calls at once.'),
});

async function takeSlot({ memory }: ClientCall): Promise<() => void> {
  const slots = (memory.get('slots') as ReturnType<typeof openSlots> | undefined) ?? openSlots(6);
  memory.set('slots', slots);
  await slots.take();
  return () => slots.free();
}

export const HONEST_LOAD_RELAYS = {
  'load-relay-calm': honestRelay('The relay does everything as it should', {}),
  'load-relay-patient': honestRelay('The relay keeps what slow readers have not read yet', { load: SLOW_READERS }),
  'load-relay-queues': honestRelay('Six calls are relayed at a time, and the others wait', {
    always: { admit: takeSlot },
  }),
  'load-relay-rejects-429': honestRelay('Calls above 8 in flight are rejected with 429', {
    when: [above(8)],
    change: overloaded(429),
  }),
  'load-relay-rejects-503': honestRelay('Every third call above 8 in flight is rejected with 503', {
    when: [above(8), oneIn(3)],
    change: overloaded(503),
  }),
  'load-relay-slow': honestRelay('Every answer comes 200 ms later', { always: { delay: 200 } }),
  'load-relay-coalesces': honestRelay('Chunks are gathered for 200 ms', { always: { holdBack: 200 } }),
  'load-relay-works-on': honestRelay('The upstream call goes on after the client has left', {
    always: { ignoresLeaving: true },
  }),
  'load-relay-retries': honestRelay('A failed call is made twice more', { always: { attempts: 3, retryPause: 20 } }),
  'load-relay-asks-for-streams': honestRelay('The upstream is always asked for a stream', {
    always: { upstreamMode: 'stream' },
  }),
  'load-relay-sends-parts': honestRelay('Messages are text parts, and the limit is max_completion_tokens', {
    always: LEGAL_RELAYS['relay-sends-parts'],
  }),
  'load-relay-adds-prompt': honestRelay('Every call gets a system message', {
    always: {
      request: withMessages((messages) => [{ role: 'system', content: 'Be brief. '.repeat(100) }, ...messages]),
    },
  }),
  'load-relay-maps-models': honestRelay('Two models are the same upstream, as the user says', {
    models: ['small=inner-model', 'large=inner-model'],
    always: LEGAL_RELAYS['relay-maps-models-to-one'],
  }),
  'load-relay-fails-over': honestRelay('The second upstream is called if the first fails', {
    two: true,
    always: FAILS_OVER,
  }),
  'load-relay-without-fallback': honestRelay('The second upstream is never called', { two: true }),
  'load-relay-takes-turns': honestRelay('Both upstreams are called in turn, and the other one if one fails', {
    two: true,
    always: {
      ...FAILS_OVER,
      turns: ({ memory }) => {
        const isOdd = memory.get('odd') === true;
        memory.set('odd', !isOdd);
        return isOdd ? ['fallback', 'primary'] : ['primary', 'fallback'];
      },
    },
  }),
  'load-relay-leaves-out': honestRelay('An upstream that failed is left out for good', {
    two: true,
    always: {
      turns: ({ memory }) => (memory.get('isOut') === true ? ['fallback'] : ['primary', 'fallback']),
      takesNext: ({ status }, upstream, { memory }) => {
        if (upstream === 'primary' && status === 503) memory.set('isOut', true);
        return status !== 400;
      },
    },
  }),
  'load-relay-few-retries': honestRelay('Every third call fails over, and the others are rejected with 503', {
    two: true,
    always: {
      ...FAILS_OVER,
      takesNext: ({ status }, _upstream, call) => status === 503 && countFailure(call, 1) % 3 === 0,
    },
  }),
  'load-relay-closes-connections': honestRelay('Every connection is closed after its answer', {
    always: { answerHeaders: (usual) => ({ ...usual, Connection: 'close' }) },
  }),
} satisfies Record<string, RelayRow>;
