/** The stages of a run and their times. Pure. */

/** One number of calls in flight, held for a while. Times are milliseconds. */
export interface StagePlan {
  readonly phase: 'ramp' | 'burst' | 'halving' | 'during';
  readonly inFlight: number;
  /** It sends for this long, and up to `most` while a kind of call has too few answers. */
  readonly least: number;
  readonly most: number;
  /** Calls that it may start; absent: no limit but time. */
  readonly mostCalls?: number;
}

export interface RampOptions {
  readonly concurrency: number;
  /** Of the whole ramp. */
  readonly duration: number;
  /** Calls in flight of each stage; empty: powers of four up to `concurrency`. */
  readonly stages: readonly number[];
  /** Calls of the whole run, if their number is limited. */
  readonly mostCalls?: number | undefined;
}

/** Nothing is sent for so long before the burst: longer than the 5 s after which servers close idle connections. */
export const PAUSE = 7_000;
/** The burst sends for this long. */
const BURST = 3_000;
/** Answers of each kind for which a stage takes longer than its share. */
export const ENOUGH_ANSWERS = 600;
const LONGEST = 2;
/** Shares of a limited number of calls. The rest is for controls. */
const RAMP_CALLS = 0.8;
const BURST_CALLS = 0.1;

/** 1, 4, 16, 64 for 64; 1, 4, 10 for 10. */
export function defaultStages(concurrency: number): readonly number[] {
  const stages: number[] = [];
  for (let inFlight = 1; inFlight < concurrency; inFlight *= 4) stages.push(inFlight);
  return [...stages, concurrency];
}

/** Stage 1 is always there: it is the control. The highest stage gets half of the time. */
export function planRamp({ concurrency, duration, stages, mostCalls }: RampOptions): readonly StagePlan[] {
  const asked = stages.length > 0 ? stages : defaultStages(concurrency);
  const rising = [...new Set([1, ...asked])].toSorted((a, b) => a - b);
  const others = rising.length - 1;
  return rising.map((inFlight, place) => {
    const share = others === 0 ? 1 : place === others ? 1 / 2 : 1 / 2 / others;
    const least = Math.round(duration * share);
    const calls = mostCalls === undefined ? {} : { mostCalls: Math.max(1, Math.floor(mostCalls * RAMP_CALLS * share)) };
    return { phase: 'ramp', inFlight, least, most: least * LONGEST, ...calls };
  });
}

/** As many calls at once as the highest stage that was reached. */
export function planBurst(
  inFlight: number,
  { duration, mostCalls }: Pick<RampOptions, 'duration' | 'mostCalls'>,
): StagePlan {
  const least = Math.min(BURST, duration);
  const calls = mostCalls === undefined ? {} : { mostCalls: Math.max(1, Math.floor(mostCalls * BURST_CALLS)) };
  return { phase: 'burst', inFlight, least, most: least, ...calls };
}

/** More than half was rejected, failed or not answered: the ramp goes no higher. */
export function isTooMuch(calls: number, answered: number): boolean {
  return calls > 0 && answered < calls / 2;
}
