/** Relays with two upstreams: some make a failure of one worse, and others fail over in ways that are unusual and legal. */
import type { UpstreamName } from '../../src/exchange/identity.ts';
import {
  type ClientCall,
  type FaultyRelay,
  faultyRelay,
  legalRelay,
  type LegalRelay,
  type RelayModifier,
  type UpstreamFailure,
} from './relay-modifier.ts';
import { choicesIn, textOf, withReplyText } from './rewrite.ts';
import { errorAnswer, jsonAnswer } from './small-relay.ts';

/** Milliseconds after which they give up an upstream that is silent. */
export const UPSTREAM_TIMEOUT = 400;

const REFUSED = 400;

/** Calls the first upstream, then the second unless the request itself was refused. */
const USUAL = {
  two: true,
  upstreamTimeout: UPSTREAM_TIMEOUT,
  turns: () => ['primary', 'fallback'],
  takesNext: ({ status }) => status !== REFUSED,
} satisfies Partial<LegalRelay>;

function faulty(title: string, breaks: string | readonly string[], parts: Partial<FaultyRelay>): FaultyRelay {
  return faultyRelay(title, breaks, { ...USUAL, ...parts });
}

function legal(title: string, parts: Partial<LegalRelay>): LegalRelay {
  return legalRelay(title, { ...USUAL, ...parts });
}

/** Never takes the next turn after this failure. */
function stopsAt(is: (failure: UpstreamFailure, call: ClientCall) => boolean): Pick<RelayModifier, 'takesNext'> {
  return { takesNext: (failure, _upstream, call) => failure.status !== REFUSED && !is(failure, call) };
}

const stopsAtStatus = (status: number) => stopsAt((failure) => failure.status === status);

function times(count: number, upstream: UpstreamName): readonly UpstreamName[] {
  return Array.from({ length: count }, () => upstream);
}

/** Counts calls of the relay so far under a name. */
function countIn({ memory }: ClientCall, name: string, by = 1): number {
  const count = ((memory.get(name) as number | undefined) ?? 0) + by;
  memory.set(name, count);
  return count;
}

/** Leaves an upstream out for a while once it has failed. */
function leavesOut(time: number, isFailure: (failure: UpstreamFailure) => boolean): Partial<LegalRelay> {
  const isOut = ({ memory }: ClientCall, upstream: UpstreamName): boolean =>
    ((memory.get(upstream) as number | undefined) ?? 0) > performance.now();
  return {
    turns: (call) => (['primary', 'fallback'] as const).filter((upstream) => !isOut(call, upstream)),
    takesNext: (failure, upstream, { memory }) => {
      if (isFailure(failure)) memory.set(upstream, performance.now() + time);
      return failure.status !== REFUSED;
    },
  };
}

const isOutage = ({ status = 503 }: UpstreamFailure): boolean => status >= 429;

const APOLOGY = jsonAnswer(200, {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Please try again later.' }, finish_reason: 'stop' }],
});

const halve = (text: string): string => text.slice(0, text.length >> 1);

