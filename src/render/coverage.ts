/** How many must clauses were judged, of how many, and what the others need. */
import type { ClauseReport, Report } from '../report/report.ts';
import { listAlternatives } from '../text/layout.ts';

export interface Coverage {
  readonly judged: number;
  readonly all: number;
  /** `; 7 need an extra key or --openapi`; empty if nothing more is needed. */
  readonly needs: string;
}

/** What a run needs to judge clauses of this scope. Those of a comparison need two runs, and no run counts them. */
const NEEDED: readonly (readonly [ClauseReport['scope'], string])[] = [
  ['extra-key', 'an extra key'],
  ['patience', '--patient'],
  ['description', '--openapi'],
];

/** With the clauses that need more than the key: nobody should take them for judged. */
export function coverageOf({ outcome: { mustClauses, mustJudged }, clauses }: Report): Coverage {
  const further = clauses.filter(({ level, scope }) => level === 'must' && NEEDED.some(([each]) => each === scope));
  const open = further.filter(({ verdict = 'skipped' }) => verdict === 'skipped' || verdict === 'inconclusive');
  const words = NEEDED.flatMap(([scope, word]) => (open.some((clause) => clause.scope === scope) ? [word] : []));
  return {
    judged: mustJudged + further.length - open.length,
    all: mustClauses + further.length,
    needs:
      open.length === 0 ? '' : `; ${open.length} ${open.length === 1 ? 'needs' : 'need'} ${listAlternatives(words)}`,
  };
}
