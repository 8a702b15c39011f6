/** What a case says by its title is its first expectation: the sign beside the title is not that of another clause. */
import type { CaseReport } from '../report/report.ts';
import type { VerdictName } from './fold.ts';
import { inert } from '../text/inert.ts';

export interface OwnVerdict {
  readonly verdict: VerdictName;
  /** `observed, not judged; counts as pass by errors.no-server-error`, if it is not the verdict that counts. */
  readonly remark?: string;
}

/** A case counts as passed if any of its clauses held, even if its own was only observed, or skipped. */
export function ownVerdict({ verdict, expectations }: Pick<CaseReport, 'verdict' | 'expectations'>): OwnVerdict {
  const [own] = expectations;
  const held = expectations.find((each) => each.verdict === 'pass');
  if (verdict !== 'pass' || !own || !held || own === held) return { verdict };
  return {
    verdict: own.verdict,
    remark: `${own.verdict}, not judged; counts as pass by ${inert(held.clause, 120)}`,
  };
}
