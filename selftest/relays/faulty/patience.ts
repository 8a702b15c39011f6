/** Relays that lose patience, or connections. The pauses are a fiftieth of those of a run. */
import { type ClientCall, type FaultyRelay, faultyRelay, type FrontAnswer } from '../relay-modifier.ts';
import { errorAnswer } from '../small-relay.ts';

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
