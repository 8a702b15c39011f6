/** The control: a request that is asked again until it shows that the target answers, or that it no longer does. */
import { pauseFor } from './pace.ts';

export interface UntilEnough<Answer> {
  /** Undefined if the run ended. `pause`: what was waited before; `left`: what may still be waited, both in milliseconds. */
  readonly ask: (turn: { readonly pause: number; readonly left: number }) => Promise<Answer | undefined>;
  readonly isEnough: (answer: Answer) => boolean;
  /** Milliseconds before the next time; undefined if there is no point in one. Default: none. */
  readonly pauseAfter?: (times: number, last: Answer) => number | undefined;
  /** Times, and milliseconds for all of them together. Default: no limit. */
  readonly most?: number;
  readonly longest?: number;
  readonly signal: AbortSignal;
}

/** Asks at least once. `after`: milliseconds. */
export async function askUntil<Answer>(asking: UntilEnough<Answer>) {
  const { ask, isEnough, pauseAfter = () => 0, most = Infinity, longest = Infinity, signal } = asking;
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  const found = (isDone: boolean, last?: Answer) => ({
    isEnough: isDone,
    after: Math.round(elapsed()),
    ...(last !== undefined && { last }),
  });
  let last: Answer | undefined;
  let pause = 0;
  for (let times = 1; ; times += 1) {
    const asked = await ask({ pause, left: longest - elapsed() });
    if (asked === undefined) return found(false, last);
    last = asked;
    if (isEnough(asked)) return found(true, last);
    const next = times < most && elapsed() < longest ? pauseAfter(times, asked) : undefined;
    if (next === undefined || signal.aborted) return found(false, last);
    pause = next;
    await pauseFor(pause, signal);
  }
}
