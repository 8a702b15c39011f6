/** What was seen: what a finding expected and what came instead, in how many answers and forms, and what was observed. */
import { groupBy } from '../report/counts.ts';
import type { CaseReport, ExpectationReport, FindingReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { isQuote } from '../text/quote.ts';
import { formatActual } from '../verdict/actual.ts';
import { formatExpected } from '../verdict/expected.ts';
import { formatObservationName, formatObservations } from '../verdict/observation.ts';
import type { CountedAnswers } from '../verdict/verdict.ts';
import { countSeen, type Entry, type SeenUnit, unitOf } from './fold.ts';
import { BEYOND_ASCII_IN_LINE, escapeAll, looksAlike, UNSEEN_IN_LINE } from './visible-text.ts';

/** `1 cause in 3 cases`. `noun`: what the subject of the report calls its cases. */
export function countFindings(entries: readonly Entry[], noun = 'case'): string {
  const cases = new Set(entries.flatMap((entry) => entry.cases));
  return `${count(entries.length, 'cause')} in ${count(cases.size, noun)}`;
}

/** `and in 20 more answers`, of the form that is shown; empty if there is only one. */
export function formatFurther({ answers, alike, unit, places, intermittent, share, statuses }: Entry): string {
  if (intermittent) return `intermittent: ${formatCounted(intermittent)}`;
  if (share) return `in ${formatCounted(share)}`;
  const several = statuses.length > 1 ? `, with status ${statuses.join(', ')}` : '';
  if (alike > 1) return `and in ${countOf(alike - 1, unit, 'more ')}${several}`;
  return answers <= 1 && places > 1 ? `and in ${count(places - 1, 'more place')}` : '';
}

/** `2 cases`, `3 more calls of its case` */
export function countOf(number: number, unit: SeenUnit, more: 'more ' | '' = ''): string {
  const many = unit === 'call of its case' ? 'calls of its case' : `${unit}s`;
  return count(number, `${more}${unit}`, `${more}${many}`);
}

/** `2 cases, 45 answers`, `3 scenarios` */
export function formatSeenIn(report: Report, { cases, seen, unit }: Pick<Entry, 'cases' | 'seen' | 'unit'>): string {
  const { caseWord } = traitsOf(report);
  const inCases = count(cases.length, caseWord);
  if (unit === caseWord) return inCases;
  return `${inCases}, ${unit === 'call of its case' ? count(seen, 'call') : countOf(seen, unit)}`;
}

/** `, intermittent: 9 of 40 answers`, `, in 9 of 40 answers`; empty if no answer kept the clause. */
export function formatSeenShare({ intermittent, share }: Pick<Entry, 'intermittent' | 'share'>): string {
  if (intermittent) return `, intermittent: ${formatCounted(intermittent)}`;
  return share ? `, in ${formatCounted(share)}` : '';
}

/** `90 of 257 answers with status 400, 52 of 154 with 401` */
export function formatCounted({ broken, judged, statuses = [] }: CountedAnswers): string {
  const [first, ...others] = statuses;
  if (!first) return `${broken} of ${count(judged, 'answer')}`;
  const rest = others.map((row) => `${row.broken} of ${row.judged} with ${row.status}`);
  return [`${first.broken} of ${count(first.judged, 'answer')} with status ${first.status}`, ...rest].join(', ');
}

/** Whether answers to this kind of request, with this status, also kept the clause: then one more may do so. */
export function isOfMixedKind(
  report: Report,
  { expectation, finding }: Pick<Entry, 'expectation' | 'finding'>,
): boolean {
  const shown = finding && report.exchanges.find(({ id }) => id === finding.exchange);
  if (!shown) return false;
  const { endpoint, mode, attempts } = shown;
  const status = attempts[finding.attempt]?.answer?.status;
  const { mixed = [] } = expectation;
  return mixed.some((kind) => kind.endpoint === endpoint && kind.mode === mode && kind.status === status);
}

/** Of a fold of findings. */
type Folded = Pick<Entry, 'expectation' | 'finding'> & Partial<Pick<Entry, 'forms' | 'unit'>>;

/** `200 with a list of 2 models in 45 answers; 502 in 89 more cases that could not be judged` */
export function formatForms(report: Report, entry: Folded): string | undefined {
  const { forms, unit = 'answer' } = entry;
  if (forms === undefined) return undefined;
  const texts = forms.flatMap(({ finding, seen }) =>
    finding ? [`${formatTypedActual(finding)} in ${countOf(seen, unit)}`] : [],
  );
  return [...texts, ...alikeButUnjudged(report, entry)].join('; ') || undefined;
}

/** The same status where it proves nothing, such as if the control was not answered either: the counts leave it out. */
function alikeButUnjudged(report: Report, { expectation, finding }: Folded): readonly string[] {
  const status = finding && 'status' in finding.actual ? finding.actual.status : undefined;
  if (status === undefined) return [];
  const isAlike = ({ clause, verdict, reason }: ExpectationReport): boolean =>
    clause === expectation.clause && verdict === 'inconclusive' && statusIn(reason) === status;
  const { length } = report.cases.filter(({ expectations }) => expectations.some(isAlike));
  if (length === 0) return [];
  return [`${status} in ${count(length, `more ${traitsOf(report).caseWord}`)} that could not be judged`];
}

function statusIn(reason: ExpectationReport['reason']): number | undefined {
  return reason && 'answer' in reason ? reason.answer?.status : undefined;
}

const MAX_LENGTH = 400;

export function formatExpectedAt(finding: FindingReport): string {
  const { expected, pointer } = finding;
  const text = inert(formatExpected(expected), MAX_LENGTH);
  return `${showUnseen(finding, text)}${pointer ? ` at ${inert(pointer)}` : ''}`;
}

/** Where a text was changed on its way, what cannot be seen is escaped, and all but ASCII if both look alike. */
function showUnseen({ expected, actual }: FindingReport, text: string): string {
  const [sent, got] = [expected, actual].map((side) => ('text' in side && isQuote(side.text) ? side.text : undefined));
  if (typeof sent?.quote !== 'string' || typeof got?.quote !== 'string') return text;
  // Excerpts of one length were cut there.
  const areAlike = looksAlike(sent.quote, got.quote, sent.quote.length === got.quote.length);
  return escapeAll(text, areAlike ? BEYOND_ASCII_IN_LINE : UNSEEN_IN_LINE);
}

/** Types that the value alone leaves in doubt: `401` may be a number or a string. */
const TYPES_TO_NAME = ['integer', 'number', 'string', 'boolean', 'array', 'object'];

export function formatTypedActual(finding: FindingReport): string {
  const { actual, actualType, status } = finding;
  const own = showUnseen(finding, inert(formatActual(actual), MAX_LENGTH));
  const text = (actual.kind === 'absent' && nameAbsent(finding)) || own;
  if (actual.kind === 'absent' && status !== undefined) return `${text} (status ${status})`;
  return actual.kind === 'value' && TYPES_TO_NAME.includes(actualType) ? `${text} (${actualType})` : text;
}

/** Of what is absent, where the expectation or the place says what it is. */
function nameAbsent({ expected, pointer, mismatch, actualType }: FindingReport): string | undefined {
  if (mismatch === 'finish-reason') return 'no finish_reason';
  if (expected.kind === 'given-key') return 'no Authorization header';
  if (actualType === 'nothing') return 'a stream without any event';
  if (expected.kind === 'header-named' || expected.kind === 'retry-after') return 'no such header, or an empty one';
  return pointer === undefined || pointer === '' ? undefined : 'no such field';
}

export interface ObservedClause {
  readonly clause: string;
  /** It could be judged, but its level is observe. */
  readonly isLowered: boolean;
  /** Names with what was seen, such as `status` and `400`. */
  readonly facts: readonly (readonly [name: string, values: readonly string[]])[];
}

/** In the order of the contract. */
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

export function describeLowered(report: Report, all: readonly Lowered[]): ObservedClause['facts'] {
  const lowered = withoutTwice(all);
  if (lowered.length === 0) return [];
  const members = lowered.flatMap(({ case: own, expectation: { findings } }) =>
    findings.map((finding) => ({ case: own, finding })),
  );
  const unit = unitOf(report, members, new Map(report.exchanges.map((exchange) => [exchange.id, exchange])));
  const seen = [...groupBy(members, ({ finding }) => formatSeen(finding))].map(([words, same]) =>
    // Under load, findings are examples.
    report.load ? words : `${words} (${countOf(countSeen(unit, same), unit)})`,
  );
  return [['kept', [formatKept(report, lowered)]], ...(seen.length === 0 ? [] : [['seen', seen] as const])];
}

/** A case without a request of its own looks at the answers that other cases got. */
function withoutTwice(all: readonly Lowered[]): readonly Lowered[] {
  const own = all.filter((each) => each.case.exchange !== undefined);
  const looked = all.filter((each) => each.case.exchange === undefined);
  return tally(looked).judged >= tally(own).judged && looked.length > 0 ? looked : own;
}

function tally(all: readonly Lowered[]): { readonly judged: number; readonly broken: number } {
  const rows = all.flatMap(({ expectation }) => expectation.answers ?? []);
  return {
    judged: rows.reduce((sum, { judged }) => sum + judged, 0),
    broken: rows.reduce((sum, { broken }) => sum + broken, 0),
  };
}

/** `in 49 of 137 answers`; where answers are not counted, in how many cases. */
function formatKept(report: Report, lowered: readonly Lowered[]): string {
  const { judged, broken } = tally(lowered);
  if (judged > 0) return `in ${judged - broken} of ${count(judged, 'answer')}`;
  const kept = lowered.filter(({ expectation }) => expectation.findings.length === 0);
  return `in ${kept.length} of ${count(lowered.length, traitsOf(report).caseWord)}`;
}

/** `401 (integer) instead of a string at /error/code` */
function formatSeen(finding: FindingReport): string {
  return `${formatTypedActual(finding)} instead of ${formatExpectedAt(finding)}`;
}
