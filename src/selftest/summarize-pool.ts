/** The result of the self-test on pools, in a few lines. */
import { count } from '../text/layout.ts';
import type { PoolTrial } from './try-pool.ts';

/** Share of the must faults that has to be found at the rate that `--detect` names. */
export const LEAST_FOUND = 0.95;

export interface PoolSummary {
  readonly faults: number;
  readonly found: number;
  readonly variants: number;
  readonly leftAlone: number;
  /** The most that one run needed. */
  readonly requests: number;
  readonly completions: number;
}

export function summarizePool(trials: readonly PoolTrial[]): PoolSummary {
  const faults = trials.filter(({ subject, hasPassed }) => subject.kind === 'fault' && !hasPassed);
  const variants = trials.filter(({ subject }) => subject.kind === 'variant');
  const isRight = (trial: PoolTrial): boolean => trial.isRight;
  return {
    faults: faults.length,
    found: faults.filter(isRight).length,
    variants: variants.length,
    leftAlone: variants.filter(isRight).length,
    requests: Math.max(0, ...trials.map(({ used }) => used.requests)),
    completions: Math.max(0, ...trials.map(({ used }) => used.completions)),
  };
}

export function isPoolPassed({ faults, found, variants, leftAlone }: PoolSummary): boolean {
  return found >= LEAST_FOUND * faults && leftAlone === variants;
}

export function formatPool(seed: number, { faults, found, variants, leftAlone, ...cost }: PoolSummary): string {
  const most = `${count(cost.requests, 'request')} and ${count(cost.completions, 'completion')}`;
  return `seed ${seed}: must faults found ${found}/${faults} · variants left alone ${leftAlone}/${variants} · at most ${most} a run`;
}

export function formatPoolTrial({ subject, seed, isRight, hasPassed, wrong }: PoolTrial): string {
  if (isRight || hasPassed) return '';
  const what = subject.kind === 'fault' ? 'not found' : `${wrong.join(', ')} reported as broken, but not broken`;
  return `${subject.kind} ${subject.id} (seed ${seed}): ${what}\n`;
}
