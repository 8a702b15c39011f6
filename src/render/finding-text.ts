/** A finding as labelled lines, for the formats that people read. Every text is one line and inert. */
import { formatErrorSaid } from '../exchange/answer-status.ts';
import { pointerTokens } from '../json.ts';
import { affectedOf } from '../report/affected.ts';
import type { ExchangeReport } from '../report/exchange-report.ts';
import type { LoadCount, RepeatNeeds } from '../report/load-report.ts';
import { checkOfLibrary, commandToExplain } from '../report/repeat/repeat-command.ts';
import { repeatOfFinding } from '../report/repeat/shown-exchanges.ts';
import type {
  AffectedClients,
  AffectedReport,
  CaseReport,
  ClauseReport,
  ExpectationReport,
  Report,
} from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { formatQuote } from '../text/quote.ts';
import type { SharedTrait } from '../verdict/verdict.ts';
import {
  findBothEnds,
  flakyTries,
  formatClientEnd,
  formatRequest,
  formatUpstreamEnd,
  pathUnder,
} from './request-text.ts';
import { formatSent, isAboutRequests } from './client-text.ts';
import { excuseOf, formatExcuse } from './excused.ts';
import { drawnTexts } from './explore-text.ts';
import { asCode, type Fact } from './document/document.ts';
import type { Entry } from './fold.ts';
import { formatLoadCount, formatOnlyWith, formatWhyThere } from './load-facts.ts';
import { formatExpectedAt, formatForms, formatSeenShare, formatTypedActual, isOfMixedKind } from './seen-text.ts';

/** A finding with its case and its expectation. A fold of several findings has the same fields, and what they add up to. */
export type Place = Pick<Entry, 'case' | 'expectation' | 'finding'> &
  Partial<Pick<Entry, 'forms' | 'unit' | 'intermittent' | 'share'>>;

/** Labels of the facts, in the order in which formats list them. */
const LABELS = {
  requirement: 'Requirement',
  /** What a client met. */
  scenario: 'Scenario',
  expected: 'Expected',
  actual: 'Actual',
  /** Other forms of the same fault, and cases that show it but could not be judged. */
  also: 'Also',
  /** Under load: in how many answers, and from how many calls in flight on. */
  seen: 'Seen in',
  /** What only the answers with the fault have in common. */
  shared: 'Only with',
  /** What is unusual about the head of the answer that a client was sent. */
  sent: 'Sent',
  /** What the answer says: the words of an error, or the event of a stream. */
  answer: 'Answer',
  /** Who suffers from the broken clause, and how. */
  hurts: 'Who is hurt',
  /** Stock clients, as measured. Reads on after the label. */
  affected: 'Affected',
  /** Of a sequence on one connection: the requests before the one that fails. */
  before: 'Before it',
  request: 'Request',
  /** Of a drawn request: how it was reached, and what makes it fail. */
  drawn: 'Drawn',
  difference: 'Difference',
  /** For a relay: what happened at both ends. */
  client: 'Client',
  upstream: 'Upstream',
  waiver: 'Waiver',
  /** How the finding compares with the baseline. */
  baseline: 'Baseline',
  repeat: 'Repeat',
  /** What the command takes: never part of it, since some shells would take a remark for arguments. */
  needs: 'Needs',
  /** How to make it show, if some answers are right. */
  tries: 'Note',
  /** Why no command repeats it. */
  unrepeated: 'Repeat',
  explain: 'Explain',
} as const;

type FactName = keyof typeof LABELS;
export type FindingTexts = Readonly<Record<FactName, string | undefined> & Record<'requirement' | 'explain', string>>;

const COMMANDS: readonly FactName[] = ['repeat', 'explain'];
/** What is not a sentence of ours. */
const DATA: readonly FactName[] = [
  ...([
    'expected',
    'actual',
    'also',
    'sent',
    'answer',
    'before',
    'request',
    'difference',
    'client',
    'upstream',
  ] as const),
  ...COMMANDS,
];

/** The facts that a finding has. `further`: in which other answers it shows. */
export function findingFacts(
  texts: FindingTexts,
  further = '',
  without: readonly FactName[] = [],
): readonly (Fact & { readonly name: FactName })[] {
  return (Object.keys(LABELS) as FactName[]).flatMap((name) => {
    const text = texts[name];
    if (text === undefined || without.includes(name)) return [];
    return {
      name,
      label: LABELS[name],
      text: DATA.includes(name) ? asCode(text) : text,
      ...(name === 'actual' && { aside: further, isTelling: true }),
      ...(COMMANDS.includes(name) && { isCommand: true }),
    };
  });
}

