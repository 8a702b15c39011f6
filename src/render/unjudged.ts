/**
 * What got no verdict. What could not be judged, by reason, with the remedy: clauses, cases, and a line each for the formats.
 * And what was observed and not judged: what the contract leaves open, and clauses whose level is observe.
 */

import { groupBy } from '../report/counts.ts';
import { isNotApplicable, isUndecided } from '../report/outcome.ts';
import type { CaseReport, ClauseReport, ExpectationReport, FindingReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count, inert, listFirst } from '../text/layout.ts';
import { formatObservationName, formatObservations } from '../verdict/observation.ts';
import { formatReason, formatRemedy, type Reason } from '../verdict/reason.ts';
import { type CaseExpectation, type ClauseState, listAsked, statesOf } from './clause-states.ts';
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
function remedyOf(report: Report, { reason }: ExpectationReport): string | undefined {
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
    return [first === undefined || others.length > 0 ? reason : first, group];
  });
}

/** The shades that have a reason. */
export type UnjudgedShade = 'inconclusive' | 'skipped' | 'idle';

export interface UnjudgedGroup {
  /** `not tested: pass --openapi` */
  readonly reason: string;
  /** `pass --openapi`, or the reason if no setting enables the clauses. */
  readonly remedy: string;
  readonly clauses: readonly (Pick<ClauseState, 'clause' | 'decidedBy'> & {
    /** The cases that would have judged it. */
    readonly cases: readonly string[];
    /** Other settings that would do as well. */
    readonly others: readonly string[];
  })[];
}

/**
 * Clauses of this shade by reason. First those for which a setting was given that did not suffice, then those that a setting
 * enables. A clause with several remedies is in one place, under the first.
 */
export function groupUnjudged(report: Report, shade: UnjudgedShade): readonly UnjudgedGroup[] {
  const all = [...statesOf(report).values()].flatMap((state) => {
    const [first] = state.left.toSorted(compareRanks);
    return state.shade === shade && first ? [{ ...state, ...first }] : [];
  });
  return groupByReason(report, all.toSorted(compareRanks)).map(([reason, group]) => ({
    reason,
    remedy: (group[0] && remedyOf(report, group[0].expectation)) ?? reason,
    clauses: group.map(({ clause, decidedBy, left, expectation }) => {
      const remedies = new Set(left.flatMap((each) => remedyOf(report, each.expectation) ?? []));
      remedies.delete(remedyOf(report, expectation) ?? '');
      return { clause, decidedBy, cases: idsOf(left), others: [...remedies] };
    }),
  }));
}

type Ranked = Pick<CaseExpectation, 'expectation'>;

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

/** `5 clauses`, each counted once. */
export function countClauses(groups: readonly UnjudgedGroup[]): string {
  return count(groups.flatMap(({ clauses }) => clauses).length, 'clause');
}

export function notTestedList(report: Report): List {
  const all = groupUnjudged(report, 'skipped');
  const items = all.map(({ remedy, clauses }) => {
    const ids = [...new Set(clauses.flatMap(({ cases }) => cases))];
    return { text: remedy, ids, count: `${count(clauses.length, 'clause')} in ${count(ids.length, 'case')}` };
  });
  return { kind: 'list', heading: `${headOf('skipped')}: ${countClauses(all)}`, items, noun: 'reason' };
}

const MAX_REMEDIES = 5;

/** `Not judged (not tested)`: the word and the reason of a shade. */
function headOf(shade: UnjudgedShade): string {
  const { word, reason } = LOOKS[shade];
  return `${word.charAt(0).toUpperCase()}${word.slice(1)} (${reason})`;
}

/** `Not judged: 4 clauses, 2 of them must (pass --openapi; set WIRECHECK_RESTRICTED_KEY)` */
export function notTestedFact(report: Report): readonly Fact[] {
  const all = groupUnjudged(report, 'skipped');
  if (all.length === 0) return [];
  const remedies = all.map(({ remedy }) => remedy);
  // A reason is more useful than "1 more reason", and hardly longer.
  const shown = remedies.length === MAX_REMEDIES + 1 ? remedies : remedies.slice(0, MAX_REMEDIES);
  const more = remedies.length - shown.length;
  const list = [...shown, ...(more > 0 ? [count(more, 'more reason')] : [])].join('; ');
  const must = all.flatMap(({ clauses }) => clauses).filter(({ clause }) => clause.level === 'must').length;
  return fact('Not judged', `${countClauses(all)}${must === 0 ? '' : `, ${must} of them must`} (${list})`);
}

interface CasesByReason {
  readonly reason: string;
  readonly cases: readonly string[];
}

/** Cases that were skipped although other cases judged all their clauses, by reason. */
export function groupSkippedBeside(report: Report): readonly CasesByReason[] {
  const states = statesOf(report);
  const skipped = listAsked(report).filter(
    ({ expectation: own }) => own.verdict === 'skipped' && !isNotApplicable(own),
  );
  // One of them that nothing judged is named with its clause.
  const named = new Set(
    skipped.flatMap(({ testCase, expectation }) => (states.get(expectation.clause)?.decidedBy ? [] : [testCase])),
  );
  const beside = skipped.filter(({ testCase }) => !named.has(testCase));
  return groupByReason(report, beside).map(([reason, group]) => ({ reason, cases: idsOf(group) }));
}

type LeftOut = 'inconclusive' | 'skipped';

/**
 * Expectations with this verdict. One that is inconclusive in a case that is broken anyway is left out if its clause is
 * broken too: both are counted as that.
 */
function listLeftOut(report: Report, verdict: LeftOut): readonly CaseExpectation[] {
  const own = new Set(report.clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id));
  const left = listAsked(report).filter(({ expectation }) => expectation.verdict === verdict);
  if (verdict === 'skipped') return left;
  return left.filter(({ testCase, expectation }) => testCase.verdict === verdict || own.has(expectation.clause));
}

