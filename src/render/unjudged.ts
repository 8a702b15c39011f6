/**
 * What got no verdict. What could not be judged, by reason, with the remedy: clauses, cases, and a line each for the formats.
 * And what was observed and not judged: what the contract leaves open, and clauses whose level is observe.
 */

import { oncePer } from '../once-per.ts';
import { groupBy } from '../report/counts.ts';
import { isUndecided } from '../report/outcome.ts';
import type { CaseReport, ClauseReport, ExpectationReport, FindingReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count, inert, listFirst } from '../text/layout.ts';
import { formatObservationName, formatObservations } from '../verdict/observation.ts';
import { formatReason, formatRemedy, type Reason } from '../verdict/reason.ts';
import { type CaseExpectation, type ClauseState, coverageOf, listAsked, statesOf } from './clause-states.ts';
import { asCode, fact, type Fact, type List } from './document/document.ts';
import { countExcused } from './excused.ts';
import { countOf, formatExpectedAt, formatTypedActual } from './finding-text.ts';
import { addTallies, countSeen, unitOf, withoutTwice } from './fold.ts';
import { LOOKS, type Shade } from './looks.ts';

const MAX_REASON_LENGTH = 400;

/** One line: the reason and the remedy. */
function reasonLine(report: Report, { reason }: { readonly reason?: Reason | undefined }): string {
  if (!reason) return 'no reason given';
  return inert(`${formatReason(reason)}${formatCondition(report, reason)}`, MAX_REASON_LENGTH);
}

/** A run of several targets uses no extra keys: they are of one target. */
function formatCondition({ target }: Report, reason: Reason): string {
  const needsKey = reason.kind === 'needs' && reason.settings.some((setting) => setting.endsWith('-key'));
  return needsKey && target.name !== undefined ? ', in a run of this target alone' : '';
}

/** What enables it, if a setting does. */
function remedyOf(report: Report, { reason }: Ranked['expectation']): string | undefined {
  const remedy = reason?.kind === 'needs' && formatRemedy(reason);
  return remedy ? inert(`${remedy}${formatCondition(report, reason)}`, MAX_REASON_LENGTH) : undefined;
}

/** Why a case did not pass. `isError`: it keeps the run from conforming, and these are the reasons for that. */
export function whyUnjudged(
  report: Report,
  { verdict, expectations }: CaseReport,
): { readonly isError: boolean; readonly reasons: string } {
  const counting = expectations.filter((each) => isUndecided(each, report.strict));
  const isError = counting.length > 0;
  const own = isError ? counting : expectations.filter((each) => each.verdict === verdict);
  return { isError, reasons: [...new Set(own.map((each) => reasonLine(report, each)))].join('; ') };
}

/** Groups are by status, type and code, since messages may hold the id of a request. A message that all share is shown. */
function groupByReason<Item extends Ranked>(
  report: Report,
  left: readonly Item[],
): readonly (readonly [string, readonly Item[]])[] {
  const formOf = ({ expectation: { reason } }: Item): string => {
    if (reason === undefined || !('answer' in reason) || reason.answer === undefined)
      return reasonLine(report, { reason });
    const { message: _message, ...answer } = reason.answer;
    return reasonLine(report, { reason: { ...reason, answer } });
  };
  return [...groupBy(left, formOf)].map(([reason, group]) => {
    const [first, ...others] = new Set(group.map(({ expectation }) => reasonLine(report, expectation)));
    const remedy = group[0] && remedyOf(report, group[0].expectation);
    return [remedy ?? (first === undefined || others.length > 0 ? reason : first), group];
  });
}

export interface UnjudgedGroup {
  readonly shade: Shade;
  /** `pass --openapi`, or the reason if no setting enables the clauses. */
  readonly reason: string;
  /** None where other cases judged the clauses of its cases. */
  readonly clauses: readonly (Pick<ClauseState, 'clause' | 'decidedBy'> & {
    /** The cases that would have judged it. */
    readonly cases: readonly string[];
    /** Other settings that would do as well. */
    readonly others: readonly string[];
    /** Why it never came up. */
    readonly why?: string;
  })[];
  readonly cases: readonly string[];
}

/** A clause without a verdict, or a case without one all of whose clauses other cases judged; and what says why. */
interface Unjudged extends Ranked {
  readonly state?: ClauseState;
  readonly testCase?: CaseReport;
}

/**
 * Every clause without a verdict, each in one group, so that the numbers add up in every format. First those that had no
 * clear answer; then those for which a setting was given that did not suffice, and those that a setting enables. A clause with
 * several remedies is under the first. Cases whose clauses other cases judged are in the group of their reason.
 */
