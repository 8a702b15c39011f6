/** Expectations that could not be judged, and whether the exit code depends on them. */
import type { CaseReport, Report } from '../report/report.ts';
import { groupBy } from '../report/counts.ts';
import type { ExpectationReport } from './fold.ts';
import { inert } from '../text/inert.ts';
import { formatReason, formatRemedy, type Reason } from '../verdict/reason.ts';

/** An inconclusive must clause, or should clause with --strict, keeps a run from conforming. */
export function countsForExit({ level }: ExpectationReport, { strict }: Report): boolean {
  return level === 'must' || (strict && level === 'should');
}

export function inconclusiveThatCount(report: Report, testCase: CaseReport): readonly ExpectationReport[] {
  return testCase.expectations.filter((each) => each.verdict === 'inconclusive' && countsForExit(each, report));
}

const MAX_REASON_LENGTH = 400;

/** One line: the reason and the remedy. */
export function reasonLine(report: Report, { reason }: ExpectationReport): string {
  return reason
    ? inert(`${formatReason(reason)}${formatCondition(report, reason)}`, MAX_REASON_LENGTH)
    : 'no reason given';
}

/** A run of several targets uses no extra keys: they are of one target. */
function formatCondition({ target }: Report, reason: Reason): string {
  const needsKey = reason.kind === 'needs' && reason.settings.some((setting) => setting.endsWith('-key'));
  return needsKey && target.name !== undefined ? ', in a run of this target alone' : '';
}

export function isEnabledBySetting({ reason }: ExpectationReport): boolean {
  return reason?.kind === 'needs';
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
  report: Report,
  left: readonly Item[],
): readonly (readonly [string, readonly Item[]])[] {
  const lineOf = (expectation: ExpectationReport): string => reasonLine(report, expectation);
  return [...groupBy(left, ({ expectation }) => lineOf(withoutMessage(expectation)))].map(([reason, group]) => {
    const [first, ...others] = new Set(group.map(({ expectation }) => lineOf(expectation)));
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
  const byReason = groupByReason(report, listLeftOut(report, verdict));
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

export function remedyOf(report: Report, expectation: ExpectationReport): string {
  const { reason } = expectation;
  const remedy = isEnabledBySetting(expectation) && reason ? formatRemedy(reason) : undefined;
  if (reason === undefined || remedy === undefined) return reasonLine(report, expectation);
  return inert(`${remedy}${formatCondition(report, reason)}`, MAX_REASON_LENGTH);
}