const MAX_COMMAND_LENGTH = 4000;
const MAX_FACT_LENGTH = 400;

export function formatFinding(report: Report, place: Place): FindingTexts {
  const { expectation, finding } = place;
  const excuse = formatExcuse(report, place);
  const isWaived = excuseOf(place) === 'waived';
  const ends = findBothEnds(report, place.case, finding?.exchange);
  const seen = countOf(report, place);
  const affected = finding && affectedOf(report, expectation.clause, finding);
  return {
    requirement: requirementOf(report, expectation),
    scenario: traitsOf(report).isCaller ? inert(place.case.title, MAX_FACT_LENGTH) : undefined,
    expected: finding && formatExpectedAt(finding),
    actual: finding && formatTypedActual(finding),
    also: formatForms(report, place),
    seen: seen && formatLoadCount(seen),
    shared: sharedBy(expectation, seen),
    sent: sentIn(report, place),
    answer: answerOf(report, place),
    hurts: hurtsOf(report, expectation),
    affected: affected && formatAffected(affected),
    ...requestTextsOf(report, place),
    client: ends && formatClientEnd(ends),
    upstream: ends && formatUpstreamEnd(ends),
    waiver: isWaived ? excuse : undefined,
    baseline: isWaived ? undefined : excuse,
    ...repeatTextsOf(report, place),
    explain: inert(commandToExplain(report, [expectation.clause]), MAX_COMMAND_LENGTH),
  };
}

/** `about 14 s at 16 in flight, up to 86 s in all; --allow-load staging.example if its operator agreed` */
function formatNeeds({ permission, inFlight, seconds, most }: RepeatNeeds, why: string): string | undefined {
  const time =
    inFlight === undefined ? [] : [`about ${seconds} s at ${inFlight} in flight${why}, up to ${most} s in all`];
  const host = permission === undefined ? [] : [`--allow-load ${inert(permission, 300)} if its operator agreed`];
  return [...time, ...host].join('; ') || undefined;
}

const TRIES = 'Other answers of this kind are right. If the command does not show it, run it again.';

function repeatTextsOf(report: Report, place: Place): Pick<FindingTexts, 'repeat' | 'needs' | 'tries' | 'unrepeated'> {
  const repeat = repeatOfFinding(report, place.case, place.expectation, place.finding);
  if (repeat === undefined) return { repeat, needs: undefined, tries: undefined, unrepeated: formatUnrepeated(place) };
  const tries = place.share && isOfMixedKind(report, place) ? TRIES : flakyTries(report, place.finding?.exchange);
  const { repeatNeeds = {} } = place.case;
  const needs = formatNeeds(repeatNeeds, formatWhyThere(report.load, countOf(report, place), repeatNeeds.inFlight));
  return { repeat: inert(repeat, MAX_COMMAND_LENGTH), needs, tries, unrepeated: undefined };
}

function formatUnrepeated({ case: { expectations } }: Place): string | undefined {
  const check = checkOfLibrary(expectations);
  return check === undefined ? undefined : `by the library only: no command has the check ${inert(check, 120)}`;
}

function requestTextsOf(
  report: Report,
  place: Place,
): Pick<FindingTexts, 'before' | 'request' | 'drawn' | 'difference'> {
  const { before, request = requestOf(report, place), drawn, difference } = drawnTexts(report, place.finding?.exchange);
  return { before, request, drawn, difference };
}

/** Every finding of a case; one without details for an expectation that has no finding. */
export function placesOf(testCase: CaseReport, verdict: 'fail' | 'warn'): readonly Place[] {
  return testCase.expectations
    .filter((each) => each.verdict === verdict)
    .flatMap((expectation): readonly Place[] =>
      expectation.findings.length === 0
        ? [{ case: testCase, expectation }]
        : expectation.findings.map((finding) => ({ case: testCase, expectation, finding })),
    );
}

export function findingSentence(report: Report, place: Place): string {
  const { expectation, finding } = place;
  const forms = formatForms(report, place);
  const got = finding && `got ${formatTypedActual(finding)}${formatSeenShare(place)}`;
  const also = forms === undefined ? '' : `; also ${forms}`;
  const mismatch = finding ? ` Expected ${formatExpectedAt(finding)}; ${got}${also}.` : '';
  const answer = finding?.answer ? ` The answer: ${inert(formatErrorSaid(finding.answer), MAX_FACT_LENGTH)}` : '';
  return `${requirementOf(report, expectation)}${mismatch}${answer}`;
}

