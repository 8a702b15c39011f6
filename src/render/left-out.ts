/** Expectations that could not be judged, and whether the exit code depends on them. */
import type { CaseReport, Report } from '../report/report.ts';
import { groupBy } from '../report/counts.ts';
import type { ExpectationReport } from './fold.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { didNotApply, formatReason, formatRemedy } from '../verdict/reason.ts';

/** An inconclusive must clause, or should clause with --strict, keeps a run from conforming. */
export function countsForExit({ level }: ExpectationReport, { strict }: Report): boolean {
  return level === 'must' || (strict && level === 'should');
}

export function inconclusiveThatCount(report: Report, testCase: CaseReport): readonly ExpectationReport[] {
  return testCase.expectations.filter((each) => each.verdict === 'inconclusive' && countsForExit(each, report));
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
  readonly cases: readonly string[];
}

export interface LeftOutExpectation {
  readonly testCase: CaseReport;
  readonly expectation: ExpectationReport;
}

/**
 * Expectations with this verdict. One that is inconclusive in a case that is broken anyway is left out if its clause is
 * broken too: both are counted as that.
 */
export function listLeftOut(
  { cases, clauses }: Report,
  verdict: 'inconclusive' | 'skipped',
): readonly LeftOutExpectation[] {
  const own = new Set(clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id));
  return cases.flatMap((testCase) =>
    testCase.expectations
      .filter((each) => each.verdict === verdict)
      .filter(({ clause }) => verdict === 'skipped' || testCase.verdict === verdict || own.has(clause))
      .map((expectation) => ({ testCase, expectation })),
  );
}

/** By status, type and code: messages may hold the id of a request. A message that all of a group share is shown. */
export function groupByReason<Item extends LeftOutExpectation>(
  left: readonly Item[],
): readonly (readonly [string, readonly Item[]])[] {
  return [...groupBy(left, ({ expectation }) => reasonLine(withoutMessage(expectation)))].map(([reason, group]) => {
    const [first, ...others] = new Set(group.map(({ expectation }) => reasonLine(expectation)));
    return [first === undefined || others.length > 0 ? reason : first, group] as const;
  });
}

function withoutMessage(expectation: ExpectationReport): ExpectationReport {
  const { reason } = expectation;
  if (reason === undefined || !('answer' in reason) || reason.answer === undefined) return expectation;
  const { message: _message, ...answer } = reason.answer;
  return { ...expectation, reason: { ...reason, answer } };
}

/** Cases with expectations of this verdict, by reason. A case with several reasons is in one place, under all of them. */
export function leftOutByReason(report: Report, verdict: 'inconclusive' | 'skipped'): readonly LeftOut[] {
  const byReason = groupByReason(listLeftOut(report, verdict));
  const reasons = new Map<string, readonly string[]>();
  for (const [reason, group] of byReason)
    for (const { testCase } of group) {
      const before = reasons.get(testCase.id) ?? [];
      if (!before.includes(reason)) reasons.set(testCase.id, [...before, reason]);
    }
  return [...groupBy([...reasons], ([, own]) => own.join('; '))].map(([reason, group]) => ({
    reason,
    cases: group.map(([id]) => id),
  }));
}

export interface NotTested {
  /** `pass --openapi`: the remedy, or the reason if no setting helps. */
  readonly remedy: string;
  readonly clauses: readonly string[];
  readonly cases: readonly string[];
}

/**
 * Clauses that were not judged at all, except those that did not apply. First those for which a setting was given that did
 * not suffice, then those that a setting enables. A clause with several remedies is in one place, under the first.
 */
export function notTestedByRemedy(report: Report): readonly NotTested[] {
  const unjudged = new Set(report.clauses.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id));
  const all = report.cases.flatMap(({ id, expectations }) =>
    expectations
      .filter((each) => each.verdict === 'skipped' && unjudged.has(each.clause) && !isNotApplicable(each))
      .map((each) => ({ id, clause: each.clause, remedy: remedyOf(each), rank: rankOf(each) })),
  );
  const ranked = [...groupBy(all, ({ clause }) => clause).values()]
    .map((group) => group.toSorted((a, b) => a.rank - b.rank))
    .toSorted(([a], [b]) => (a?.rank ?? 0) - (b?.rank ?? 0));
  return [...groupBy(ranked, ([first]) => first?.remedy ?? '')].map(([remedy, groups]) => ({
    remedy,
    clauses: groups.flatMap(([first]) => first?.clause ?? []),
    cases: [...new Set(groups.flat().map(({ id }) => id))],
  }));
}

function rankOf(expectation: ExpectationReport): number {
  if (expectation.reason?.kind === 'context-not-reached') return 0;
  return isEnabledBySetting(expectation) ? 1 : 2;
}

/** `5 clauses`, each counted once. */
export function countNotTested(all: readonly NotTested[]): string {
  return count(new Set(all.flatMap(({ clauses }) => clauses)).size, 'clause');
}

export function remedyOf(expectation: ExpectationReport): string {
  const remedy = isEnabledBySetting(expectation) ? expectation.reason && formatRemedy(expectation.reason) : undefined;
  return remedy === undefined ? reasonLine(expectation) : inert(remedy, MAX_REASON_LENGTH);
}
