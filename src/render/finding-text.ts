/** A finding as labelled lines, and what was seen of it in how many answers and forms. Every text is one line and inert. */

import { formatErrorSaid } from '../exchange/answer-status.ts';
import { pointerTokens } from '../json.ts';
import { affectedOf } from '../report/affected.ts';
import type { LoadCount, RepeatNeeds } from '../report/load-report.ts';
import { checkOfLibrary, commandToExplain } from '../report/repeat/repeat-command.ts';
import { repeatOfFinding } from '../report/repeat/shown-exchanges.ts';
import type {
  AffectedClients,
  AffectedReport,
  CaseReport,
  ExpectationReport,
  FindingReport,
  Report,
} from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count, inert } from '../text/layout.ts';
import { formatQuote, isQuote } from '../text/quote.ts';
import { formatActual } from '../verdict/actual.ts';
import { formatExpected } from '../verdict/expected.ts';
import type { CountedAnswers, SharedTrait } from '../verdict/verdict.ts';
import { formatSent, isAboutRequests } from './client-text.ts';
import { asCode, fact, type Fact, type List, type ListItem, listCodes } from './document/document.ts';
import { baselineDay, excuseOf, formatExcuse } from './excused.ts';
import { BEYOND_ASCII_IN_LINE, drawnTexts, escapeAll, looksAlike, UNSEEN_IN_LINE } from './explore-text.ts';
import { foldFindings, type Group, groupOf, GROUPS, type RootCause, type SeenUnit } from './fold.ts';
import { formatLoadCount, formatWhyThere, LOAD_WORDS } from './load-facts.ts';
import { lookUp } from './lookup.ts';
import { KIND_WORDS, partOrOwner } from './profile-text.ts';
import { findBothEnds, flakyTries, formatClientEnd, formatRequest, formatUpstreamEnd } from './request-text.ts';

/** A finding with its case and its expectation. A fold of several findings has the same fields, and what they add up to. */
export type FindingPlace = Pick<RootCause, 'case' | 'expectation' | 'finding'> &
  Partial<Pick<RootCause, 'forms' | 'unit' | 'intermittent' | 'share'>>;

/** Labels of the facts, in the order in which formats list them. `code`: what is not a sentence of ours. */
const LABELS = {
  requirement: ['Requirement'],
  /** What a client met. */
  scenario: ['Scenario'],
  expected: ['Expected', 'code'],
  actual: ['Actual', 'code'],
  /** Other forms of the same fault, and cases that show it but could not be judged. */
  also: ['Also', 'code'],
  /** The whole shape, where an object or a list is expected. */
  passes: ['Passes', 'code'],
  /** Answers that show it under load, and from how many calls in flight on. */
  seen: ['Seen in'],
  /** What only the answers with the fault have in common. */
  shared: ['Only with'],
  /** What is unusual about the head of the answer that a client was sent. */
  sent: ['Sent', 'code'],
  /** What the answer says: the words of an error, or the event of a stream. */
  answer: ['Answer', 'code'],
  /** Who suffers from the broken clause, and how. */
  hurts: ['Who is hurt'],
  /** Stock clients, as measured. Reads on after the label. */
  affected: ['Affected'],
  /** The requests before the one that fails, in a sequence on one connection. */
  before: ['Before it', 'code'],
  request: ['Request', 'code'],
  /** How a drawn request was reached, and what makes it fail. */
  drawn: ['Found', 'code'],
  difference: ['Difference', 'code'],
  /** What happened at both ends of a relay. */
  client: ['Client', 'code'],
  upstream: ['Upstream', 'code'],
  waiver: ['Waiver'],
  /** How the finding compares with the baseline. */
  baseline: ['Baseline'],
  repeat: ['Repeat', 'command'],
  /** What the command takes: never part of it, since some shells would take a remark for arguments. */
  needs: ['Needs'],
  /** How to make it show, if some answers are right. */
  tries: ['Note'],
  /** Why no command repeats it. */
  unrepeated: ['Repeat'],
  explain: ['Explain', 'command'],
} as const satisfies Readonly<Record<string, readonly [label: string, kind?: 'code' | 'command']>>;

