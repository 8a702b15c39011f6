/**
 * All checks of clients, by name: pure functions from a scenario, and from what the client did in all of them, to a result.
 * Some look at what came of the scenario itself, the others at the calls of all scenarios.
 */
import type { Contract } from '../../contract/contract.ts';
import { requestIssues } from '../../contract/request-issues.ts';
import { type Exchange, type SentRequest, findHeader } from '../../exchange/exchange.ts';
import type { ClientAnswer, ClientTraffic, PlayedScenario, ProcessEnd } from '../../exchange/traffic.ts';
import { type Json, isObject, memberOf, parseJson, withoutUndefined } from '../../json.ts';
import type { ClientResult } from '../../report/report.ts';
import { firstWords } from '../../text/error-message.ts';
import { quoteText } from '../../text/quote.ts';
import type { ActualType } from '../../verdict/actual-type.ts';
import type { Actual } from '../../verdict/actual.ts';
import { HOLDS, inconclusive, observed, skipped } from '../../verdict/check-result.ts';
import type { CheckOf } from '../../verdict/check.ts';
import type { Expected } from '../../verdict/expected.ts';
import { type BriefParts, broken, brokenIfAny, finding, issueFound } from '../../verdict/finding.ts';
import { judgeCases } from '../../verdict/judge-cases.ts';
import type { Mismatch } from '../../verdict/mismatch.ts';
import { type Observation, type ObservedItem, fieldItem, seenValues } from '../../verdict/observation.ts';
import type { CheckResult, Finding, NotJudged, Verdict } from '../../verdict/verdict.ts';
import {
  type CallMode,
  type PlayableScenario,
  type Scenario,
  controlBefore,
  endpointOf,
  isPlayable,
  loadScenarios,
} from './scenario.ts';

/** A scenario and what the client did in it. */
export interface ScenarioEvidence {
  readonly case: Scenario;
  /** Undefined if it was not played. */
  readonly played: PlayedScenario | undefined;
}

export interface ClientRun {
  readonly traffic: ClientTraffic;
  readonly contract: Contract;
}

export type ScenarioCheck = CheckOf<[evidence: ScenarioEvidence, run: ClientRun]>;

type RequestJudge = (calls: readonly Exchange[], contract: Contract) => CheckResult;

function isChatRequest({ request: { endpoint, method } }: Exchange): boolean {
  return endpoint === 'chat' && method === 'POST';
}

/** What a client sends: the bearer header, the content type and the body of every request. */
const REQUEST_CHECKS = {
  bearer: onRequests('Every request has the key as a bearer token.', unless(wrongKey), () => true),
  'content-type': onRequests('Every request with a body has the content type application/json.', unless(wrongType)),
  'json-body': onRequests('The body of every chat request is a JSON object.', unless(wrongBody)),
  fields: onRequests('Every chat request has the fields of the contract, with their types.', judgeFields(false)),
  limits: onRequests('The parameters of every chat request are within their limits.', judgeFields(true)),
};

/** Judges the requests of all scenarios that were played. If none is of this kind, there is nothing to judge. */
function onRequests(summary: string, judge: RequestJudge, isJudged = isChatRequest): ScenarioCheck {
  return {
    summary,
    execute: (_evidence, { traffic: { played }, contract }) => {
      const requests = played.flatMap(({ exchanges }) => exchanges).filter(isJudged);
      return requests.length === 0 ? inconclusive({ kind: 'no-request' }) : judge(requests, contract);
    },
  };
}

function unless(wrong: (request: SentRequest) => BriefParts | undefined): RequestJudge {
  return (calls) =>
    judgeEach(calls, (call) => {
      const parts = wrong(call.request);
      return parts ? [finding(call, parts)] : [];
    });
}

/** How a client can send its key in another way. */
const WRONG_USES = ['bare', 'basic', 'token', 'x-api-key', 'query', 'none'] as const;

function wrongKey({ key, headers }: SentRequest): BriefParts | undefined {
  if (key === 'full') return undefined;
  const actualType = WRONG_USES.find((use) => use === key) ?? 'unknown';
  const value = findHeader(headers, 'authorization');
  const wrong = { expected: 'given-key', actualType } as const;
  if (value === undefined) return { ...wrong, mismatch: 'absent', actual: 'absent' };
  return { ...wrong, mismatch: 'value', actual: { kind: 'header', name: 'Authorization', value: quoteText(value) } };
}