export const FAILOVER_RELAYS = {
  'failover-not-after-429': faulty('A 429 is passed on', 'fallback-answers', stopsAtStatus(429)),
  'failover-not-after-500': faulty('A 500 is passed on', 'fallback-answers', stopsAtStatus(500)),
  'failover-not-after-502': faulty('A 502 is passed on', 'fallback-answers', stopsAtStatus(502)),
  'failover-not-after-503': faulty('A 503 is passed on', 'fallback-answers', stopsAtStatus(503)),
  'failover-not-after-529': faulty('An unusual status is passed on', 'fallback-answers', stopsAtStatus(529)),
  'failover-not-after-wait': faulty(
    'A failure with Retry-After is passed on',
    'fallback-answers',
    stopsAt(({ headers }) => headers['retry-after'] !== undefined),
  ),
  'failover-not-after-lost-connections': faulty(
    'A lost connection is told as an error',
    'fallback-answers',
    stopsAt(({ status }) => status === undefined),
  ),
  'failover-not-for-streams': faulty(
    'Only plain calls reach the second upstream',
    'fallback-answers',
    stopsAt((_failure, { isStream }) => isStream),
  ),
  'failover-gives-up': faulty('After ten failures in all nothing is called again', 'fallback-answers', {
    only: ['plain', 'failover-outage'],
    takesNext: (_failure, _upstream, call) => countIn(call, 'failures') <= 10,
  }),
  'failover-few-at-once': faulty('Only four calls at once may fail over', 'fallback-answers', {
    only: ['plain', 'failover-surge'],
    admit: (call) => {
      countIn(call, 'open');
      return Promise.resolve(() => void countIn(call, 'open', -1));
    },
    takesNext: (_failure, _upstream, call) => countIn(call, 'open', 0) <= 4,
  }),
  'failover-storm': faulty('The first upstream is called 20 times', 'fallback-calls', {
    turns: () => [...times(20, 'primary'), 'fallback'],
    only: ['plain', 'stream', 'failover-503*', 'failover-refused'],
  }),
  'failover-storm-at-once': faulty('Each call in flight adds another try', 'fallback-calls', {
    only: ['plain', 'failover-surge'],
    admit: (call) => {
      countIn(call, 'open');
      return Promise.resolve(() => void countIn(call, 'open', -1));
    },
    turns: (call) => [...times(countIn(call, 'open', 0), 'primary'), 'fallback'],
  }),
  'failover-storm-of-both': faulty('Both upstreams are called in turn, eight times each', 'fallback-calls', {
    only: ['plain', 'failover-both*'],
    turns: () => times(8, 'primary').flatMap((upstream) => [upstream, 'fallback' as const]),
  }),
  'failover-joins': faulty(
    'The reply of the second upstream follows the text of the first',
    ['fallback-joined', 'second-call'],
    { retriesAfterOutput: 'passed-on', again: 'fallback' },
  ),
  'failover-repeats': faulty(
    'A stream that breaks off starts over at the same upstream',
    ['fallback-joined', 'second-call'],
    { only: ['plain', 'stream', 'failover-500', 'failover-cut', 'failover-end'], retriesAfterOutput: 'passed-on' },
  ),
  'failover-calls-after-output': faulty(
    'The second upstream is called after output, and its reply is dropped',
    'second-call',
    { retriesAfterOutput: 'unused', again: 'fallback' },
  ),
  'failover-half-a-continuation': faulty(
    'The second upstream gets a text that the client never had',
    ['fallback-joined', 'second-call'],
    {
      only: ['plain', 'stream', 'failover-cut'],
      retriesAfterOutput: 'passed-on',
      again: 'fallback',
      continues: (sent) => sent.toUpperCase(),
    },
  ),
  'failover-hides-a-break': faulty('A stream that breaks off ends with stop', 'mid-stream-failure', {
    midStream: 'proper-end',
  }),
  'failover-truncates': faulty('Half of the text of the second upstream is lost', 'fallback-whole', {
    replyFrom: (upstream, reply) => (upstream === 'fallback' ? withReplyText(halve)(reply) : reply),
  }),
  'failover-alters': faulty('The second upstream is quoted', 'fallback-whole', {
    replyFrom: (upstream, reply) =>
      upstream === 'fallback' ? withReplyText((text) => `The fallback says: ${text}`)(reply) : reply,
  }),
  'failover-empties': faulty('A reply of the second upstream has no choices', 'failure-known', {
    replyFrom: (upstream, reply) => (upstream === 'fallback' ? { ...reply, choices: [] } : reply),
  }),
  'failover-apologizes': faulty('If both upstreams are down, an apology is the reply', 'failure-known', {
    failure: ({ status = 0 }, { isStream }, usual) => (status >= 500 && !isStream ? APOLOGY : usual),
  }),
  'failover-html': faulty('If both upstreams are down, the error is a page', 'failure-form', {
    only: ['plain', 'failover-both'],
    failure: (_failure, _call, usual) => ({ ...usual, headers: { 'Content-Type': 'text/html' }, body: '<h1>Oh</h1>' }),
  }),
  'failover-blames': faulty('If both upstreams are down, the request is blamed', 'failure-blame', {
    only: ['plain', 'failover-both'],
    failure: () => errorAnswer(400, 'invalid_request', 'No provider took the request.'),
  }),
  'failover-adds-counts': faulty('Token counts add up over both upstreams', 'usage', {
    replyFrom: (upstream, reply) =>
      upstream === 'fallback'
        ? { ...reply, usage: { prompt_tokens: 55, completion_tokens: 68, total_tokens: 123 } }
        : reply,
  }),
  'failover-loses-counts': faulty('Replies of the second upstream have no token counts', 'usage', {
    replyFrom: (upstream, { usage, ...reply }) => (upstream === 'fallback' ? reply : { ...reply, usage }),
  }),
  'failover-punishes-all': faulty('A 400 takes an upstream out for everyone', 'fallback-others', {
    only: ['plain', 'stream', 'failover-500', 'failover-bad-request*'],
    ...leavesOut(2_000, () => true),
  }),
  'failover-locks-all': faulty('Three requests that are refused stop the relay for a second', 'fallback-others', {
    only: ['plain', 'failover-500', 'failover-bad-request'],
    shortcut: ({ memory }) =>
      ((memory.get('until') as number | undefined) ?? 0) > performance.now()
        ? errorAnswer(503, 'no_upstream', 'No upstream is well.')
        : undefined,
    takesNext: ({ status }, _upstream, call) => {
      if (status === REFUSED && countIn(call, 'refused') % 3 === 0) call.memory.set('until', performance.now() + 1_000);
      return status !== REFUSED;
    },
  }),
  'failover-mixes': faulty('Calls that fail over at the same time get the same reply', 'own-reply', {
    only: ['plain', 'failover-surge'],
    reply: (reply, { memory }) => {
      const last = memory.get('last') ?? reply;
      memory.set('last', textOf(choicesIn(reply)[0] ?? {}).startsWith('Another') ? last : reply);
      return last as typeof reply;
    },
  }),
  'failover-wrong-model': faulty('The second upstream is asked for the model of the first', 'model', {
    only: ['plain', 'failover-500', 'failover-model'],
    fallbackModel: 'provider/second',
  }),
} satisfies Record<string, FaultyRelay>;

