/** Clauses without a verdict of their own, each in one place only, so that their numbers add up in every format. */
import { groupBy } from '../report/counts.ts';
import { isNotApplicable } from '../report/judged-musts.ts';
import type { CaseReport, ClauseReport, Report } from '../report/report.ts';
import type { ExpectationReport } from './fold.ts';
import { decisionsOf } from './decided.ts';
import { groupByReason, isEnabledBySetting, remedyOf } from './left-out.ts';
import { type Shade, shadeOfClause } from './looks.ts';

/**
 * A clause that was skipped only where nothing gave an occasion is idle. One that needs no setting, and was skipped only
 * where a case needs one, is not in this run: its other cases were not selected. Any other that was skipped was not tested.
 */
export function shadesOfClauses(report: Report): ReadonlyMap<string, Shade> {
  const skipped = groupBy(skippedOf(report), ({ clause }) => clause);
  return new Map(
    report.clauses.map((clause) => {
      const shade = shadeOfClause(clause);
      return [clause.id, shade === 'skipped' ? shadeOfSkipped(clause, skipped.get(clause.id) ?? []) : shade];
    }),
  );
}

function shadeOfSkipped(clause: ClauseReport, skipped: readonly ExpectationReport[]): Shade {
  if (skipped.every(isNotApplicable)) return 'idle';
  return needsNoSetting(clause) && skipped.every(isEnabledBySetting) ? 'none' : 'skipped';
}

/** Cases on what the contract leaves open may need one, whatever the scope; so may those of somebody's own clauses. */
function needsNoSetting({ scope, level, part }: ClauseReport): boolean {
  return scope === 'run' && (level === 'must' || level === 'should') && part !== '-';
}

function skippedOf({ cases }: Report): readonly ExpectationReport[] {
  return cases.flatMap(({ expectations }) => expectations.filter(({ verdict }) => verdict === 'skipped'));
}

/** The shades that have a reason. */
export type UnjudgedShade = 'inconclusive' | 'skipped' | 'idle';

export interface UnjudgedClause {
  readonly clause: ClauseReport;
  /** The cases that would have judged it. */
  readonly cases: readonly string[];
  /** Other settings that would do as well. */
  readonly others: readonly string[];
  /** The number of other cases that decided it. */
  readonly decidedBy: number;
}

export interface UnjudgedGroup {
  /** `not tested: pass --openapi` */
  readonly reason: string;
  /** `pass --openapi`; absent if no setting enables the clauses. */
  readonly remedy?: string;
  readonly clauses: readonly UnjudgedClause[];
}

interface Unjudged extends UnjudgedClause {
  readonly testCase: CaseReport;
  /** The one whose reason counts. */
  readonly expectation: ExpectationReport;
}

/** By reason; those that a setting enables come first. */
export function groupUnjudged(report: Report, shade: UnjudgedShade): readonly UnjudgedGroup[] {
  const shades = shadesOfClauses(report);
  const verdict = shade === 'idle' ? 'skipped' : shade;
  const left = report.cases.flatMap((testCase) =>
    testCase.expectations.filter((each) => each.verdict === verdict).map((expectation) => ({ testCase, expectation })),
  );
  const byClause = groupBy(left, ({ expectation }) => expectation.clause);
  const decisions = decisionsOf(report);
  const all = report.clauses
    .filter(({ id }) => shades.get(id) === shade)
    .flatMap((clause) => describeUnjudged(report, clause, byClause.get(clause.id) ?? []))
    .map((each) => ({ ...each, decidedBy: decisions.get(each.clause.id)?.cases ?? 0 }));
  return groupByReason(report, all)
    .toSorted(([, a], [, b]) => Number(isEnabled(b)) - Number(isEnabled(a)))
    .map(([reason, clauses]) => ({ reason, clauses, ...remedyOfGroup(report, clauses) }));
}

function describeUnjudged(
  report: Report,
  clause: ClauseReport,
  left: readonly Pick<Unjudged, 'testCase' | 'expectation'>[],
): readonly Omit<Unjudged, 'decidedBy'>[] {
  const applicable = left.filter(({ expectation }) => !isNotApplicable(expectation));
  const own = applicable.length === 0 ? left : applicable;
  const first = own.find(({ expectation }) => isEnabledBySetting(expectation)) ?? own[0];
  if (!first) return [];
  const remedies = own
    .filter(({ expectation }) => isEnabledBySetting(expectation))
    .map((each) => remedyOf(report, each.expectation));
  return [
    {
      ...first,
      clause,
      cases: [...new Set(own.map(({ testCase }) => testCase.id))],
      others: [...new Set(remedies)].filter((remedy) => remedy !== remedyOf(report, first.expectation)),
    },
  ];
}

function isEnabled([first]: readonly Unjudged[]): boolean {
  return first !== undefined && isEnabledBySetting(first.expectation);
}

function remedyOfGroup(report: Report, [first]: readonly Unjudged[]): Pick<UnjudgedGroup, 'remedy'> {
  return first && isEnabledBySetting(first.expectation) ? { remedy: remedyOf(report, first.expectation) } : {};
}

/** Cases that were skipped although other cases judged all their clauses, by reason. */
export function groupSkippedBeside(report: Report): readonly (readonly [reason: string, cases: readonly string[]])[] {
  const decisions = decisionsOf(report);
  const beside = report.cases.flatMap((testCase) => {
    const skipped = testCase.expectations.filter((each) => each.verdict === 'skipped' && !isNotApplicable(each));
    // One of them that nothing judged is named with its clause.
    if (!skipped.every(({ clause }) => decisions.has(clause))) return [];
    return skipped.map((expectation) => ({ testCase, expectation }));
  });
  return groupByReason(report, beside).map(([reason, group]) => [
    reason,
    [...new Set(group.map(({ testCase }) => testCase.id))],
  ]);
}
