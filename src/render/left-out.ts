/** Expectations that could not be judged, and whether the exit code depends on them. */
import type { CaseReport, Report } from '../report/report.ts';
import { groupBy } from '../report/counts.ts';
import type { ExpectationReport } from './fold.ts';
import { inert } from '../text/inert.ts';
import { didNotApply, formatReason } from '../verdict/reason.ts';

/** An inconclusive must clause, or should clause with --strict, keeps a run from conforming. */
export function countsForExit({ level }: ExpectationReport, { strict }: Report): boolean {
  return level === 'must' || (strict && level === 'should');
}

export function inconclusiveThatCount(report: Report, one: CaseReport): readonly ExpectationReport[] {
  return one.expectations.filter((each) => each.verdict === 'inconclusive' && countsForExit(each, report));
}

const MAX_REASON_LENGTH = 400;

/** One line: the reason and the remedy. */
export function reasonLine({ reason }: ExpectationReport): string {
  return reason ? inert(formatReason(reason), MAX_REASON_LENGTH) : 'no reason given';
}

export function isEnabledBySetting({ reason }: ExpectationReport): boolean {
  return reason?.kind === 'needs';
}

/** Never for an inconclusive verdict, which the exit code may depend on. */
export function isNotApplicable({ verdict, reason }: ExpectationReport): boolean {
  return verdict === 'skipped' && reason !== undefined && didNotApply(reason);
}

export interface LeftOut {
  readonly reason: string;
  readonly expectations: number;
  readonly cases: readonly string[];
}

/** Expectations with this verdict, by reason. */
export function leftOutByReason(report: Report, verdict: 'inconclusive' | 'skipped'): readonly LeftOut[] {
  const all = report.cases.flatMap(({ id, expectations }) =>
    expectations.filter((each) => each.verdict === verdict).map((each) => ({ id, reason: reasonLine(each) })),
  );
  return [...groupBy(all, ({ reason }) => reason)].map(([reason, group]) => ({
    reason,
    expectations: group.length,
    cases: [...new Set(group.map(({ id }) => id))],
  }));
}