function wrongType({ headers }: SentRequest): BriefParts | undefined {
  const type = findHeader(headers, 'content-type');
  const expected = { kind: 'media-type', type: 'application/json' } as const;
  if (type === undefined) return { mismatch: 'absent', expected, actualType: 'absent', actual: 'no-content-type' };
  if (/^application\/json\s*(?:;|$)/i.test(type)) return undefined;
  const actual = { kind: 'header', name: 'Content-Type', value: quoteText(type) } as const;
  return { mismatch: 'value', expected, actualType: 'header', actual };
}

function wrongBody({ body: text, unread }: SentRequest): BriefParts | undefined {
  const parsed = parseJson(text);
  if (isObject(parsed)) return undefined;
  const expected = 'json-object';
  if (text === undefined && unread === undefined)
    return { mismatch: 'absent', expected, actualType: 'absent', actual: 'empty-body' };
  const form = unread === 'not-utf8' ? unread : parsed === undefined ? 'not-json' : 'no-object';
  return { mismatch: 'type', expected, actualType: form, actual: { kind: 'body', form, body: quoteText(text ?? '') } };
}

/** Limits are the ranges of part 8; everything else is in the tables of part 2. */
function judgeFields(areLimits: boolean): RequestJudge {
  return (calls, contract) => {
    if (areLimits && !calls.some((exchange) => hasLimitedField(exchange, contract)))
      return skipped({ kind: 'no-occasion', of: 'limited-field' });
    if (!calls.every((exchange) => exchange.request.unread === 'too-large' || isObject(bodyOf(exchange))))
      return skipped({ kind: 'see-clause', because: 'another-fault', clause: 'client.json-body' });
    return judgeEach(calls, (exchange) =>
      requestIssues(contract, exchange.request.body ?? '')
        .filter(({ mismatch }) => (mismatch === 'range') === areLimits)
        .map((issue) => issueFound(exchange, issue)),
    );
  };
}

function hasLimitedField(exchange: Exchange, { rules }: Contract): boolean {
  return Object.keys(rules.limits).some((field) => memberOf(bodyOf(exchange), field) !== undefined);
}

function bodyOf({ request: { body } }: Exchange): Json | undefined {
  return parseJson(body);
}

function judgeEach(calls: readonly Exchange[], judge: (call: Exchange) => readonly Finding[]): CheckResult {
  // A body that is too large to keep is not judged.
  const judged = calls.filter(({ request }) => request.unread !== 'too-large');
  if (judged.length === 0) return skipped({ kind: 'nothing-to-judge' });
  return brokenIfAny(judged.flatMap(judge), judged);
}

/** A scenario, and what the client did in it. */
type ScenarioCalls = ReturnType<typeof withScenario>[number];

/** What the contract leaves open in the calls of a client: recorded, never judged. */
const CALL_OBSERVATIONS = {
  'unknown-fields': seen('unknown-fields', 'Fields of requests that the contract does not have.', ({ played }) =>
    played.exchanges.flatMap(unknownFields),
  ),
  headers: seen('headers', 'Headers of requests.', ({ played }) => played.exchanges.flatMap(headerNames)),
  'other-endpoints': seen('other-calls', 'Calls that the client was not asked to make.', otherCalls),
  retries: onPlayed('How often a client calls again after a failure.', observeRetries),
  'retry-after': onPlayed('How long a client waits if it is asked to.', observeRetryAfter),
};

type Observe = (played: readonly ScenarioCalls[]) => readonly Observation[];

function onPlayed(summary: string, observe: Observe): ScenarioCheck {
  return { summary, execute: (_evidence, { traffic }) => observed(observe(traffic.played.flatMap(withScenario))) };
}

/** All that was seen in the calls of all scenarios. */
function seen(
  name: 'unknown-fields' | 'headers' | 'other-calls',
  summary: string,
  itemsOf: (calls: ScenarioCalls) => readonly ObservedItem[],
): ScenarioCheck {
  return onPlayed(summary, (played) => [{ name, value: seenValues(played.flatMap(itemsOf)) }]);
}

function withScenario(played: PlayedScenario) {
  const scenario = loadScenarios().find(({ id }) => id === played.scenario);
  return scenario && isPlayable(scenario) ? [{ played, scenario }] : [];
}