type FactName = keyof typeof LABELS;
export type FindingTexts = Readonly<
  Partial<Record<FactName, string | undefined>> & Record<'requirement' | 'explain', string>
>;

/** The facts that a finding has. `further`: in which other answers it shows. */
export function findingFacts(
  texts: FindingTexts,
  further = '',
  without: readonly FactName[] = [],
): readonly (Fact & { readonly name: FactName })[] {
  return (Object.keys(LABELS) as FactName[]).flatMap((name) => {
    const text = texts[name];
    if (text === undefined || without.includes(name)) return [];
    const [label, kind] = LABELS[name];
    return {
      name,
      label,
      text: kind === undefined ? text : asCode(text),
      ...(name === 'actual' && { aside: further, isTelling: true }),
      ...(kind === 'command' && { isCommand: true }),
    };
  });
}

const MAX_COMMAND_LENGTH = 4000;
const MAX_FACT_LENGTH = 400;

export function formatFinding(report: Report, place: FindingPlace): FindingTexts {
  const { case: testCase, expectation, finding } = place;
  const { clause } = expectation;
  const seen = report.load?.counts.find((own) => own.case === testCase.id && own.clause === clause);
  const { passes, hurts } = clauseOf(report, expectation)?.explanation ?? {};
  return {
    requirement: requirementOf(report, expectation),
    ...(finding && { expected: formatExpectedAt(finding), actual: formatTypedActual(finding) }),
    also: formatForms(report, place),
    passes: passes !== undefined && isShape(finding) ? inert(passes, MAX_FACT_LENGTH) : undefined,
    seen: seen && formatLoadCount(seen),
    shared: sharedBy(expectation, seen),
    answer: finding && answerOf(report, finding),
    ...tellHurt(hurts, finding && affectedOf(report, clause, finding)),
    ...requestTextsOf(report, place),
    [excuseOf(place) === 'waived' ? 'waiver' : 'baseline']: formatExcuse(report, place),
    ...repeatTextsOf(report, place, seen),
    explain: inert(commandToExplain(report, [clause]), MAX_COMMAND_LENGTH),
  };
}

/** That no measured client is hurt comes first: apart, they would contradict each other. */
export function tellHurt(hurts?: string, affected?: AffectedReport): Pick<FindingTexts, 'hurts' | 'affected'> {
  const clients = affected && formatAffected(affected);
  const isSpared = affected?.mismatches.every((each) => each.affected.length === 0);
  if (hurts === undefined) return { affected: clients };
  const words = inert(hurts, MAX_FACT_LENGTH);
  return isSpared ? { hurts: `${clients}. Others: ${words}` } : { hurts: words, affected: clients };
}

function isShape({ expected }: Partial<FindingReport> = {}): boolean {
  return expected?.kind === 'type' && expected.types.some((type) => type === 'object' || type === 'array');
}

/** `about 14 s at 16 in flight, up to 86 s in all; --allow-load staging.example if its operator agreed` */
function formatNeeds({ permission, inFlight, seconds, most }: RepeatNeeds, why: string): string | undefined {
  const time =
    inFlight === undefined ? [] : [`about ${seconds} s at ${inFlight} in flight${why}, up to ${most} s in all`];
  const host = permission === undefined ? [] : [`--allow-load ${inert(permission, 300)} if its operator agreed`];
  return [...time, ...host].join('; ') || undefined;
}

const TRIES = 'Other answers of this kind are right. If the command does not show it, run it again.';

function repeatTextsOf(report: Report, place: FindingPlace, seen: LoadCount | undefined): Partial<FindingTexts> {
  const { case: testCase, expectation, finding } = place;
  const repeat = repeatOfFinding(report, testCase, expectation, finding);
  if (repeat === undefined) {
    const check = checkOfLibrary(testCase.expectations);
    const words = `by the library only: no command has the check ${inert(check ?? '', 120)}`;
    return { unrepeated: check === undefined ? undefined : words };
  }
  const { repeatNeeds = {} } = testCase;
  return {
    repeat: inert(repeat, MAX_COMMAND_LENGTH),
    needs: formatNeeds(repeatNeeds, formatWhyThere(report, seen, repeatNeeds.inFlight)),
    tries: place.share && isOfMixedKind(report, place) ? TRIES : flakyTries(report, finding?.exchange),
  };
}

