/** The state of every clause of a report, worked out once, and how many must clauses were judged. */

import { oncePer } from '../once-per.ts';
import { groupBy } from '../report/counts.ts';
import { isAskedOtherwise, isNotApplicable, judgedMusts } from '../report/outcome.ts';
import type { CaseReport, ClauseReport, ExpectationReport, Report } from '../report/report.ts';
import { listAlternatives } from '../text/layout.ts';
import { STRICTEST_FIRST } from './fold.ts';
import { LOOKS, type Shade } from './looks.ts';

/** An expectation of a case. */
export interface CaseExpectation {
  readonly testCase: CaseReport;
  readonly expectation: ExpectationReport;
}

export interface ClauseState {
  readonly clause: ClauseReport;
  /**
   * `idle` if it was skipped only where it never came up, `none` if it needs no setting and was skipped only where a
   * case needs one: its other cases were not selected. Each clause has one, so that the numbers add up in every format.
   */
  readonly shade: Shade;
  /** How many cases decided it: the verdict of a clause is its worst, and hides that. */
  readonly decidedBy: number;
  /** A must that was decided, but only at a lower level, is not judged as a must. One that is inconclusive counts as that. */
  readonly isLowered: boolean;
  /** The strictest level at which it is broken: a suite of the user's own may judge a must as a should. */
  readonly brokenLevel: ClauseReport['level'];
  /** What leaves it without a verdict: inconclusive or skipped, as it is itself. Those that apply to it, if any does. */
  readonly left: readonly CaseExpectation[];
}

export const statesOf = oncePer((report: Report): ReadonlyMap<string, ClauseState> => {
  const asked = groupBy(listAsked(report), ({ expectation }) => expectation.clause);
  return new Map(report.clauses.map((clause) => [clause.id, stateOf(clause, asked.get(clause.id) ?? [])]));
});

export function listAsked({ cases }: Report): readonly CaseExpectation[] {
  return cases.flatMap((testCase) => testCase.expectations.map((expectation) => ({ testCase, expectation })));
}

function stateOf(clause: ClauseReport, asked: readonly CaseExpectation[]): ClauseState {
  const { level, verdict } = clause;
  const isOpen = ({ expectation }: CaseExpectation) => ['inconclusive', 'skipped'].includes(expectation.verdict);
  const decided = asked.filter((each) => !isOpen(each));
  const levels = decided.map(({ expectation }) => expectation.level);
  const same = asked.filter(({ expectation }) => expectation.verdict === verdict);
  const open = same.filter(isOpen);
  const applicable = open.filter(({ expectation }) => !isNotApplicable(expectation));
  const isBroken = verdict === 'fail' || verdict === 'warn';
  return {
    clause,
    shade: shadeOf(clause, decided, open),
    decidedBy: new Set(decided.map(({ testCase }) => testCase.id)).size,
    isLowered: level === 'must' && verdict !== 'inconclusive' && levels.length > 0 && !levels.includes('must'),
    brokenLevel:
      (isBroken && STRICTEST_FIRST.find((each) => same.some(({ expectation }) => expectation.level === each))) || level,
    left: applicable.length === 0 ? open : applicable,
  };
}

function shadeOf(clause: ClauseReport, decided: readonly CaseExpectation[], open: readonly CaseExpectation[]): Shade {
  const { verdict = clause.kind === 'outside' ? 'outside' : 'none', level } = clause;
  // What is only to be recorded has been, in whichever cases.
  if (verdict === 'inconclusive' && level === 'observe' && decided.length > 0) return 'observed';
  return verdict === 'skipped' ? shadeOfSkipped(clause, open) : verdict;
}

function shadeOfSkipped({ scope, level, part }: ClauseReport, skipped: readonly CaseExpectation[]): Shade {
  if (skipped.length > 0 && skipped.every(({ expectation }) => isNotApplicable(expectation))) return 'idle';
  // Cases on what the contract leaves open may need a setting, whatever the scope; so may those of somebody's own clauses.
  const needsNone = scope === 'run' && (level === 'must' || level === 'should') && part !== '-';
  return needsNone && skipped.every(({ expectation: { reason } }) => reason?.kind === 'needs') ? 'none' : 'skipped';
}

