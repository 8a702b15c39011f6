/** One expectation: one case, one clause. */
import type { Verdict } from '../../verdict/verdict.ts';

export interface CaseClause {
  readonly case: string;
  readonly clause: string;
}

export function keyOf(expected: CaseClause): string {
  return `${expected.case} ${expected.clause}`;
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
