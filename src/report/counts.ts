/** Counts verdicts, picks the worst, and says how rare a fault so many answers would have shown. */
import { countAnswersNeeded } from '../plan/plan.ts';
import { VERDICTS, type VerdictName } from '../verdict/verdict.ts';
import type { Counts } from './report.ts';

export function countVerdicts(verdicts: readonly VerdictName[]): Counts {
  const counts = Object.fromEntries(VERDICTS.map((name) => [name, 0])) as Record<VerdictName, number>;
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}

/** The first in the order of `VERDICTS`; undefined for an empty list. */
export function worstVerdict(verdicts: readonly VerdictName[]): VerdictName | undefined {
  return VERDICTS.find((name) => verdicts.includes(name));
}

/** Groups are in order of first occurrence. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    group.push(item);
    groups.set(keyOf(item), group);
  }
  return groups;
}

/** N of the rarest fault, in one of N answers, that this many would have shown. A single one shows only constant faults. */
export function rarestSeen(answers: number): number {
  let oneIn = 1;
  while (countAnswersNeeded(oneIn + 1) <= answers) oneIn += 1;
  return oneIn;
}
