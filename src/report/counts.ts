/** Counts verdicts, says what one of them counts as, and how rare a fault so many answers would have shown. */
import { countAnswersNeeded } from '../plan/plan.ts';
import { type Verdict, VERDICTS, type VerdictName } from '../verdict/verdict.ts';
import type { CaseReport, ClauseReport, Counts, Report } from './report.ts';

export function countVerdicts(verdicts: readonly VerdictName[]): Counts {
  const counts = Object.fromEntries(VERDICTS.map((name) => [name, 0])) as Record<VerdictName, number>;
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}

/** Cases, clauses and expectations by verdict, and the cases of each suite. */
export function countReported(
  cases: readonly CaseReport[],
  clauses: readonly ClauseReport[],
): Pick<Report, 'counts' | 'areas'> {
  return {
    counts: {
      cases: countVerdicts(cases.map(({ verdict }) => verdict)),
      clauses: countVerdicts(clauses.flatMap(({ verdict }) => verdict ?? [])),
      expectations: countVerdicts(cases.flatMap(({ expectations }) => expectations.map(({ verdict }) => verdict))),
    },
    areas: [...groupBy(cases, ({ suite }) => suite)].map(([area, own]) => ({
      area,
      cases: countVerdicts(own.map(({ verdict }) => verdict)),
    })),
  };
}

/** The first in the order of `VERDICTS`; undefined for an empty list. */
export function worstVerdict(verdicts: readonly VerdictName[]): VerdictName | undefined {
  return VERDICTS.find((name) => verdicts.includes(name));
}

export function isBroken({ verdict }: Pick<Verdict, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** Neither flaky, nor intermittent, nor skipped, nor inconclusive. */
export function isSettled(judged: Pick<Verdict, 'verdict' | 'flaky' | 'intermittent'>): boolean {
  const { verdict, flaky, intermittent } = judged;
  return !flaky && !intermittent && verdict !== 'skipped' && verdict !== 'inconclusive';
}

/** Whether it fails the run. */
export function countsAsFailed(judged: Pick<Verdict, 'verdict'> & { readonly excused?: unknown }): boolean {
  return judged.verdict === 'fail' && judged.excused === undefined;
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
