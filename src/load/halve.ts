/** Looks for the smallest load that shows a fault, by halving between the last clean stage and the first broken one. */
import type { LoadCount } from '../report/load-report.ts';
import type { StagePlan } from './ramp.ts';

/** Milliseconds in all, and for one stage. */
const MOST_TIME = 20_000;
const STAGE_TIME = 2_500;
/** A fault in fewer answers would often not show in a short stage. */
const COMMON = 1 / 20;

export interface Halving {
  /** Counts after all stages so far. */
  readonly counts: () => readonly LoadCount[];
  readonly run: (plan: StagePlan) => Promise<void>;
  readonly isStopped: () => boolean;
}

export async function halve({ counts, run, isStopped }: Halving): Promise<void> {
  const began = performance.now();
  for (;;) {
    const gap = nextGap(counts());
    if (gap === undefined || isStopped() || performance.now() - began + STAGE_TIME > MOST_TIME) return;
    await run({ phase: 'halving', inFlight: gap, least: STAGE_TIME, most: STAGE_TIME });
  }
}

/**
 * In the middle of the widest gap of a common fault; undefined once every one is found exactly. Without a smaller number
 * that could have shown it, there is no gap.
 */
export function nextGap(counts: readonly LoadCount[]): number | undefined {
  const gaps = counts.flatMap(({ threshold }) => {
    if (!threshold) return [];
    const { seen, unseen, fewer = [] } = threshold;
    const below = [...(unseen ? [unseen] : []), ...fewer].map(({ inFlight }) => inFlight);
    const from = Math.max(...below);
    const isCommon = seen.broken > seen.judged * COMMON;
    return isCommon && below.length > 0 && seen.inFlight - from > 1 ? [{ from, to: seen.inFlight }] : [];
  });
  const [widest] = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  return widest && Math.floor((widest.from + widest.to) / 2);
}