export const groupUnjudged = oncePer((report: Report): readonly UnjudgedGroup[] => {
  const withShade = (shade: Shade): readonly Unjudged[] =>
    [...statesOf(report).values()]
      .filter((state) => state.shade === shade)
      // A stored report may have no case that says why.
      .map((state) => ({ state, expectation: state.left.toSorted(compareRanks)[0]?.expectation ?? {} }));
  const byReason = (['inconclusive', 'skipped'] as const).flatMap((shade) => {
    const all = [...withShade(shade).toSorted(compareRanks), ...listBeside(report, shade)];
    return groupByReason(report, all).map(([reason, group]) => makeGroup(report, shade, reason, group));
  });
  const bySentence = (['none', 'idle', 'outside'] as const).flatMap((shade) => {
    const groups = groupBy(withShade(shade), ({ state }) => sentenceOf(report, shade, state?.clause.scope));
    return [...groups].map(([reason, group]) => makeGroup(report, shade, reason, group));
  });
  return [...byReason, ...bySentence];
});

function makeGroup(report: Report, shade: Shade, reason: string, group: readonly Unjudged[]): UnjudgedGroup {
  const clauses = group.flatMap(({ state, expectation }) => {
    if (!state) return [];
    const { clause, decidedBy, left } = state;
    const remedies = new Set(left.flatMap((each) => remedyOf(report, each.expectation) ?? []));
    remedies.delete(remedyOf(report, expectation) ?? '');
    const why = shade === 'idle' && expectation.reason ? { why: reasonLine(report, expectation) } : {};
    return [{ clause, decidedBy, cases: idsOf(left), others: [...remedies], ...why }];
  });
  const beside = group.flatMap(({ testCase }) => testCase?.id ?? []);
  return { shade, reason, clauses, cases: [...new Set([...clauses.flatMap(({ cases }) => cases), ...beside])] };
}

/** Why a clause has no verdict, where no case says it. */
function sentenceOf({ explore }: Report, shade: 'none' | 'idle' | 'outside', scope?: ClauseReport['scope']): string {
  if (shade === 'outside') return LOOKS.outside.meaning;
  if (shade === 'idle') return 'never came up in this run';
  if (scope === 'comparison') return 'compare two runs with wirecheck compare';
  return explore ? 'not by drawn requests: wirecheck run judges them' : 'no case of this run tests them';
}

/** Cases with this verdict all of whose clauses have another one. */
function listBeside(report: Report, shade: 'inconclusive' | 'skipped'): readonly Unjudged[] {
  const states = statesOf(report);
  return report.cases.flatMap((testCase) => {
    const { verdict, expectations } = testCase;
    const isBeside = !expectations.some(({ clause }) => isUnjudged(states.get(clause)?.shade ?? 'pass'));
    const expectation = expectations.find((each) => each.verdict === shade);
    return verdict === shade && isBeside && expectation ? [{ testCase, expectation }] : [];
  });
}

function isUnjudged(shade: Shade): boolean {
  return LOOKS[shade].word === LOOKS.skipped.word;
}

interface Ranked {
  readonly expectation: Pick<ExpectationReport, 'reason'>;
}

function compareRanks(left: Ranked, right: Ranked): number {
  return rankOf(left) - rankOf(right);
}

function rankOf({ expectation: { reason } }: Ranked): number {
  if (reason?.kind === 'context-not-reached') return 0;
  return reason?.kind === 'needs' ? 1 : 2;
}

function idsOf(all: readonly CaseExpectation[]): readonly string[] {
  return [...new Set(all.map(({ testCase }) => testCase.id))];
}

/** A reader of a terminal or of one page reads no more reasons. The full report has the rest. */
export const MAX_REASONS = 8;

/**
 * `39 of 225 clauses (7 of 77 must), 9 of 249 cases`: the clauses as on the overview of the page, the must clauses as in the
 * verdict line, and the cases as in the table of areas.
 */
export function countUnjudged(report: Report): string {
  const { caseWord } = traitsOf(report);
  const clauses = countClauses(groupUnjudged(report));
  const { judged, all } = coverageOf(report);
  const must = judged === all ? '' : ` (${all - judged} of ${all} must)`;
  const cases = report.cases.filter(({ verdict }) => isUnjudged(verdict)).length;
  return [
    ...(clauses === 0 ? [] : [`${clauses} of ${count(report.clauses.length, 'clause')}${must}`]),
    ...(cases === 0 ? [] : [`${cases} of ${count(report.cases.length, caseWord)}`]),
  ].join(', ');
}

/** Clauses that were not judged. */
export function countClauses(groups: readonly UnjudgedGroup[]): number {
  return groups.reduce((sum, { clauses }) => sum + clauses.length, 0);
}

