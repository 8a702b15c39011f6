/** How many must clauses were judged, of how many, and why the others were not: the numbers add up. */
import { groupBy } from '../report/counts.ts';
import { isAskedOtherwise, judgedMusts } from '../report/judged-musts.ts';
import type { ClauseReport, Report } from '../report/report.ts';
import { listAlternatives } from '../text/layout.ts';
import { decisionsOf, isLowered } from './decided.ts';
import { wordOfClause } from './looks.ts';
import { shadesOfClauses } from './unjudged.ts';

export interface Coverage {
  readonly judged: number;
  readonly all: number;
  /** `; 7 need an extra key or --openapi; 20 not in this run`; empty if all were judged. */
  readonly rest: string;
}

/** What a run needs to judge clauses of this scope. Those of a comparison need two runs, and no run counts them. */
const NEEDED: readonly (readonly [ClauseReport['scope'], string])[] = [
  ['extra-key', 'an extra key'],
  ['models', 'a second --upstream-model'],
  ['budget', '--budget'],
  ['patience', '--patient'],
  ['description', '--openapi'],
];

/** With the clauses that need more than the key: nobody should take them for judged. */
export function coverageOf(report: Report): Coverage {
  const { outcome, clauses, cases } = report;
  const shades = shadesOfClauses(report);
  const decisions = decisionsOf(report);
  const expectations = cases.flatMap((testCase) => testCase.expectations);
  const judged = judgedMusts(expectations);
  const judgedInPart = judgedMusts(expectations.filter((each) => !isAskedOtherwise(each)));
  const must = clauses.filter(({ level }) => level === 'must');
  const own = must.filter(({ scope }) => scope === 'run');
  const further = must.filter(({ scope }) => NEEDED.some(([each]) => each === scope));
  const all = [...own, ...further];
  const needing = further.filter(({ verdict }) => verdict === 'skipped');
  const untested = own.filter(({ id }) => shades.get(id) === 'skipped').length;
  const idle = own.filter(({ id }) => shades.get(id) === 'idle').length;
  const unselected = all.filter(({ id }) => shades.get(id) === 'none').length;
  const inconclusive = all.filter(({ id, verdict }) => verdict === 'inconclusive' && !judged.has(id)).length;
  const inPart = all.filter(({ id }) => judgedInPart.has(id) && !judged.has(id)).length;
  const lowered = all.filter((clause) => isLowered(clause, decisions.get(clause.id))).length;
  const rest = [
    ...formatNeeds(needing, settingsNeeded(report)),
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
    ...(inPart > 0 ? [`${inPart} only in part`] : []),
    ...(lowered > 0 ? [`${lowered} only at a lower level`] : []),
    ...(untested > 0 ? [`${untested} ${wordOfClause('skipped')}`] : []),
    ...(idle > 0 ? [`${idle} had no occasion`] : []),
    ...(unselected > 0 ? [`${unselected} ${wordOfClause('none')}`] : []),
  ];
  return {
    judged: outcome.mustJudged + further.filter(({ id }) => judged.has(id)).length,
    all: outcome.mustClauses + further.length,
    rest: rest.map((part) => `; ${part}`).join(''),
  };
}

/** By clause: the settings that its cases were skipped for. */
function settingsNeeded({ cases }: Report): ReadonlyMap<string, readonly string[]> {
  const skipped = cases.flatMap(({ expectations }) => expectations);
  return new Map(
    [...groupBy(skipped, ({ clause }) => clause)].map(([clause, own]) => [
      clause,
      own.flatMap(({ reason }) => (reason?.kind === 'needs' ? reason.settings : [])),
    ]),
  );
}

function formatNeeds(
  needing: readonly ClauseReport[],
  settings: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (needing.length === 0) return [];
  // With an extra key, a clause may still need a setting that goes with it.
  const haveKey = needing.filter(({ id, scope }) => {
    const own = settings.get(id) ?? [];
    return scope === 'extra-key' && own.length > 0 && !own.some((setting) => setting.endsWith('-key'));
  });
  const rest = needing.filter((clause) => !haveKey.includes(clause));
  const words = [
    ...NEEDED.flatMap(([scope, word]) => (rest.some((clause) => clause.scope === scope) ? [word] : [])),
    ...new Set(haveKey.flatMap(({ id }) => (settings.get(id) ?? []).map((setting) => `--${setting}`))),
  ];
  return [`${needing.length} ${needing.length === 1 ? 'needs' : 'need'} ${listAlternatives(words)}`];
}