export function clauseOf(report: Report, { clause }: ExpectationReport): ClauseReport | undefined {
  return report.clauses.find(({ id }) => id === clause);
}

export function requirementOf(report: Report, expectation: ExpectationReport): string {
  return inert(clauseOf(report, expectation)?.summary ?? expectation.clause, 400);
}

function hurtsOf(report: Report, expectation: ExpectationReport): string | undefined {
  const hurts = clauseOf(report, expectation)?.explanation?.hurts;
  return hurts === undefined ? undefined : inert(hurts, MAX_FACT_LENGTH);
}

function countOf({ load }: Report, { case: { id }, expectation: { clause } }: Place): LoadCount | undefined {
  return load?.counts.find((own) => own.case === id && own.clause === clause);
}

function sharedBy({ shared }: ExpectationReport, seen: LoadCount | undefined): string | undefined {
  if (seen?.onlyWith && seen.onlyWith.length > 0) return formatOnlyWith(seen.onlyWith);
  return shared && formatSeenShared(shared);
}

/** `header server: b, connection 7` */
function formatSeenShared(shared: NonNullable<ExpectationReport['shared']>): string {
  return shared.map(({ trait, value }) => `${SHARED[trait]} ${inert(formatQuote(value), MAX_FACT_LENGTH)}`).join(', ');
}

const SHARED: Record<SharedTrait, string> = {
  connection: 'connection',
  'x-served-by': 'header x-served-by:',
  server: 'header server:',
  via: 'header via:',
  system_fingerprint: 'system_fingerprint',
  model: 'model',
};

function answerOf(report: Report, { finding }: Place): string | undefined {
  if (finding?.answer) return inert(formatErrorSaid(finding.answer), MAX_FACT_LENGTH);
  const answer = finding && exchangeOf(report, { finding })?.attempts[finding.attempt]?.answer;
  const number = Number(pointerTokens(finding?.pointer ?? '')[0]);
  const data = answer?.stream?.events[number]?.data;
  return data ? `event ${number}: ${inert(data, MAX_FACT_LENGTH)}` : undefined;
}

function sentIn(report: Report, place: Place): string | undefined {
  const exchange = isAboutRequests(place.case) ? undefined : exchangeOf(report, place);
  return exchange && traitsOf(report).isCaller ? formatSent(exchange) : undefined;
}

function requestOf(report: Report, place: Place): string | undefined {
  const exchange = exchangeOf(report, place);
  return exchange && formatRequest(exchange, senderOf(report, place), pathUnder(report.target.baseUrl));
}

function exchangeOf(report: Report, { finding }: Pick<Place, 'finding'>): ExchangeReport | undefined {
  return finding && report.exchanges.find(({ id }) => id === finding.exchange);
}

/** The case that sent the request: a case may also judge the exchanges of others. */
function senderOf(report: Report, { case: testCase, finding }: Place): CaseReport | undefined {
  const isSender = ({ exchange }: CaseReport): boolean => exchange !== undefined && exchange === finding?.exchange;
  return isSender(testCase) ? testCase : report.cases.find(isSender);
}

/** Where a case is written, if the reader has that file. Undefined for a case of a built-in suite, which is part of wirecheck. */
export function ownSource({ provenance }: Report, { source }: CaseReport): CaseReport['source'] | undefined {
  const suites = provenance.settings['suites'];
  return Array.isArray(suites) && suites.includes(source.file) ? source : undefined;
}

type Effect = AffectedClients['affected'][number]['effect'];
type Call = AffectedClients['call'];

const EFFECT_WORDS: Record<Effect, (call: Call) => string> = {
  throws: () => 'throws',
  rejects: (call) => (call === 'stream' ? 'rejects the chunk' : 'rejects the answer'),
  hangs: () => 'hangs',
  retries: () => 'retries for longer than 15 seconds',
  empty: (call) => (call === 'models' ? 'returns no ids' : 'returns no text'),
  part: () => 'returns part of the text as the whole',
  other: (call) => (call === 'models' ? 'returns other ids' : 'returns other text'),
};

const CALL_WORDS: Record<Call, string> = { plain: 'plain', stream: 'streamed', models: 'model list' };

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

function formatClients({ call, affected, unaffected }: AffectedClients): string {
  const spared = unaffected.map((client) => inert(client)).join(', ');
  if (affected.length === 0) return `none of ${count(unaffected.length, 'client')}`;
  const named = affected.map(({ client, effect }) => `${inert(client)} (${EFFECT_WORDS[effect](call)})`).join(', ');
  return spared === '' ? named : `${named}; not ${spared}`;
}
