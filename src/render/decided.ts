/** Which clauses some case decided or found broken, at which level: the verdict of a clause is its worst, and hides that. */
import type { ClauseReport, Report } from '../report/report.ts';
import type { ExpectationReport } from './fold.ts';

export interface Decision {
  /** How many cases decided it. */
  readonly cases: number;
  readonly levels: ReadonlySet<ExpectationReport['level']>;
}

/** By clause. One that no case decided is not in it. */
export function decisionsOf({ cases }: Pick<Report, 'cases'>): ReadonlyMap<string, Decision> {
  const found = new Map<string, { cases: Set<string>; levels: Set<ExpectationReport['level']> }>();
  for (const { id, expectations } of cases)
    for (const { clause, level, verdict } of expectations) {
      if (verdict === 'inconclusive' || verdict === 'skipped') continue;
      const known = found.get(clause) ?? { cases: new Set(), levels: new Set() };
      found.set(clause, known);
      known.cases.add(id);
      known.levels.add(level);
    }
  return new Map([...found].map(([clause, own]) => [clause, { cases: own.cases.size, levels: own.levels }]));
}

/** A must that was decided, but only at a lower level, is not judged as a must. One that is inconclusive counts as that. */
export function isLowered({ level, verdict }: ClauseReport, decision: Decision | undefined): boolean {
  return level === 'must' && verdict !== 'inconclusive' && decision !== undefined && !decision.levels.has('must');
}

const STRICTEST_FIRST: readonly ExpectationReport['level'][] = ['must', 'should', 'observe'];

/** At which level it is broken, the strictest first: a suite of the user's own may judge a must as a should. */
export function brokenLevel(
  { cases }: Pick<Report, 'cases'>,
  { id, level, verdict }: ClauseReport,
): ClauseReport['level'] {
  if (verdict !== 'fail' && verdict !== 'warn') return level;
  const isBrokenAt = (at: ExpectationReport['level']): boolean =>
    cases.some(({ expectations }) =>
      expectations.some((each) => each.clause === id && each.verdict === verdict && each.level === at),
    );
  return STRICTEST_FIRST.find(isBrokenAt) ?? level;
}