export const LEGAL_FAILOVERS = {
  'failover-first-then-second': legal('The first upstream is always called first', {}),
  'failover-other-order': legal('The second upstream is always called first', {
    turns: () => ['fallback', 'primary'],
  }),
  'failover-in-turn': legal('Calls go to both upstreams in turn', {
    turns: (call) => (countIn(call, 'calls') % 2 === 0 ? ['primary', 'fallback'] : ['fallback', 'primary']),
  }),
  'failover-by-weight': legal('One call of four goes to the second upstream first', {
    turns: (call) => (countIn(call, 'calls') % 4 === 0 ? ['fallback', 'primary'] : ['primary', 'fallback']),
  }),
  'failover-hedged': legal('The second upstream is called if the first takes longer', {
    hedge: 100,
  }),
  'failover-one-retry': legal('The first upstream is called twice before the second', {
    turns: () => ['primary', 'primary', 'fallback'],
  }),
  'failover-many-tries': legal('Both upstreams are called five times', {
    turns: () => [...times(5, 'primary'), ...times(5, 'fallback')],
    upstreamTimeout: UPSTREAM_TIMEOUT / 4,
  }),
  'failover-return-by-hand': legal('Once it has failed, the first upstream is not called again', {
    ...leavesOut(Infinity, isOutage),
    turns: ({ memory }) => (memory.has('primary') ? ['fallback'] : ['primary', 'fallback']),
  }),
  'failover-cools-down': legal('An upstream that failed is left out for half a second', leavesOut(500, isOutage)),
  'failover-swaps': legal('An upstream that failed is called second from then on', {
    turns: ({ memory }) => (memory.has('swapped') ? ['fallback', 'primary'] : ['primary', 'fallback']),
    takesNext: ({ status }, upstream, { memory }) => {
      if (status === REFUSED) return false;
      if (upstream === 'primary') memory.set('swapped', true);
      else memory.delete('swapped');
      return true;
    },
  }),
  'failover-tries-refused-elsewhere': legal('A request that one upstream refuses is tried at the other', {
    takesNext: () => true,
  }),
  'failover-continues': legal('The second upstream goes on from the text of the first', {
    retriesAfterOutput: 'passed-on',
    again: 'fallback',
    continues: (sent) => sent,
  }),
  'failover-whole-first': legal('Streams are read whole before they are passed on', { upstreamMode: 'plain' }),
  'failover-none': legal('The second upstream is never called', { turns: () => ['primary'] }),
} satisfies Record<string, LegalRelay>;
