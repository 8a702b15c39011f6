/** Relays that hide or worsen failures of their upstream, or have no patience with it. */
import {
  type ClientCall,
  type FaultyRelay,
  faultyRelay,
  type FrontAnswer,
  type JsonMap,
  type UpstreamFailure,
} from './relay-modifier.ts';
import { errorAnswer, jsonAnswer } from './small-relay.ts';

const APOLOGY = 'Sorry, I have no answer.';

function replyOf(content: string): FrontAnswer {
  return jsonAnswer(200, { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] });
}

function streamOf(...events: readonly object[]): FrontAnswer {
  const body = [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body };
}

function isErrorIn200({ status, body }: UpstreamFailure): boolean {
  return status === 200 && body.includes('"error"');
}

const STREAMED_APOLOGY = streamOf(
  { choices: [{ index: 0, delta: { role: 'assistant', content: APOLOGY }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
);

export const FAILURE_RELAYS = {
  'relay-apologizes': faultyRelay('A failure of the upstream becomes an apology', ['failure-known'], {
    failure: (_failure, { isStream }) => (isStream ? STREAMED_APOLOGY : replyOf(APOLOGY)),
  }),
  'relay-error-text-as-reply': faultyRelay(
    'The error message of the upstream becomes the reply, with the key that it quotes',
    ['failure-known', 'upstream-key'],
    {
      failure: ({ status, body }, { isStream }, usual) =>
        status !== undefined && status >= 400 && !isStream ? replyOf(body) : usual,
    },
  ),
  'relay-empty-200': faultyRelay('A server error of the upstream becomes an empty 200', 'failure-known', {
    failure: ({ status = 0 }, _call, usual) =>
      status >= 500 ? { status: 200, headers: { 'Content-Type': 'application/json' }, body: '' } : usual,
  }),
  'relay-no-choices': faultyRelay('A failure of the upstream becomes a reply without choices', 'failure-known', {
    failure: () => jsonAnswer(200, { object: 'chat.completion', choices: [] }),
  }),
  'relay-rate-limit-as-text': faultyRelay('A 429 of the upstream becomes text', ['failure-known'], {
    failure: ({ status }, { isStream }, usual) => (status === 429 && !isStream ? replyOf('Please slow down.') : usual),
  }),
  'relay-hides-streamed-failures': faultyRelay('A stream of a failing upstream is empty', 'failure-known', {
    failure: (_failure, { isStream }, usual) => (isStream ? streamOf() : usual),
  }),
  'relay-streams-errors-as-nothing': faultyRelay(
    'A stream whose upstream answers 200 with an error in JSON is empty',
    'failure-known',
    { failure: (failure, { isStream }, usual) => (isStream && isErrorIn200(failure) ? streamOf() : usual) },
  ),
  'relay-passes-streamed-errors-on': faultyRelay(
    'A 200 of the upstream with an error in JSON stays one, in answer to a stream too',
    ['failure-form'],
    {
      failure: (failure, _call, usual) =>
        isErrorIn200(failure) ? { ...usual, status: 200, body: failure.body } : usual,
    },
  ),
  'relay-hides-lost-connections': faultyRelay(
    'A lost connection to the upstream becomes an empty reply',
    'failure-known',
    { failure: ({ status }, { isStream }, usual) => (status === undefined && !isStream ? replyOf('') : usual) },
  ),
  'relay-hangs-after-failures': faultyRelay('A call whose upstream failed is never answered', 'failure-answered', {
    only: ['plain', 'fail-500'],
    failure: () => 'hang',
  }),
  'relay-dies-of-a-reset': faultyRelay('After a lost connection to the upstream every call gets 500', 'recovery', {
    only: ['plain', 'fail-500', 'fail-reset', 'recovery'],
    shortcut: ({ memory }) => (memory.has('dead') ? errorAnswer(500, 'no_client', 'The client is closed.') : undefined),
    failure({ status }, { memory }, usual) {
      if (status === undefined) memory.set('dead', true);
      return usual;
    },
  }),
  // The next call is a control, which no case asks.
  'relay-mixes-after-failures': faultyRelay(
    'After a failed upstream call, the next plain call gets an earlier reply',
    'own-reply',
    {
      only: ['plain', 'fail-500', 'fail-503', 'every-reply'],
      reply(reply, { memory }) {
        const earlier = memory.get('earlier') ?? reply;
        memory.set('earlier', reply);
        return (memory.delete('failed') ? earlier : reply) as JsonMap;
      },
      failure(_failure, { memory }, usual) {
        memory.set('failed', true);
        return usual;
      },
    },
  ),
  'relay-html-errors': faultyRelay('Failures are told as HTML', ['failure-form'], {
    failure: ({ headers }, _call, { status }) => ({
      status,
      headers: {
        'Content-Type': 'text/html',
        ...(headers['retry-after'] && { 'Retry-After': headers['retry-after'] }),
      },
      body: `<h1>${status}</h1>`,
    }),
  }),
  'relay-error-string': faultyRelay('The error of a failure is a string', 'failure-form', {
    failure: (_failure, _call, usual) => ({ ...usual, body: JSON.stringify({ error: 'The upstream failed.' }) }),
  }),
  'relay-error-code-number': faultyRelay('The error code of a failure is a number', 'failure-form', {
    failure: (_failure, _call, usual) => ({
      ...usual,
      body: JSON.stringify({ error: { message: 'Failed.', type: 'error', code: usual.status } }),
    }),
  }),
  'relay-error-without-body': faultyRelay(
    'A lost connection to the upstream becomes a 502 without a body',
    'failure-form',
    { failure: ({ status }, _call, usual) => (status === undefined ? { ...usual, body: '' } : usual) },
  ),
  'relay-closes-on-failures': faultyRelay(
    'A call whose upstream was lost is closed without an answer',
    'failure-form',
    { failure: ({ status }, _call, usual) => (status === undefined ? 'close' : usual) },
  ),
  'relay-error-in-200': faultyRelay('Failures are told with status 200', ['failure-form'], {
    failure: (_failure, { isStream }, usual) => (isStream ? usual : { ...usual, status: 200 }),
  }),
  'relay-drops-retry-after': faultyRelay('Retry-After is lost', 'retry-after', {
    failure: (_failure, _call, { status }) => errorAnswer(status, 'upstream_failed', 'The upstream failed.'),
  }),
  'relay-shortens-retry-after': faultyRelay('Retry-After is always 0', 'retry-after', {
    failure: (_failure, _call, usual) =>
      'Retry-After' in usual.headers ? { ...usual, headers: { ...usual.headers, 'Retry-After': '0' } } : usual,
  }),
  'relay-failures-as-400': faultyRelay('Server errors of the upstream become a 400', 'failure-blame', {
    failure: ({ status = 500 }, _call, usual) => (status >= 500 ? { ...usual, status: 400 } : usual),
  }),
  'relay-passes-401-on': faultyRelay('A 401 of the upstream becomes a 401', 'failure-blame', {
    failure: ({ status }, _call, usual) => (status === 401 ? { ...usual, status: 401 } : usual),
  }),
  'relay-passes-empty-errors-on': faultyRelay(
    'An error of the upstream without a body stays without one',
    'failure-form',
    { failure: ({ status = 0, body }, _call, usual) => (status >= 400 && body === '' ? { ...usual, body } : usual) },
  ),
  'relay-closes-broken-streams': faultyRelay('A stream that broke off just closes', 'mid-stream-failure', {
    midStream: 'close',
  }),
  'relay-launders-broken-streams': faultyRelay(
    'A stream that broke off ends in stop and [DONE]',
    ['mid-stream-failure', 'failure-known'],
    { midStream: 'proper-end' },
  ),
  'relay-trusts-close': faultyRelay(
    'A stream that closes early ends in [DONE]',
    ['mid-stream-failure', 'failure-known'],
    { trustsClose: true },
  ),
  'relay-ignores-error-events': faultyRelay(
    'An error in a stream is passed over, and the stream ends in [DONE]',
    ['mid-stream-failure', 'failure-known'],
    {
      ignoresErrorEvents: true,
      trustsClose: true,
      only: ['plain', 'stream', 'break-error-event', 'break-named-error', 'fail-error-event-first'],
    },
  ),
  'relay-failure-in-text': faultyRelay(
    'A failure mid-stream becomes part of the text',
    ['mid-stream-failure', 'failure-known', 'text'],
    { midStream: 'error-text' },
  ),
  'relay-hangs-in-mid-stream': faultyRelay('A stream whose upstream broke off never ends', 'mid-stream-failure', {
    only: ['stream', 'break-cut'],
    midStream: 'hang',
  }),
  'relay-hides-stalls': faultyRelay(
    'A stream that stalls for 3 s ends in stop and [DONE]',
    ['mid-stream-failure', 'failure-known'],
    { upstreamTimeout: 3_000, midStream: 'proper-end', only: ['plain', 'stream', 'stall-*', 'fail-cut-before-text'] },
  ),
  'relay-calls-again-after-output': faultyRelay(
    'A broken stream goes on with a second call',
    ['mid-stream-failure', 'second-call', 'text'],
    { retriesAfterOutput: 'passed-on', only: ['plain', 'stream', 'break-once'] },
  ),
  'relay-wastes-second-call': faultyRelay(
    'A broken stream is called for again, though its failure is told',
    'second-call',
    { retriesAfterOutput: 'unused', only: ['plain', 'stream', 'break-cut', 'break-reset'] },
  ),
} satisfies Record<string, FaultyRelay>;

/** Milliseconds. */
const SHORT_PAUSE = 80;
const LONG_PAUSE = 250;

/** A 502 for a call after a pause of this many milliseconds. */
const failAfter =
  (pause: number) =>
  ({ memory, isStream }: ClientCall): FrontAnswer | undefined => {
    const last = (memory.get('last') as number | undefined) ?? Number.POSITIVE_INFINITY;
    if (isStream) return undefined;
    memory.set('last', performance.now());
    return performance.now() - last > pause ? errorAnswer(502, 'stale', 'The connection was closed.') : undefined;
  };

const only = ['plain', 'stream', 'silence-*', 'idle'];

export const PATIENCE_RELAYS = {
  'relay-launders-silence': faultyRelay('A stream that is silent ends in stop and [DONE]', 'text', {
    patient: true,
    only,
    upstreamTimeout: 500,
    midStream: 'proper-end',
  }),
  'relay-closes-silent-streams': faultyRelay('A stream that is silent just closes', 'mid-stream-failure', {
    patient: true,
    only,
    upstreamTimeout: 500,
    midStream: 'close',
  }),
  'relay-stale-connections': faultyRelay('A call after any pause gets 502', 'after-pauses', {
    patient: true,
    only,
    shortcut: failAfter(SHORT_PAUSE),
  }),
  'relay-stale-after-long-pauses': faultyRelay('A call after a long pause gets 502', 'after-pause', {
    patient: true,
    only,
    shortcut: failAfter(LONG_PAUSE),
  }),
} satisfies Record<string, FaultyRelay>;
