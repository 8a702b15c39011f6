/** What could not be judged, and whether the exit code depends on it. */
import type { CaseReport, Report } from '../report/report.ts';
import { type ExpectationReport, groupBy } from './fold.ts';
import { inert } from '../text/inert.ts';
import { settingFor } from './setting-for.ts';

/** A must, with --strict a should too: unanswered, it keeps a run from conforming. */
export function countsForExit({ level }: ExpectationReport, { strict }: Report): boolean {
  return level === 'must' || (strict && level === 'should');
}

export function inconclusiveThatCount(report: Report, one: CaseReport): readonly ExpectationReport[] {
  return one.expectations.filter((each) => each.verdict === 'inconclusive' && countsForExit(each, report));
}

/** Why, and what would change it. One line. */
export function reasonInWords({ reason = 'no reason was given', enabledBy = [] }: ExpectationReport): string {
  const settings = enabledBy.map((name) => inert(settingFor(name)));
  const remedy = settings.length === 0 ? '' : ` Enable with ${settings.join(' and ')}.`;
  const sentence = inert(reason, 300);
  return `${sentence}${/[.!?…)]$/.test(sentence) ? '' : '.'}${remedy}`;
}

export interface LeftOut {
  readonly reason: string;
  readonly expectations: number;
  readonly cases: readonly string[];
}

/** What has this verdict, by reason. */
export function leftOutByReason(report: Report, verdict: 'inconclusive' | 'skipped'): readonly LeftOut[] {
  const all = report.cases.flatMap(({ id, expectations }) =>
    expectations.filter((each) => each.verdict === verdict).map((each) => ({ id, reason: reasonInWords(each) })),
  );
  return [...groupBy(all, ({ reason }) => reason)].map(([reason, group]) => ({
    reason,
    expectations: group.length,
    cases: [...new Set(group.map(({ id }) => id))],
  }));
}