const REQUEST_FIELDS = ['model', 'messages', 'max_tokens', 'temperature', 'top_p', 'stream'];
const MESSAGE_FIELDS = ['role', 'content'];

function unknownFields(exchange: Exchange): readonly ObservedItem[] {
  const parsed = bodyOf(exchange);
  const body = isObject(parsed) ? parsed : {};
  const messages: readonly unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  return [
    ...namesBeyond(body, REQUEST_FIELDS).map((name) => fieldItem('request ', name)),
    ...messages
      .filter(isObject)
      .flatMap((message) => namesBeyond(message, MESSAGE_FIELDS).map((name) => fieldItem('request /messages/*', name))),
  ];
}

function namesBeyond(value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value).filter((name) => !known.includes(name));
}

/** The header of the key is left out, whatever its form. */
function headerNames({ request }: Exchange): readonly ObservedItem[] {
  const names = request.headers.map(([name]) => name.toLowerCase());
  return names.filter((name) => name !== 'authorization').map((name) => quoteText(name));
}

function otherCalls({ played, scenario }: ScenarioCalls): readonly ObservedItem[] {
  return played.exchanges
    .filter(({ request }) => !isAsked(request, scenario.mode))
    .map(({ request }) => quoteText(`${request.method} ${request.path.split('?')[0] ?? ''}`));
}

/** One line per status. */
function observeRetries(played: readonly ScenarioCalls[]): readonly Observation[] {
  const refused = played.filter(
    ({ scenario }) => scenario.expectedResult === 'failure' && scenario.status !== undefined,
  );
  return refused.map(({ scenario: { status }, played: { callCount: value } }) => {
    return { name: 'calls-after', of: String(status), value };
  });
}

function observeRetryAfter(played: readonly ScenarioCalls[]): readonly Observation[] {
  return played
    .filter(({ scenario }) => scenario.behaviours.includes('retry-after'))
    .map(({ played: own }) => ({ name: 'retry-after-time', value: secondsBetween(own) }));
}

function secondsBetween({ exchanges }: PlayedScenario): number | 'none' {
  const [first, second] = exchanges.map(({ attempts }) => attempts[0]?.sentAt);
  return first === undefined || second === undefined ? 'none' : Math.round((second - first) / 100) / 10;
}

/** The keys are the names that `suites/client.yaml` uses. */
export const CALL_CHECKS = { ...REQUEST_CHECKS, ...CALL_OBSERVATIONS };

export const CLIENT_CHECKS = {
  understands: onOutcome('The exact text of a legal answer comes out.'),
  'makes-known': onOutcome('A failed call is reported as one.'),
  records: onOutcome('What came out of an answer that the contract leaves open.'),
  ...CALL_CHECKS,
} satisfies Record<string, ScenarioCheck>;

/** The scenario itself says what has to come of it. */
function onOutcome(summary: string): ScenarioCheck {
  const unplayed = inconclusive({ kind: 'nothing-to-judge' });
  return {
    summary,
    execute: ({ case: scenario, played }) =>
      played && isPlayable(scenario) ? outcomeOfScenario(played, scenario).check : unplayed,
  };
}

/** Whether the client passes the control of the mode. Undefined if it was not played. */
export function modeState(mode: CallMode, scenarios: readonly PlayedScenario[]) {
  const control = controlBefore(mode);
  const played = playedAs(control.id, scenarios);
  if (played === undefined) return undefined;
  if (played.answer.kind === 'unsupported' || askedCalls(played, mode).length === 0) return 'unsupported';
  return outcomeOfScenario(played, control).result === 'pass' ? 'passes' : 'fails';
}

export function playedAs(id: string | undefined, played: readonly PlayedScenario[]): PlayedScenario | undefined {
  return played.find(({ scenario }) => scenario === id);
}

// What came of a scenario: the result in a word, and the result of the check on its clause.

/** The calls that the client was asked to make. */
export function askedCalls({ exchanges }: PlayedScenario, mode: CallMode): readonly Exchange[] {
  return exchanges.filter(({ request }) => isAsked(request, mode));
}

/** How a process ended that has made no call, and has not been told anything that it could have failed on. */
export function endedEarly({ answer, callCount }: PlayedScenario): ProcessEnd | undefined {
  const end = endOf(answer);
  return answer.kind === 'failed' && callCount === 0 && (end.exit ?? end.signal) !== undefined ? end : undefined;
}

