/** Waits for a target that is still starting, as in CI. */
import { pauseFor } from '../attempts/pace.ts';
import type { BoundRequest } from '../traffic.ts';
import type { Transport } from '../transport/transport.ts';

/** Milliseconds between attempts. */
const INTERVAL = 500;

/** Returns when the list answers below 500 or the time is up; the run then starts either way. */
export async function waitUntilReady(
  transport: Transport,
  list: BoundRequest,
  most: number,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + most;
  while (performance.now() < until && !signal.aborted) {
    const { outcome } = await transport.send(list, { fresh: true, signal });
    if (outcome.kind === 'answer' && outcome.answer.status < 500) return;
    await pauseFor(Math.min(INTERVAL, until - performance.now()), signal);
  }
}