/** All that was not judged, in one block: a line for each reason, with what to do. `most`: reasons that cases give. */
export function notJudgedList(report: Report, most = Infinity): List {
  const { unjudged, inPart } = coverageOf(report);
  const { caseWord } = traitsOf(report);
  const items = foldReasons(report, most).map(({ shade, reason, clauses, cases }) => {
    const must = clauses.filter(({ clause }) => unjudged.has(clause.id)).length;
    const isByCase = shade === 'inconclusive' || clauses.length === 0;
    const parts = [
      ...(clauses.length === 0 ? [] : [count(clauses.length, 'clause')]),
      ...(must === 0 ? [] : [`${must} must`]),
      ...(isByCase ? [count(cases.length, caseWord)] : []),
    ];
    const sign = shade === 'inconclusive' ? LOOKS[shade].sign : '-';
    return { text: reason, sign, ids: shade === 'idle' ? [] : cases, count: parts.join(', ') };
  });
  const lowered = inPart.map(([number, words]) => ({ text: `must clauses judged ${words}`, count: String(number) }));
  const heading = `Not judged: ${countUnjudged(report)}`;
  return { kind: 'list', heading, tone: 'quiet', items: [...items, ...lowered], noun: 'reason' };
}

/** Reasons beyond the most share a line, and so do those of cases whose clauses other cases judged. */
function foldReasons(report: Report, most: number): readonly UnjudgedGroup[] {
  const all = groupUnjudged(report);
  const beside = all.filter(({ shade, clauses }) => shade === 'skipped' && clauses.length === 0);
  const given = all.filter((each) => ['inconclusive', 'skipped'].includes(each.shade) && !beside.includes(each));
  const rest = given.slice(most);
  const fixed = all.filter((each) => !given.includes(each) && !beside.includes(each));
  const merge = (reason: string, groups: readonly UnjudgedGroup[]): readonly UnjudgedGroup[] => {
    const [first] = groups;
    const clauses = groups.flatMap((group) => group.clauses);
    return first ? [{ ...first, reason, clauses, cases: [...new Set(groups.flatMap(({ cases }) => cases))] }] : [];
  };
  return [
    ...given.slice(0, most),
    ...merge(inert(rest.map(({ reason }) => reason).join('; '), MAX_REASON_LENGTH), rest),
    ...fixed,
    ...merge(`other ${traitsOf(report).caseWord}s judged their clauses`, beside),
  ];
}

/**
 * Inconclusive expectations. In a case that is broken anyway they are left out if their clause is broken too: both are
 * counted as that.
 */
function listInconclusive(report: Report): readonly CaseExpectation[] {
  const own = new Set(report.clauses.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id));
  return listAsked(report).filter(
    ({ testCase, expectation: { verdict, clause } }) =>
      verdict === 'inconclusive' && (testCase.verdict === verdict || own.has(clause)),
  );
}

/** `Not judged in 3 cases: the status was not 200`, for formats with a line for each reason. */
export function inconclusiveFacts(report: Report, most = Infinity): readonly Fact[] {
  const all = groupByReason(report, listInconclusive(report));
  const shown = all
    .slice(0, most)
    .flatMap(([reason, group]) => fact(`Not judged in ${count(idsOf(group).length, 'case')}`, inert(reason, 240)));
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? fact('', `Not judged for ${count(more, 'more reason')}`) : [])];
}

const MAX_FACTS = 5;

/** The same, where the verdict depends on them: nothing failed that explains why something was inconclusive. */
export function undecidedFacts(report: Report): readonly Fact[] {
  const { name } = report.outcome;
  return name === 'not-judged' || name === 'unused-waivers' ? inconclusiveFacts(report, MAX_FACTS) : [];
}

/**
 * Below the table of areas, which counts each case once, by its worst verdict: only where the lists of cases, which have
 * every case with an expectation of their verdict, would seem to contradict it.
 */
export function tableNotes(report: Report): readonly string[] {
  const isInTwoLists = report.cases.some(({ expectations }) =>
    ['fail', 'warn'].every((name) => expectations.some(({ verdict }) => verdict === name)),
  );
  return [...(isInTwoLists ? ['Each case counts once, by its worst verdict.'] : []), ...countExcused(report)];
}

export interface ObservedClause {
  readonly clause: string;
  /** It could be judged, but its level is observe. */
  readonly isLowered: boolean;
  /** Names with what was seen, such as `status` and `400`. */
  readonly facts: readonly (readonly [name: string, values: readonly string[]])[];
}

