/** The state of every clause of a report, worked out once; and what could not be judged, by reason, with the remedy. */

import { groupBy } from '../report/counts.ts';
import { isAskedOtherwise, isNotApplicable, judgedMusts } from '../report/outcome.ts';
import type { CaseReport, ClauseReport, ExpectationReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count, inert, listAlternatives } from '../text/layout.ts';
import { formatReason, formatRemedy, type Reason } from '../verdict/reason.ts';
import { fact, type Fact } from './document/document.ts';
import { countExcused } from './excused.ts';
import { type Shade, shadeOfClause, wordOfClause } from './looks.ts';

/** An expectation of a case. */
interface CaseExpectation {
  readonly testCase: CaseReport;
  readonly expectation: ExpectationReport;
}

interface ClauseState {
  readonly clause: ClauseReport;
  /**
   * `idle` if it was skipped only where nothing gave an occasion, `none` if it needs no setting and was skipped only where a
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

const known = new WeakMap<Report, ReadonlyMap<string, ClauseState>>();

export function statesOf(report: Report): ReadonlyMap<string, ClauseState> {
  const states = known.get(report) ?? findStates(report);
  known.set(report, states);
  return states;
}

function findStates({ cases, clauses }: Report): ReadonlyMap<string, ClauseState> {
  const asked = cases.flatMap((testCase) => testCase.expectations.map((expectation) => ({ testCase, expectation })));
  const byClause = groupBy(asked, ({ expectation }) => expectation.clause);
  return new Map(clauses.map((clause) => [clause.id, stateOf(clause, byClause.get(clause.id) ?? [])]));
}

const STRICTEST_FIRST: readonly ExpectationReport['level'][] = ['must', 'should', 'observe'];

function stateOf(clause: ClauseReport, asked: readonly CaseExpectation[]): ClauseState {
  const { level, verdict } = clause;
  const isOpen = ({ expectation }: CaseExpectation): boolean =>
    ['inconclusive', 'skipped'].includes(expectation.verdict);
  const decided = asked.filter((each) => !isOpen(each));
  const levels = decided.map(({ expectation }) => expectation.level);
  const same = asked.filter(({ expectation }) => expectation.verdict === verdict);
  const open = same.filter(isOpen);
  const applicable = open.filter(({ expectation }) => !isNotApplicable(expectation));
  const isBroken = verdict === 'fail' || verdict === 'warn';
  return {
    clause,
    shade: verdict === 'skipped' ? shadeOfSkipped(clause, open) : shadeOfClause(clause),
    decidedBy: new Set(decided.map(({ testCase }) => testCase.id)).size,
    isLowered: level === 'must' && verdict !== 'inconclusive' && levels.length > 0 && !levels.includes('must'),
    brokenLevel:
      (isBroken && STRICTEST_FIRST.find((each) => same.some(({ expectation }) => expectation.level === each))) || level,
    left: applicable.length === 0 ? open : applicable,
  };
}

function shadeOfSkipped(clause: ClauseReport, skipped: readonly CaseExpectation[]): Shade {
  if (skipped.every(({ expectation }) => isNotApplicable(expectation))) return 'idle';
  const isEnabled = skipped.every(({ expectation }) => isEnabledBySetting(expectation));
  return needsNoSetting(clause) && isEnabled ? 'none' : 'skipped';
}

function isEnabledBySetting({ reason }: Pick<ExpectationReport, 'reason'>): boolean {
  return reason?.kind === 'needs';
}

/** Cases on what the contract leaves open may need one, whatever the scope; so may those of somebody's own clauses. */
function needsNoSetting({ scope, level, part }: ClauseReport): boolean {
  return scope === 'run' && (level === 'must' || level === 'should') && part !== '-';
}

/** A clause that the report does not list is broken at its own level. */
export function brokenLevel(report: Report, { id, level }: Pick<ClauseReport, 'id' | 'level'>): ClauseReport['level'] {
  return statesOf(report).get(id)?.brokenLevel ?? level;
}

interface Coverage {
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

/**
 * How many must clauses were judged, of how many, and why the others were not: the numbers add up. With the clauses that need
 * more than the key: nobody should take them for judged.
 */
export function coverageOf(report: Report): Coverage {
  const { outcome, cases } = report;
  const must = [...statesOf(report).values()].filter(({ clause }) => clause.level === 'must');
  const expectations = cases.flatMap((testCase) => testCase.expectations);
  const judged = judgedMusts(expectations);
  const judgedInPart = judgedMusts(expectations.filter((each) => !isAskedOtherwise(each)));
  const own = must.filter(({ clause }) => clause.scope === 'run');
  const further = must.filter(({ clause }) => NEEDED.some(([each]) => each === clause.scope));
  const all = [...own, ...further];
  const numberOf = (states: readonly ClauseState[], isMeant: (state: ClauseState) => boolean, words: string) => {
    const number = states.filter(isMeant).length;
    return number === 0 ? [] : [`${number} ${words}`];
  };
  const isUnjudged = ({ clause: { id } }: ClauseState): boolean => !judged.has(id);
  const rest = [
    ...formatNeeds(further.filter(({ clause }) => clause.verdict === 'skipped')),
    ...numberOf(all, (state) => state.shade === 'inconclusive' && isUnjudged(state), 'inconclusive'),
    ...numberOf(all, (state) => judgedInPart.has(state.clause.id) && isUnjudged(state), 'only in part'),
    ...numberOf(all, ({ isLowered }) => isLowered, 'only at a lower level'),
    ...numberOf(own, ({ shade }) => shade === 'skipped', wordOfClause('skipped')),
    ...numberOf(own, ({ shade }) => shade === 'idle', 'had no occasion'),
    ...numberOf(all, ({ shade }) => shade === 'none', wordOfClause('none')),
  ];
  return {
    judged: outcome.mustJudged + further.filter(({ clause }) => judged.has(clause.id)).length,
    all: outcome.mustClauses + further.length,
    rest: rest.map((part) => `; ${part}`).join(''),
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

function remedyOf(report: Report, expectation: ExpectationReport): string | undefined {
  const { reason } = expectation;
  const remedy = reason && isEnabledBySetting(expectation) ? formatRemedy(reason) : undefined;
  return reason && remedy && inert(`${remedy}${formatCondition(report, reason)}`, MAX_REASON_LENGTH);
}

/** An inconclusive must clause, or should clause with --strict, keeps a run from conforming. */
export function inconclusiveThatCount({ strict }: Report, { expectations }: CaseReport): readonly ExpectationReport[] {
  return expectations.filter(
    ({ verdict, level }) => verdict === 'inconclusive' && (level === 'must' || (strict && level === 'should')),
  );
}

/** Groups are by status, type and code, since messages may hold the id of a request. A message that all share is shown. */
function groupByReason<Item extends Pick<CaseExpectation, 'expectation'>>(
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

/** The shades that have a reason. */
export type UnjudgedShade = 'inconclusive' | 'skipped' | 'idle';

export interface UnjudgedClause extends Pick<ClauseState, 'clause' | 'decidedBy'> {
  /** The cases that would have judged it. */
  readonly cases: readonly string[];
  /** Other settings that would do as well. */
  readonly others: readonly string[];
}

export interface UnjudgedGroup {
  /** `not tested: pass --openapi` */
  readonly reason: string;
  /** `pass --openapi`; absent if no setting enables the clauses. */
  readonly remedy?: string;
  readonly clauses: readonly UnjudgedClause[];
}

/**
 * Clauses of this shade by reason. First those for which a setting was given that did not suffice, then those that a setting
 * enables. A clause with several remedies is in one place, under the first.
 */
export function groupUnjudged(report: Report, shade: UnjudgedShade): readonly UnjudgedGroup[] {
  const all = [...statesOf(report).values()].flatMap((state) => {
    const [first] = state.left.toSorted((a, b) => rankOf(a) - rankOf(b));
    return state.shade === shade && first ? [{ ...first, state }] : [];
  });
  return groupByReason(
    report,
    all.toSorted((a, b) => rankOf(a) - rankOf(b)),
  ).map(([reason, group]) => {
    const remedy = group[0] && remedyOf(report, group[0].expectation);
    return {
      reason,
      ...(remedy !== undefined && { remedy }),
      clauses: group.map(({ state: { clause, decidedBy, left }, expectation }) => {
        const remedies = new Set(left.flatMap((each) => remedyOf(report, each.expectation) ?? []));
        const own = remedyOf(report, expectation);
        const cases = [...new Set(left.map(({ testCase }) => testCase.id))];
        return { clause, decidedBy, cases, others: [...remedies].filter((each) => each !== own) };
      }),
    };
  });
}

function rankOf({ expectation }: Pick<CaseExpectation, 'expectation'>): number {
  if (expectation.reason?.kind === 'context-not-reached') return 0;
  return isEnabledBySetting(expectation) ? 1 : 2;
}

/** `5 clauses`, each counted once. */
export function countClauses(groups: readonly UnjudgedGroup[]): string {
  return count(
    groups.reduce((sum, { clauses }) => sum + clauses.length, 0),
    'clause',
  );
}

/** Cases that were skipped although other cases judged all their clauses, by reason. */
export function groupSkippedBeside(report: Report): readonly CasesByReason[] {
  const states = statesOf(report);
  const beside = report.cases.flatMap((testCase) => {
    const skipped = testCase.expectations.filter((each) => each.verdict === 'skipped' && !isNotApplicable(each));
    // One of them that nothing judged is named with its clause.
    if (!skipped.every(({ clause }) => (states.get(clause)?.decidedBy ?? 0) > 0)) return [];
    return skipped.map((expectation) => ({ testCase, expectation }));
  });
  return groupByReason(report, beside).map(([reason, group]) => ({
    reason,
    cases: [...new Set(group.map(({ testCase }) => testCase.id))],
  }));
}

interface CasesByReason {
  readonly reason: string;
  readonly cases: readonly string[];
}

/**
 * Expectations with this verdict. One that is inconclusive in a case that is broken anyway is left out if its clause is
 * broken too: both are counted as that.
 */
function listLeftOut({ cases, clauses }: Report, verdict: 'inconclusive' | 'skipped'): readonly CaseExpectation[] {
  const own = new Set(clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id));
  return cases.flatMap((testCase) =>
    testCase.expectations
      .filter((each) => each.verdict === verdict)
      .filter(({ clause }) => verdict === 'skipped' || testCase.verdict === verdict || own.has(clause))
      .map((expectation) => ({ testCase, expectation })),
  );
}

/** Cases with expectations of this verdict, by reason. A case with several reasons is in one place, under all of them. */
export function leftOutByReason(report: Report, verdict: 'inconclusive' | 'skipped'): readonly CasesByReason[] {
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

/** `Inconclusive in 3 cases: the status was not 200`, for formats with a line for each reason. */
export function inconclusiveFacts(report: Report, most = Infinity): readonly Fact[] {
  const all = leftOutByReason(report, 'inconclusive');
  const more = all.length - Math.min(all.length, most);
  return [
    ...all
      .slice(0, most)
      .flatMap(({ reason, cases }) => fact(`Inconclusive in ${count(cases.length, 'case')}`, inert(reason, 240))),
    ...(more > 0 ? fact('', `Inconclusive for ${count(more, 'more reason')}`) : []),
  ];
}

/** `12 cases` */
export function countLeftOut(report: Report, verdict: 'inconclusive' | 'skipped'): string {
  return count(new Set(listLeftOut(report, verdict).map(({ testCase }) => testCase)).size, 'case');
}

/** `Inconclusive: 3 clauses in 12 cases`; without clauses if each of them is broken in another case. */
export function inconclusiveHeading(report: Report): string {
  const clauses = report.clauses.filter(({ verdict }) => verdict === 'inconclusive').length;
  const cases = countLeftOut(report, 'inconclusive');
  return `Inconclusive: ${clauses === 0 ? cases : `${count(clauses, 'clause')} in ${cases}`}`;
}

/**
 * Below the table of areas, which counts each case once, by its worst verdict: only where the lists of cases, which have
 * every case with an expectation of their verdict, would seem to contradict it.
 */
export function tableNotes(report: Report): readonly string[] {
  const undecided = new Set(listLeftOut(report, 'inconclusive').map(({ testCase }) => testCase));
  const isInTwoLists = report.cases.some((testCase) => {
    const listed = testCase.expectations.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    return new Set(listed.map(({ verdict }) => verdict)).size + (undecided.has(testCase) ? 1 : 0) > 1;
  });
  return [...(isInTwoLists ? ['Each case counts once, by its worst verdict.'] : []), ...countExcused(report)];
}

/** A reader of one page reads no more reasons. The full report has the rest. */
const MAX_REASONS = 8;

interface UnjudgedLine {
  readonly words: string;
  readonly clauses: number;
}

/** Every clause without a verdict, by what it would take. `readOn`: the way to the full report, if there is one. */
export function listNotJudged(report: Report, readOn: string): readonly UnjudgedLine[] {
  const reasons = [
    ...groupUnjudged(report, 'inconclusive').map((group) => describeInconclusive(group, traitsOf(report).caseWord)),
    ...groupUnjudged(report, 'skipped').map(({ clauses, remedy, reason }) => ({
      words: remedy ?? reason,
      clauses: clauses.length,
    })),
  ];
  const rest = reasons.slice(MAX_REASONS).reduce((sum, { clauses }) => sum + clauses, 0);
  const withShade = (shade: Shade): readonly ClauseReport[] =>
    [...statesOf(report).values()].filter((state) => state.shade === shade).map(({ clause }) => clause);
  return [
    ...reasons.slice(0, MAX_REASONS),
    { words: `for other reasons${readOn}`, clauses: rest },
    { words: 'no occasion in this run', clauses: withShade('idle').length },
    { words: formatNotInRun(report, withShade('none')), clauses: withShade('none').length },
    { words: 'cannot be seen over the wire (outside)', clauses: withShade('outside').length },
  ].filter(({ clauses }) => clauses > 0);
}

/** `not in this run (no case selected); 4 of them only with two runs, by wirecheck compare` */
function formatNotInRun({ explore }: Report, clauses: readonly ClauseReport[]): string {
  const two = clauses.filter(({ scope }) => scope === 'comparison').length;
  const byTwo = 'only with two runs, by wirecheck compare';
  if (two === clauses.length) return `not in this run: ${byTwo}`;
  const words = explore ? 'not by drawn requests: wirecheck run judges them' : 'not in this run (no case selected)';
  return two === 0 ? words : `${words}; ${two} of them ${byTwo}`;
}

/** `inconclusive: the status was not 200 (2 of them only in some cases)` */
function describeInconclusive({ clauses, reason }: UnjudgedGroup, noun: string): UnjudgedLine {
  const partly = clauses.filter(({ decidedBy }) => decidedBy > 0).length;
  const some = partly === 0 ? '' : ` (${partly === clauses.length ? '' : `${partly} of them `}only in some ${noun}s)`;
  return { words: `inconclusive: ${reason}${some}`, clauses: clauses.length };
}

/** `182 of 222 clauses were judged or observed (3 of them must, but judged only at a lower level). The other 40:` */
export function formatJudged(report: Report, notJudged: readonly UnjudgedLine[]): string {
  const states = [...statesOf(report).values()];
  const left = notJudged.reduce((sum, own) => sum + own.clauses, 0);
  const lowered = states.filter(({ isLowered }) => isLowered).length;
  const apart = lowered === 0 ? '' : ` (${lowered} of them must, but judged only at a lower level)`;
  return `${states.length - left} of ${count(states.length, 'clause')} were judged or observed${apart}. The other ${left}:`;
}