/** A clause that the report does not list is broken at its own level. */
export function brokenLevel(report: Report, { id, level }: Pick<ClauseReport, 'id' | 'level'>): ClauseReport['level'] {
  return statesOf(report).get(id)?.brokenLevel ?? level;
}

/** What a run needs to judge clauses of this scope. Those of a comparison need two runs, and no run counts them. */
const NEEDED: readonly (readonly [ClauseReport['scope'], string])[] = [
  ['extra-key', 'an extra key'],
  ['models', 'a second --upstream-model'],
  ['budget', '--budget'],
  ['patience', '--patient'],
  ['counts', '--counts'],
  ['description', '--openapi'],
];

/**
 * How many must clauses were judged, of how many, and why the others were not: the numbers add up. With the clauses that need
 * more than the key: nobody should take them for judged.
 */
export function coverageOf(report: Report) {
  const { outcome, cases } = report;
  const must = [...statesOf(report).values()].filter(({ clause }) => clause.level === 'must');
  const expectations = cases.flatMap((testCase) => testCase.expectations);
  const judged = judgedMusts(expectations);
  const judgedInPart = judgedMusts(expectations.filter((each) => !isAskedOtherwise(each)));
  const own = must.filter(({ clause }) => clause.scope === 'run');
  const further = must.filter(({ clause }) => NEEDED.some(([each]) => each === clause.scope));
  const all = [...own, ...further];
  const numberOf = (states: readonly ClauseState[], isMeant: (state: ClauseState) => boolean, words = '') => {
    const number = states.filter(isMeant).length;
    return number === 0 ? [] : [[number, words] as const];
  };
  const isUnjudged = ({ clause: { id } }: ClauseState): boolean => !judged.has(id);
  const needs = formatNeeds(further.filter(({ shade }) => shade === 'skipped'));
  const inPart = [
    ...numberOf(all, (state) => judgedInPart.has(state.clause.id) && isUnjudged(state), 'only in part'),
    ...numberOf(all, ({ isLowered }) => isLowered, 'only at a lower level'),
  ];
  const others = [
    ...numberOf(
      all,
      (state) => state.shade === 'inconclusive' && isUnjudged(state),
      `had ${LOOKS.inconclusive.reason}`,
    ),
    ...inPart,
    ...numberOf(own, ({ shade }) => shade === 'skipped', LOOKS.skipped.reason),
    ...numberOf(all, ({ shade }) => shade === 'idle', LOOKS.idle.reason),
    ...numberOf(all, ({ shade }) => shade === 'none', LOOKS.none.reason),
  ];
  return {
    judged: outcome.mustJudged + further.filter(({ clause }) => judged.has(clause.id)).length,
    all: outcome.mustClauses + further.length,
    /** `7 need an extra key or --openapi; 20 not in this run`; empty if all were judged. */
    rest: [...needs, ...others.map(([number, words]) => `${number} ${words}`)].join('; '),
    /** Those of them that have a verdict all the same. */
    inPart,
    unjudged: new Set(all.filter(isUnjudged).map(({ clause }) => clause.id)) as ReadonlySet<string>,
  };
}

/** `7 need an extra key or --openapi` */
function formatNeeds(needing: readonly ClauseState[]): readonly string[] {
  if (needing.length === 0) return [];
  // With an extra key, a clause may still need a setting that goes with it.
  const haveKey = needing.filter((state) => {
    const own = settingsNeeded(state);
    return state.clause.scope === 'extra-key' && own.length > 0 && !own.some((setting) => setting.endsWith('-key'));
  });
  const rest = needing.filter((state) => !haveKey.includes(state));
  const words = [
    ...NEEDED.flatMap(([scope, word]) => (rest.some(({ clause }) => clause.scope === scope) ? [word] : [])),
    ...new Set(haveKey.flatMap(settingsNeeded).map((setting) => `--${setting}`)),
  ];
  return [`${needing.length} ${needing.length === 1 ? 'needs' : 'need'} ${listAlternatives(words)}`];
}

/** The settings that its cases were skipped for. */
function settingsNeeded({ left }: ClauseState): readonly string[] {
  return left.flatMap(({ expectation: { reason } }) => (reason?.kind === 'needs' ? reason.settings : []));
}