/** Empty if the process did not end by itself, or goes on. One that took too long was killed. */
export function endOf(answer: ClientAnswer): ProcessEnd {
  const { exit, signal }: ProcessEnd = answer.kind === 'failed' || answer.kind === 'returned' ? answer : {};
  return withoutUndefined({ exit, signal });
}

export function isAsked({ endpoint, method, mode }: SentRequest, asked: CallMode): boolean {
  if (endpoint !== endpointOf(asked)) return false;
  return asked === 'models' ? method === 'GET' : method === 'POST' && mode === asked;
}

/** A client that was asked and came to an end, or to the limit. */
type Finished = PlayedScenario & { readonly answer: Extract<ClientAnswer, { readonly kind: ActualType }> };

type Outcome = Readonly<{ result: ClientResult; check: CheckResult }>;

export function outcomeOfScenario(played: PlayedScenario, scenario: PlayableScenario): Outcome {
  const { answer } = played;
  if (answer.kind === 'not-started' || answer.kind === 'again')
    return { result: 'not-started', check: inconclusive({ kind: 'nothing-to-judge' }) };
  if (answer.kind === 'unsupported') return { result: 'unsupported', check: skipped({ kind: 'call-unsupported' }) };
  const end = endedEarly(played);
  if (end) {
    const who = answer.kind === 'failed' && answer.isDriver ? 'driver' : 'client';
    return { result: 'not-started', check: inconclusive({ kind: 'ended-early', who, ...end }) };
  }
  const finished: Finished = { ...played, answer };
  if (scenario.expectedResult === 'either')
    return { result: resultOfOpen(played), check: observed(observedOfClient(played)) };
  if (scenario.expectedResult === 'text') return understood(finished, scenario);
  const isAsked = askedCalls(played, scenario.mode).length > 0;
  return isAsked ? madeKnown(finished, scenario) : { result: 'breaks', check: inconclusive({ kind: 'no-request' }) };
}

function understood(played: Finished, { mode }: PlayableScenario): Outcome {
  const { answer, text } = played;
  const isRight = mode === 'models' ? sameLines(answer.said, text) : answer.said === text;
  if (answer.kind === 'returned' && isRight && askedCalls(played, mode).length > 0)
    return { result: 'pass', check: HOLDS };
  const expected: Expected = { kind: 'exact-text', text: quoteText(text) };
  const result = answer.kind === 'timed-out' ? 'hangs' : answer.kind === 'failed' ? 'breaks' : 'wrong-text';
  return { result, check: broken([findingOf(result, expected, played, mode)]) };
}

function madeKnown(played: Finished, { mode }: PlayableScenario): Outcome {
  const { answer } = played;
  if (answer.kind === 'failed') return { result: 'pass', check: HOLDS };
  if (answer.kind === 'timed-out' && askedCalls(played, mode).length > 1)
    return { result: 'retrying', check: observed(observedOfClient(played)) };
  const result = answer.kind === 'timed-out' ? 'hangs' : answer.kind === 'flooded' ? 'breaks' : 'silent';
  return { result, check: broken([findingOf(result, { kind: 'failed-call' }, played, mode)]) };
}

function resultOfOpen({ answer, text }: PlayedScenario): ClientResult {
  if (answer.kind === 'timed-out') return 'hangs';
  if (answer.kind === 'failed') return 'breaks';
  return answer.said === text ? 'pass' : 'wrong-text';
}

function findingOf(result: Mismatch, expected: Expected, played: Finished, mode: CallMode): Finding {
  const asked = askedCalls(played, mode);
  return {
    mismatch: result,
    exchange: asked.at(-1)?.id ?? '',
    attempt: 0,
    expected,
    // Not the text: it differs from run to run.
    actualType: played.answer.kind,
    actual: actualOf(played, asked.length > 0),
    more: 0,
  };
}

function actualOf({ answer, limit, callCount }: PlayedScenario, isAsked: boolean): Actual {
  if (answer.kind === 'timed-out') return { kind: 'no-result', limit, calls: callCount };
  if (answer.kind === 'flooded') return { kind: 'flood' };
  if (answer.kind === 'failed')
    return { kind: 'gave-up', ...endOf(answer), complaint: quoteText(firstWords(answer.complaint)) };
  return isAsked ? { kind: 'returned', text: quoteText(answer.said) } : { kind: 'no-request' };
}