/** The request, how it was drawn, what a client was sent, and both ends of a relay. */
function requestTextsOf(report: Report, { case: testCase, finding }: FindingPlace): Partial<FindingTexts> {
  const { isCaller } = traitsOf(report);
  const exchange = lookUp(report).exchange(finding?.exchange);
  const ends = findBothEnds(report, testCase, finding?.exchange);
  return {
    request: exchange && formatRequest(report, exchange, testCase),
    ...drawnTexts(report, finding?.exchange),
    ...(isCaller && {
      scenario: inert(testCase.title, MAX_FACT_LENGTH),
      sent: exchange && !isAboutRequests(testCase) ? formatSent(exchange) : undefined,
    }),
    ...(ends && { client: formatClientEnd(ends), upstream: formatUpstreamEnd(ends) }),
  };
}

export function findingSentence(report: Report, place: FindingPlace): string {
  const { expectation, finding } = place;
  const forms = formatForms(report, place);
  const share = formatSeenShare(place);
  const got = finding && `got ${formatTypedActual(finding)}${share === '' ? '' : `, ${share}`}`;
  const also = forms === undefined ? '' : `; also ${forms}`;
  const mismatch = finding ? ` Expected ${formatExpectedAt(finding)}; ${got}${also}.` : '';
  const answer = finding?.answer ? ` The answer: ${inert(formatErrorSaid(finding.answer), MAX_FACT_LENGTH)}` : '';
  return `${requirementOf(report, expectation)}${mismatch}${answer}`;
}

export function clauseOf(report: Report, { clause }: ExpectationReport): Report['clauses'][number] | undefined {
  return lookUp(report).clause(clause);
}

export function requirementOf(report: Report, expectation: ExpectationReport): string {
  return inert(clauseOf(report, expectation)?.summary ?? expectation.clause, 400);
}

/** `header server: b, connection 7` */
function sharedBy({ shared }: ExpectationReport, seen: LoadCount | undefined): string | undefined {
  if (seen?.onlyWith?.length) return seen.onlyWith.map((trait) => LOAD_WORDS.onlyWith[trait]).join(', ');
  const nameOf = (trait: SharedTrait): string => (FIELDS_SHARED.includes(trait) ? trait : `header ${trait}:`);
  return shared?.map(({ trait, value }) => `${nameOf(trait)} ${inert(formatQuote(value), MAX_FACT_LENGTH)}`).join(', ');
}

/** The others are headers. */
const FIELDS_SHARED: readonly SharedTrait[] = ['connection', 'system_fingerprint', 'model'];

function answerOf(
  report: Report,
  { exchange, attempt, pointer = '', answer: said }: FindingReport,
): string | undefined {
  if (said) return inert(formatErrorSaid(said), MAX_FACT_LENGTH);
  const number = Number(pointerTokens(pointer)[0]);
  const data = lookUp(report).exchange(exchange)?.attempts[attempt]?.answer?.stream?.events[number]?.data;
  return data ? `event ${number}: ${inert(data, MAX_FACT_LENGTH)}` : undefined;
}

/** Where a case is written, if the reader has that file. Undefined for a case of a built-in suite, which is part of wirecheck. */
export function ownSource({ provenance }: Report, { source }: CaseReport): CaseReport['source'] | undefined {
  const suites = provenance.settings['suites'];
  return Array.isArray(suites) && suites.includes(source.file) ? source : undefined;
}

type Effect = AffectedClients['affected'][number]['effect'];
type Call = AffectedClients['call'];

export const EFFECT_WORDS: Record<Effect, (call: Call) => string> = {
  throws: () => 'throws',
  rejects: (call) => (call === 'stream' ? 'rejects the chunk' : 'rejects the answer'),
  hangs: () => 'hangs',
  retries: () => 'retries for longer than 15 seconds',
  empty: (call) => (call === 'models' ? 'returns no ids' : 'returns no text'),
  part: () => 'returns part of the text as the whole',
  other: (call) => (call === 'models' ? 'returns other ids' : 'returns other text'),
};

