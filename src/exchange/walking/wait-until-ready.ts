/** Waits for a target that is still starting, before anything is asked. */
import { pauseFor } from '../attempts/pace.ts';
import type { Ending } from '../ending.ts';
import type { Attempt, Failure } from '../exchange.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import type { Transport } from '../transport/transport.ts';

/** Milliseconds. `why`: the status of the last answer, `TIMEOUT` if none came in time, or the code of the system. */
export interface Wait {
  readonly elapsed: number;
  readonly most: number;
  readonly why: number | string;
}

interface Waiting {
  /** Milliseconds. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** Milliseconds between attempts. */
const INTERVAL = 500;

const NOT_READY: Failure = {
  kind: 'timeout',
  limit: 'wait-for',
  code: 'TIMEOUT',
  detail: 'connected, but no answer within the time limit',
};

/**
 * Waits for a target that is still starting, as in CI, until the list answers below 500 or the time is up. The run then
 * starts either way, unless the target accepted every connection and answered nothing: to wait for all its time limits as
 * well would show no more, so the returned ending is that of the run.
 */
export async function waitUntilReady(
  transport: Transport,
  list: FilledRequest,
  { most, signal, onWait }: Waiting,
): Promise<Ending | undefined> {
  const began = performance.now();
  const until = began + most;
  let hangs = false;
  let isHeard = false;
  while (performance.now() < until && !signal.aborted) {
    // Held: Node may collect a timeout of which only `AbortSignal.any` knows, and it never fires.
    const time = AbortSignal.timeout(Math.ceil(until - performance.now()));
    const sent = await transport.send(list, { fresh: true, signal: AbortSignal.any([time, signal]) });
    const { outcome, connection } = sent;
    if (outcome.kind === 'answer' && outcome.answer.status < 500) return undefined;
    const wasLate = isLate(outcome, time);
    isHeard ||= !wasLate;
    hangs ||= wasLate && connection !== undefined;
    const why = outcome.kind === 'answer' ? outcome.answer.status : time.aborted ? 'TIMEOUT' : outcome.failure.code;
    onWait?.({ elapsed: performance.now() - began, most, why });
    await pauseFor(Math.min(INTERVAL, until - performance.now()), signal);
  }
  return hangs && !isHeard && !signal.aborted
    ? { kind: 'unreachable', failure: NOT_READY, most, waited: true }
    : undefined;
}

function isLate(outcome: Attempt['outcome'], time: AbortSignal): boolean {
  return outcome.kind === 'none' && (time.aborted || outcome.failure.kind === 'timeout');
}
