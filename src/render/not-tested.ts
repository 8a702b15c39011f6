/** Clauses that a run did not test, by what would enable them. */
import { groupBy } from '../report/counts.ts';
import type { Report } from '../report/report.ts';
import { count } from '../text/layout.ts';
import type { ExpectationReport } from './fold.ts';
import { isNotApplicable } from '../report/judged-musts.ts';
import { isEnabledBySetting, remedyOf } from './left-out.ts';
import { shadesOfClauses } from './unjudged.ts';

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
  const shades = shadesOfClauses(report);
  const all = report.cases.flatMap(({ id, expectations }) =>
    expectations
      .filter((each) => each.verdict === 'skipped' && shades.get(each.clause) === 'skipped' && !isNotApplicable(each))
      .map((each) => ({ id, clause: each.clause, remedy: remedyOf(report, each), rank: rankOf(each) })),
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