export const CALL_WORDS: Record<Call, string> = { plain: 'plain', stream: 'streamed', models: 'model list' };

/** Reads on after the word `Affected`. */
export function formatAffected({ measured, mismatches }: AffectedReport): string {
  const spared = [...new Set(mismatches.flatMap(({ unaffected }) => unaffected.map((client) => inert(client))))];
  if (mismatches.every(({ affected }) => affected.length === 0)) {
    return `none of the ${count(spared.length, 'client')} measured (${inert(measured)}, default settings): ${spared.join(', ')}`;
  }
  const distinct = [...new Set(mismatches.map(formatClients))];
  const texts =
    distinct.length === 1 ? distinct : mismatches.map((each) => `${CALL_WORDS[each.call]}: ${formatClients(each)}`);
  return `(measured ${inert(measured)}, default settings): ${texts.join('. ')}`;
}

function formatClients({ call, affected, unaffected, depending = [] }: AffectedClients): string {
  if (affected.length === 0) return `none of ${count(unaffected.length, 'client')}`;
  const named = affected.map(({ client, effect }) => `${inert(client)} (${EFFECT_WORDS[effect](call)})`).join(', ');
  const list = (words: string, clients: readonly string[]): string =>
    clients.length === 0 ? '' : `; ${words}${clients.map((client) => inert(client)).join(', ')}`;
  return `${named}${list('not ', unaffected)}${list(`${DEPENDS}: `, depending)}`;
}

/** What a client does that was hurt by some answers of the kind and not by others. */
export const DEPENDS = 'depending on the answer';

/**
 * How much of each finding a list has. `isByCase`: an entry is headed by its case, otherwise by what its clause asks for.
 * `isBrief`: only what is broken and why it does not count, which must not push what counts off the screen.
 */
export interface FindingDetail {
  readonly mostCases: number;
  readonly isByCase: boolean;
  readonly isBrief?: boolean;
}

export function findingList(report: Report, group: Group, detail: FindingDetail): List {
  const entries = foldFindings(report).filter((entry) => groupOf(entry) === group);
  const { title, tone } = GROUPS[group];
  const since = group === 'known' && detail.isByCase ? ` of ${baselineDay(report)}` : '';
  const more = detail.isBrief ? '; --verbose has the evidence' : '';
  return {
    kind: 'list',
    heading: `${title}${since}: ${countFindings(entries)}${more}`,
    tone,
    items: entries.map((entry) => findingItem(report, entry, detail)),
    noun: 'cause',
    ...(group === 'fail' && { isOpen: true }),
  };
}

function findingItem(report: Report, entry: RootCause, { mostCases, isByCase, isBrief }: FindingDetail): ListItem {
  const { expectation, excused, verdict, cases } = entry;
  const { level, kind } = expectation;
  const own = partOrOwner(report, clauseOf(report, expectation));
  const texts = formatFinding(report, entry);
  const { requirement, waiver } = texts;
  const clause = inert(expectation.clause);
  const factsBut = (...without: readonly FactName[]) => [
    ...findingFacts(texts, formatFurther(entry), without),
    ...(isByCase && cases.length === 1 ? [] : fact('Cases', listCodes(cases, mostCases))),
  ];
  if (!isByCase) {
    const aside = [asCode(clause), `, ${level}${own === undefined ? '' : `, ${own}`}`];
    return { text: requirement, aside, facts: factsBut('requirement', 'explain') };
  }
  return {
    text: inert(entry.case.id),
    aside: `${level} · ${own ?? KIND_WORDS[kind]}`,
    sign: excused ? '~' : verdict === 'fail' ? '✗' : '!',
    tone: GROUPS[groupOf(entry)].tone,
    // No other line names the clause, which a waiver does. The heading names the baseline.
    facts: isBrief ? [...fact('Requirement', `${requirement} (${clause})`), ...fact('Waiver', waiver)] : factsBut(),
  };
}

/** `1 cause in 3 cases`. `noun`: what the subject of the report calls its cases. */
export function countFindings(entries: readonly RootCause[], noun = 'case'): string {
  const cases = new Set(entries.flatMap((entry) => entry.cases));
  return `${count(entries.length, 'cause')} in ${count(cases.size, noun)}`;
}