/** Cases with expectations of this verdict, by reason. A case with several reasons is in one place, under all of them. */
export function leftOutByReason(report: Report, verdict: LeftOut): readonly CasesByReason[] {
  const rows = groupByReason(report, listLeftOut(report, verdict)).flatMap(([reason, group]) =>
    idsOf(group).map((id) => ({ id, reason })),
  );
  const byCase = [...groupBy(rows, ({ id }) => id)];
  const groups = groupBy(byCase, ([, own]) => [...new Set(own.map(({ reason }) => reason))].join('; '));
  return [...groups].map(([reason, group]) => ({ reason, cases: group.map(([id]) => id) }));
}

/** `Not judged (inconclusive): 3 clauses in 12 cases`; without clauses if each of them is broken in another case. */
export function leftOutList(report: Report, verdict: LeftOut): List {
  const isSkipped = verdict === 'skipped';
  const cases = count(new Set(listLeftOut(report, verdict).map(({ testCase }) => testCase)).size, 'case');
  const clauses = report.clauses.filter((each) => each.verdict === verdict).length;
  const inconclusive = `${headOf('inconclusive')}: ${clauses === 0 ? '' : `${count(clauses, 'clause')} in `}${cases}`;
  return {
    kind: 'list',
    heading: isSkipped ? `Not judged, at least in part: ${cases}` : inconclusive,
    tone: isSkipped ? 'quiet' : 'unsure',
    items: leftOutByReason(report, verdict).map(({ reason, cases: ids }) => ({
      text: reason,
      sign: isSkipped ? '-' : '?',
      ids,
      count: count(ids.length, 'case'),
    })),
    noun: 'reason',
  };
}

/** `Not judged in 3 cases: the status was not 200`, for formats with a line for each reason. */
export function inconclusiveFacts(report: Report, most = Infinity): readonly Fact[] {
  const all = leftOutByReason(report, 'inconclusive');
  const shown = all
    .slice(0, most)
    .flatMap(({ reason, cases }) => fact(`Not judged in ${count(cases.length, 'case')}`, inert(reason, 240)));
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
  const undecided = new Set(listLeftOut(report, 'inconclusive').map(({ testCase }) => testCase));
  const isInTwoLists = report.cases.some((testCase) => {
    const broken = ['fail', 'warn'].filter((name) => testCase.expectations.some(({ verdict }) => verdict === name));
    return broken.length + (undecided.has(testCase) ? 1 : 0) > 1;
  });
  return [...(isInTwoLists ? ['Each case counts once, by its worst verdict.'] : []), ...countExcused(report)];
}

/** A reader of one page reads no more reasons. The full report has the rest. */
const MAX_REASONS = 8;

interface UnjudgedLine {
  readonly words: string;
  readonly clauses: number;
}

/**
 * Every clause without a verdict, by what it would take, such as `inconclusive: the status was not 200 (2 of them only in some
 * cases)`. `readOn`: the way to the full report, if there is one.
 */
export function listNotJudged(report: Report, readOn: string): readonly UnjudgedLine[] {
  const reasons = [
    ...groupUnjudged(report, 'inconclusive').map(({ clauses, reason }) => {
      const partly = clauses.filter(({ decidedBy }) => decidedBy > 0).length;
      const of = partly === clauses.length ? '' : `${partly} of them `;
      const some = partly === 0 ? '' : ` (${of}only in some ${traitsOf(report).caseWord}s)`;
      return { words: `inconclusive: ${reason}${some}`, clauses: clauses.length };
    }),
    ...groupUnjudged(report, 'skipped').map(({ clauses, remedy }) => ({ words: remedy, clauses: clauses.length })),
  ];
  const withShade = (shade: Shade): readonly ClauseReport[] =>
    [...statesOf(report).values()].filter((state) => state.shade === shade).map(({ clause }) => clause);
  return [
    ...reasons.slice(0, MAX_REASONS),
    { words: `for other reasons${readOn}`, clauses: sumClauses(reasons.slice(MAX_REASONS)) },
    { words: 'no occasion in this run', clauses: withShade('idle').length },
    { words: formatNotInRun(report, withShade('none')), clauses: withShade('none').length },
    { words: 'cannot be seen over the wire (outside)', clauses: withShade('outside').length },
  ].filter(({ clauses }) => clauses > 0);
}

export function sumClauses(lines: readonly UnjudgedLine[]): number {
  return lines.reduce((sum, { clauses }) => sum + clauses, 0);
}

/** `not in this run (no case selected); 4 of them only with two runs, by wirecheck compare` */
function formatNotInRun({ explore }: Report, clauses: readonly ClauseReport[]): string {
  const two = clauses.filter(({ scope }) => scope === 'comparison').length;
  const byTwo = 'only with two runs, by wirecheck compare';
  if (two === clauses.length) return `not in this run: ${byTwo}`;
  const words = explore ? 'not by drawn requests: wirecheck run judges them' : 'not in this run (no case selected)';
  return two === 0 ? words : `${words}; ${two} of them ${byTwo}`;
}

/** `182 of 222 clauses were judged or recorded (3 of them must, but judged only at a lower level). The other 40:` */
export function formatJudged(report: Report, notJudged: readonly UnjudgedLine[]): string {
  const states = [...statesOf(report).values()];
  const left = sumClauses(notJudged);
  const lowered = states.filter(({ isLowered }) => isLowered).length;
  const apart = lowered === 0 ? '' : ` (${lowered} of them must, but judged only at a lower level)`;
  return `${states.length - left} of ${count(states.length, 'clause')} were judged or recorded${apart}. The other ${left}:`;
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