/** Clauses are in the order of the contract. */
export function listObserved(report: Report): readonly ObservedClause[] {
  const recorded = groupBy(report.observations, ({ clause }) => clause);
  const lowered = groupBy(report.cases.flatMap(loweredOf), ({ expectation }) => expectation.clause);
  const order = report.clauses.map(({ id }) => id);
  return [...new Set([...recorded.keys(), ...lowered.keys()])]
    .toSorted((left, right) => order.indexOf(left) - order.indexOf(right))
    .map((clause) => {
      const own = lowered.get(clause) ?? [];
      const named = [...groupBy(recorded.get(clause) ?? [], formatObservationName)].map(
        ([name, same]) => [name, formatObservations(same.map(({ value }) => value))] as const,
      );
      return { clause, isLowered: own.length > 0, facts: [...named, ...describeLowered(report, own)] };
    });
}

interface Lowered {
  readonly case: CaseReport;
  readonly expectation: ExpectationReport;
}

/** Expectations that a check would judge. Of what the contract leaves open, nothing can be kept or broken. */
export function loweredOf(testCase: CaseReport): readonly Lowered[] {
  return testCase.expectations
    .filter(
      ({ verdict, kind, observations }) => verdict === 'observed' && kind !== 'silent' && observations.length === 0,
    )
    .map((expectation) => ({ case: testCase, expectation }));
}

/** `kept in 49 of 137 answers`, and what was seen instead: `401 (integer) instead of a string at /error/code`. */
export function describeLowered(report: Report, all: readonly Lowered[]): ObservedClause['facts'] {
  const lowered = withoutTwice(all, (some) => (some.length === 0 ? -1 : tally(some).judged));
  if (lowered.length === 0) return [];
  const members = lowered.flatMap(({ case: own, expectation: { findings } }) =>
    findings.map((finding) => ({ case: own, finding })),
  );
  const unit = unitOf(report, members);
  const formOf = ({ finding }: { readonly finding: FindingReport }): string =>
    `${formatTypedActual(finding)} instead of ${formatExpectedAt(finding)}`;
  const seen = [...groupBy(members, formOf)].map(([words, same]) =>
    // Under load, findings are examples.
    report.load ? words : `${words} (${countOf(countSeen(unit, same), unit)})`,
  );
  const { judged, broken } = tally(lowered);
  const kept = lowered.filter(({ expectation }) => expectation.findings.length === 0).length;
  // Where answers are not counted, in how many cases.
  const inAll =
    judged > 0
      ? `in ${judged - broken} of ${count(judged, 'answer')}`
      : `in ${kept} of ${count(lowered.length, traitsOf(report).caseWord)}`;
  return [['kept', [inAll]], ...(seen.length === 0 ? [] : [['seen', seen] as const])];
}

function tally(all: readonly Lowered[]): ReturnType<typeof addTallies> {
  return addTallies(all.flatMap(({ expectation }) => expectation.answers ?? []));
}

/** Clauses whose level is observe. What the contract leaves open is in the full report. */
export function loweredList(report: Report): List {
  const items = listObserved(report)
    .filter(({ isLowered }) => isLowered)
    .map(({ clause, facts }) => ({
      text: asCode(inert(clause)),
      facts: facts.flatMap(([name, values]) => fact(inert(name), values.map((value) => inert(value, 600)).join('; '))),
    }));
  return {
    kind: 'list',
    heading: `Recorded, not judged: ${count(items.length, 'clause')}`,
    items,
    noun: 'clause',
  };
}

/** How much was observed, and where to read it. */
export function observedFact(report: Report, page: string | undefined): readonly Fact[] {
  const all = listObserved(report);
  if (all.length === 0) return [];
  const lowered = all.filter(({ isLowered }) => isLowered).length;
  const open = all.length - lowered;
  const words = [
    ...(open === 0 ? [] : [`${count(open, 'thing')} the contract leaves open`]),
    ...(lowered === 0 ? [] : [`${count(lowered, 'clause')} at the level observe`]),
  ];
  return fact('Recorded', `${words.join(', ')}; ${page === undefined ? '--verbose lists them' : `see ${page}`}`);
}

/** Values shown of an observation. */
const MAX_VALUES = 4;
const MAX_VALUE = 60;
const MAX_SENTENCE = 400;

export function observedFacts(report: Report): { readonly heading: string; readonly facts: readonly Fact[] } {
  const all = listObserved(report);
  const why = all.some(({ isLowered }) => isLowered) ? ', or at the level observe' : '';
  return {
    heading: `Recorded (not specified by the contract${why}, never judged)`,
    facts: all.flatMap((each) => fact(each.clause, formatObserved(each))),
  };
}

function formatObserved({ facts, isLowered }: ObservedClause): string {
  const texts = facts.map(([name, values]) => {
    const shown = values.map((value) => inert(value, isLowered ? MAX_SENTENCE : MAX_VALUE));
    return `${inert(name, 60)}: ${shown.length === 0 ? 'none' : listFirst(shown, MAX_VALUES)}`;
  });
  return texts.join('; ');
}
