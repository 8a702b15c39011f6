/** The result of the self-test on pools, in a few lines. */
import { count } from '../src/text/layout.ts';
import type { PoolTrial } from './try-pool.ts';

/** Share of the must faults that has to be found at the rate that `--detect` names. */
const LEAST_FOUND = 0.95;

export interface PoolSummary {
  readonly faults: number;
  readonly found: number;
  /** Not counted: a 5xx that a retry replaced. */
  readonly passed: readonly string[];
  readonly variants: number;
  readonly leftAlone: number;
  /** The most that one run needed. */
  readonly requests: number;
  readonly completions: number;
}

export function summarizePool(trials: readonly PoolTrial[]): PoolSummary {
  const all = trials.filter(({ subject }) => subject.kind === 'fault');
  const faults = all.filter(({ hasPassed }) => !hasPassed);
  const variants = trials.filter(({ subject }) => subject.kind === 'variant');
  const isRight = (trial: PoolTrial): boolean => trial.isRight;
  return {
    faults: faults.length,
    found: faults.filter(isRight).length,
    passed: all.flatMap(({ subject, hasPassed }) => (hasPassed ? subject.id : [])),
    variants: variants.length,
    leftAlone: variants.filter(isRight).length,
    requests: Math.max(0, ...trials.map(({ used }) => used.requests)),
    completions: Math.max(0, ...trials.map(({ used }) => used.completions)),
  };
}

export function isPoolPassed({ faults, found, variants, leftAlone }: PoolSummary): boolean {
  return found >= leastFound(faults) && leftAlone === variants;
}

/** One draw in this many may find fewer by chance. The seed is fixed, so a result changes only when the requests do. */
const ONE_IN = 20;

/** The fewest that are still likely at the share that has to be found: which replica answers is drawn. */
export function leastFound(faults: number): number {
  let missed = 0;
  let chance = LEAST_FOUND ** faults;
  for (let sum = chance; 1 - sum > 1 / ONE_IN; sum += chance) {
    chance *= ((faults - missed) / (missed + 1)) * (1 / LEAST_FOUND - 1);
    missed += 1;
  }
  return faults - missed;
}

export function formatPool(seed: number, summary: PoolSummary): string {
  const { faults, found, passed, variants, leftAlone, requests, completions } = summary;
  const parts = [
    `must faults found ${found}/${faults}`,
    `variants left alone ${leftAlone}/${variants}`,
    `at most ${count(requests, 'request')} and ${count(completions, 'completion')} a run`,
  ];
  const left = passed.length === 0 ? '' : `\n  not counted (a retry replaced a 5xx): ${listNames(passed)}`;
  return `seed ${seed}: ${parts.join(' · ')}${left}\n`;
}

function listNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : `${names.join(', ')} (${names.length})`;
}

/** What there is to look at; empty if all went as expected. */
export function formatPoolTrial({ subject, seed, isRight, hasPassed, others }: PoolTrial): string {
  const problems = [
    ...(subject.kind === 'variant' || isRight || hasPassed ? [] : ['not found']),
    ...(others.length === 0
      ? []
      : [`${subject.kind === 'variant' ? '' : 'also '}reported as broken: ${others.join(', ')}`]),
  ];
  return problems.map((problem) => `${subject.kind} ${subject.id} (seed ${seed}): ${problem}\n`).join('');
}