/** `and in 20 more answers`, of the form that is shown; empty if there is only one. */
export function formatFurther(entry: RootCause): string {
  const { alike, unit, places, statuses } = entry;
  const share = formatSeenShare(entry);
  if (share !== '') return share;
  const several = statuses.length > 1 ? `, with status ${statuses.join(', ')}` : '';
  if (alike > 1) return `and in ${countOf(alike - 1, unit, 'more ')}${several}`;
  return places > 1 ? `and in ${count(places - 1, 'more place')}` : '';
}

/** `2 cases`, `3 more calls of its case` */
export function countOf(number: number, unit: SeenUnit, more: 'more ' | '' = ''): string {
  const many = unit === 'call of its case' ? 'calls of its case' : `${unit}s`;
  return count(number, `${more}${unit}`, `${more}${many}`);
}

/** `2 cases, 45 answers`, `3 scenarios` */
export function formatSeenIn(
  report: Report,
  { cases, seen, unit }: Pick<RootCause, 'cases' | 'seen' | 'unit'>,
): string {
  const { caseWord } = traitsOf(report);
  const inCases = count(cases.length, caseWord);
  if (unit === caseWord) return inCases;
  return `${inCases}, ${unit === 'call of its case' ? count(seen, 'call') : countOf(seen, unit)}`;
}

/** `intermittent: 9 of 40 answers`, `in 9 of 40 answers`; empty if no answer kept the clause. */
function formatSeenShare({ intermittent, share }: Pick<RootCause, 'intermittent' | 'share'>): string {
  if (intermittent) return `intermittent: ${formatCounted(intermittent)}`;
  return share ? `in ${formatCounted(share)}` : '';
}

/** `90 of 257 answers with status 400, 52 of 154 with 401` */
export function formatCounted({ broken, judged, statuses = [] }: CountedAnswers): string {
  const [first, ...others] = statuses;
  if (!first) return `${broken} of ${count(judged, 'answer')}`;
  const rest = others.map((row) => `${row.broken} of ${row.judged} with ${row.status}`);
  return [`${first.broken} of ${count(first.judged, 'answer')} with status ${first.status}`, ...rest].join(', ');
}

/** Whether answers to this kind of request, with this status, also kept the clause: then one more may do so. */
function isOfMixedKind(report: Report, { expectation, finding }: Pick<RootCause, 'expectation' | 'finding'>): boolean {
  const shown = finding && lookUp(report).exchange(finding.exchange);
  if (!shown) return false;
  const { endpoint, mode, attempts } = shown;
  const status = attempts[finding.attempt]?.answer?.status;
  const { mixed = [] } = expectation;
  return mixed.some((kind) => kind.endpoint === endpoint && kind.mode === mode && kind.status === status);
}

/** `200 with a list of 2 models in 45 answers; 502 in 89 more cases that could not be judged` */
function formatForms(report: Report, entry: FindingPlace): string | undefined {
  const { forms, unit = 'answer' } = entry;
  if (forms === undefined) return undefined;
  const texts = forms.flatMap(({ finding, seen }) =>
    finding ? [`${formatTypedActual(finding)} in ${countOf(seen, unit)}`] : [],
  );
  return [...texts, ...alikeButUnjudged(report, entry)].join('; ') || undefined;
}

/** The same status where it proves nothing, such as if the control was not answered either: the counts leave it out. */
function alikeButUnjudged(report: Report, { expectation, finding }: FindingPlace): readonly string[] {
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

/** The name of what is absent, where the expectation or the place says what it is. */
function nameAbsent({ expected, pointer, mismatch, actualType }: FindingReport): string | undefined {
  if (mismatch === 'finish-reason') return 'no finish_reason';
  if (expected.kind === 'given-key') return 'no Authorization header';
  if (actualType === 'nothing') return 'a stream without any event';
  if (expected.kind === 'header-named' || expected.kind === 'retry-after') return 'no such header, or an empty one';
  return pointer === undefined || pointer === '' ? undefined : 'no such field';
}