/** The order does not count: the contract has none for the list. */
function sameLines(said: string, text: string): boolean {
  const sorted = (lines: string): string => lines.split(/\r?\n/).toSorted().join('\n');
  return sorted(said) === sorted(text);
}

function observedOfClient({ answer, callCount, text }: PlayedScenario): readonly Observation[] {
  const returned = answer.kind === 'returned' ? (answer.said === text ? 'complete' : 'other-text') : 'failed';
  return [
    { name: 'result', value: answer.kind === 'timed-out' ? 'still-waiting' : returned },
    { name: 'calls', value: callCount },
    { name: 'seconds', value: Math.round(answer.time / 100) / 10 },
  ];
}

// The verdicts on a client: one on the clause of each scenario, and those on what it sent.

/** `chosen`: the scenarios to judge. */
export function judgeClient(run: ClientRun, chosen: readonly Scenario[], strict = false): readonly Verdict[] {
  const cases = chosen.map((scenario) => ({ case: scenario, played: playedAs(scenario.id, run.traffic.played) }));
  return judgeCases<ScenarioEvidence, ScenarioCheck>(cases, {
    contract: run.contract,
    settings: { strict },
    checks: CLIENT_CHECKS,
    whyNot: (evidence) => whyNotJudged(evidence, run.traffic),
    execute: (evidence, check) => {
      const result = check.execute(evidence, run);
      return { result, exchanges: exchangesShown(evidence, result) };
    },
    // The requests of a client are judged over all scenarios: a finding is the same in each of them.
    requestOf: (_exchange, { case: { mode } }) =>
      mode && { endpoint: endpointOf(mode), mode: mode === 'stream' ? 'stream' : 'plain' },
  });
}

/** The calls of a scenario; where those of all scenarios were judged, the ones with a finding. */
function exchangesShown({ case: { mode }, played }: ScenarioEvidence, result: CheckResult): readonly string[] {
  if (mode === undefined) return result.kind === 'broken' ? result.findings.map(({ exchange }) => exchange) : [];
  if (!played) return [];
  const asked = askedCalls(played, mode);
  return (asked.length > 0 ? asked : played.exchanges).map(({ id }) => id);
}

/** The result in a word; undefined for a scenario that was not judged. */
export function resultOf(scenario: Scenario, played: PlayedScenario | undefined, { reason, findings }: Verdict) {
  if (reason?.kind === 'call-unsupported') return 'unsupported';
  if (reason?.kind === 'run-ended' || (reason?.kind === 'see-clause' && reason.because === 'simplest-call'))
    return undefined;
  if (isPlayable(scenario)) return played && outcomeOfScenario(played, scenario).result;
  return findings.length > 0 ? 'bad-request' : 'pass';
}

function whyNotJudged({ case: scenario, played }: ScenarioEvidence, traffic: ClientTraffic): NotJudged | undefined {
  const { ending } = traffic;
  const { mode, id } = scenario;
  const isOver = ending.kind === 'client-failed-control' || ending.kind === 'client-not-started';
  const isMissing = mode === undefined ? traffic.played.length === 0 : played === undefined;
  if (isOver || (ending.kind !== 'complete' && isMissing)) return inconclusive({ kind: 'run-ended', ending });
  if (mode === undefined) return undefined;
  const state = modeState(mode, traffic.played);
  if (state === 'unsupported') return skipped({ kind: 'call-unsupported' });
  const control = controlBefore(mode);
  const simpler = state === 'fails' && control.id !== id ? control : failedBasis(scenario, traffic.played);
  return simpler && skipped({ kind: 'see-clause', because: 'simplest-call', clause: simpler.expect[0].clause });
}

/** The simpler scenario that the client already fails. One that was not chosen says nothing. */
function failedBasis({ basis }: Scenario, all: readonly PlayedScenario[]): Scenario | undefined {
  const [simpler] = all.filter(({ scenario }) => scenario === basis).flatMap(withScenario);
  if (!simpler) return undefined;
  return outcomeOfScenario(simpler.played, simpler.scenario).check.kind === 'broken' ? simpler.scenario : undefined;
}
