/** Waits for a target that is still starting, before anything is asked. */
import { pauseFor } from '../attempts/pace.ts';
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

/** Waits for a target that is still starting, as in CI. Returns when the list answers below 500 or the time is up; the run then starts either way. */
export async function waitUntilReady(
  transport: Transport,
  list: FilledRequest,
  { most, signal, onWait }: Waiting,
): Promise<void> {
  const began = performance.now();
  const until = began + most;
  while (performance.now() < until && !signal.aborted) {
    // Held: Node may collect a timeout of which only `AbortSignal.any` knows, and it never fires.
    const time = AbortSignal.timeout(Math.ceil(until - performance.now()));
    const { outcome } = await transport.send(list, { fresh: true, signal: AbortSignal.any([time, signal]) });
    if (outcome.kind === 'answer' && outcome.answer.status < 500) return;
    const why = outcome.kind === 'answer' ? outcome.answer.status : time.aborted ? 'TIMEOUT' : outcome.failure.code;
    onWait?.({ elapsed: performance.now() - began, most, why });
    await pauseFor(Math.min(INTERVAL, until - performance.now()), signal);
  }
}
