/**
 * All checks of clients, by name: pure functions from a scenario, and from what the client did in all of them, to a result.
 * Some look at what came of the scenario itself, the others at the calls of all scenarios.
 */
import type { Contract, SchemaIssue } from '../contract/contract.ts';
import { requestIssues } from '../contract/request-issues.ts';
import type { ClientTraffic, PlayedScenario } from '../exchange/traffic.ts';
import { type Exchange, findHeader } from '../exchange/exchange.ts';
import { isObject, type Json, memberOf, parseJson } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import type { CheckOf } from '../verdict/check.ts';
import type { Expected } from '../verdict/expected.ts';
import { finding, issueFound, mergeFindings } from '../verdict/finding.ts';
import { brokenIfAny, inconclusive, observed, skipped } from '../verdict/check-result.ts';
import { fieldItem, type Observation, type ObservedItem, seenValues } from '../verdict/observation.ts';
import type { CheckResult, Finding } from '../verdict/verdict.ts';
import { isAsked, outcomeOfScenario } from './outcome.ts';
import { isPlayable, type PlayableScenario, type Scenario } from './scenario.ts';

/** A scenario and what the client did in it. */
export interface ScenarioEvidence {
  readonly case: Scenario;
  /** Absent if it was not played. */
  readonly played?: PlayedScenario;
}

export interface ClientRun {
  readonly traffic: ClientTraffic;
  readonly contract: Contract;
  /** Those that were not chosen as well: a control is played in any case. */
  readonly scenarios: readonly Scenario[];
}

export type ScenarioCheck = CheckOf<[evidence: ScenarioEvidence, run: ClientRun]>;

type RequestJudge = (calls: readonly Exchange[], contract: Contract) => CheckResult;

function isChatRequest({ request: { endpoint, method } }: Exchange): boolean {
  return endpoint === 'chat' && method === 'POST';
}

/** What a client sends: the bearer header, the content type and the body of every request. */
const REQUEST_CHECKS = {
  bearer: onRequests('Every request has the key as a bearer token.', judgeBearer, () => true),
  'content-type': onRequests('Every request with a body has the content type application/json.', judgeContentType),
  'json-body': onRequests('The body of every chat request is a JSON object.', judgeBodies),
  fields: onRequests('Every chat request has the fields of the contract, with their types.', judgeFields(false)),
  limits: onRequests('The parameters of every chat request are within their limits.', judgeFields(true)),
};

/** Of all scenarios that were played. Without a request of this kind there is nothing to judge. */
function onRequests(summary: string, judge: RequestJudge, isJudged = isChatRequest): ScenarioCheck {
  return {
    summary,
    execute: (_evidence, { traffic: { played }, contract }) => {
      const requests = played.flatMap(({ exchanges }) => exchanges).filter(isJudged);
      return requests.length === 0 ? inconclusive({ kind: 'no-request' }) : judge(requests, contract);
    },
  };
}

/** How a client can send its key in another way. */
const WRONG_USES = ['bare', 'basic', 'token', 'x-api-key', 'query', 'none'] as const;

function judgeBearer(calls: readonly Exchange[]): CheckResult {
  return judgeEach(calls, (exchange) => {
    const { key, headers } = exchange.request;
    if (key === 'full') return [];
    const actualType = WRONG_USES.find((use) => use === key) ?? 'unknown';
    const expected: Expected = { kind: 'given-key' };
    const authorization = findHeader(headers, 'authorization');
    if (authorization === undefined)
      return [finding(exchange, { mismatch: 'absent', expected, actualType, actual: { kind: 'absent' } })];
    const actual = { kind: 'header', name: 'Authorization', value: quoteText(authorization) } as const;
    return [finding(exchange, { mismatch: 'value', expected, actualType, actual })];
  });
}

function judgeContentType(calls: readonly Exchange[]): CheckResult {
  return judgeEach(calls, (exchange) => {
    const type = findHeader(exchange.request.headers, 'content-type');
    if (type !== undefined && /^application\/json\s*(?:;|$)/i.test(type)) return [];
    const expected: Expected = { kind: 'media-type', type: 'application/json' };
    return [
      type === undefined
        ? finding(exchange, { mismatch: 'absent', expected, actualType: 'absent', actual: { kind: 'no-content-type' } })
        : finding(exchange, {
            mismatch: 'value',
            expected,
            actualType: 'header',
            actual: { kind: 'header', name: 'Content-Type', value: quoteText(type) },
          }),
    ];
  });
}

function judgeBodies(calls: readonly Exchange[]): CheckResult {
  return judgeEach(calls, (exchange) => {
    const { body: text, unread } = exchange.request;
    const parsed = bodyOf(exchange);
    if (isObject(parsed)) return [];
    const expected: Expected = { kind: 'json-object' };
    if (text === undefined && unread === undefined) {
      return [
        finding(exchange, { mismatch: 'absent', expected, actualType: 'absent', actual: { kind: 'empty-body' } }),
      ];
    }
    const form = unread === 'not-utf8' ? unread : parsed === undefined ? 'not-json' : 'no-object';
    const body = quoteText(text ?? '');
    return [finding(exchange, { mismatch: 'type', expected, actualType: form, actual: { kind: 'body', form, body } })];
  });
}

/** Limits are the ranges of part 8; everything else is in the tables of part 2. */
function judgeFields(areLimits: boolean): RequestJudge {
  return (calls, contract) => {
    if (areLimits && !calls.some((exchange) => hasLimitedField(exchange, contract)))
      return skipped({ kind: 'no-occasion', of: 'limited-field' });
    if (!calls.every((exchange) => exchange.request.unread === 'too-large' || isObject(bodyOf(exchange)))) {
      return skipped({ kind: 'see-clause', because: 'another-fault', clause: 'client.json-body' });
    }
    return judgeEach(calls, (exchange) =>
      requestIssues(contract, exchange.request.body ?? '')
        .filter((issue) => isLimit(issue) === areLimits)
        .map((issue) => issueFound(exchange, issue)),
    );
  };
}

function hasLimitedField(exchange: Exchange, { rules }: Contract): boolean {
  return Object.keys(rules.limits).some((field) => memberOf(bodyOf(exchange), field) !== undefined);
}

function isLimit({ mismatch }: SchemaIssue): boolean {
  return mismatch === 'range';
}

function bodyOf({ request: { body } }: Exchange): Json | undefined {
  return parseJson(body);
}

function judgeEach(calls: readonly Exchange[], judge: (call: Exchange) => readonly Finding[]): CheckResult {
  // A body that is too large to keep is not judged.
  const judged = calls.filter(({ request }) => request.unread !== 'too-large');
  if (judged.length === 0) return skipped({ kind: 'nothing-to-judge' });
  return brokenIfAny(mergeFindings(judged.flatMap(judge), judged));
}

/** A scenario, and what the client did in it. */
interface ScenarioCalls {
  readonly scenario: PlayableScenario;
  readonly played: PlayedScenario;
}

type CallObserver = (played: readonly ScenarioCalls[]) => readonly Observation[];

/** What the contract leaves open in the calls of a client: recorded, never judged. */
const CALL_OBSERVATIONS = {
  'unknown-fields': onPlayed('Fields of requests that the contract does not have.', (played) => [
    { name: 'unknown-fields', value: seenValues(callsOf(played).flatMap(unknownFields)) },
  ]),
  headers: onPlayed('Headers of requests.', (played) => [
    { name: 'headers', value: seenValues(callsOf(played).flatMap(headerNames)) },
  ]),
  'other-endpoints': onPlayed('Calls that the client was not asked to make.', (played) => [
    { name: 'other-calls', value: seenValues(played.flatMap(otherCalls)) },
  ]),
  retries: onPlayed('How often a client calls again after a failure.', observeRetries),
  'retry-after': onPlayed('How long a client waits if it is asked to.', observeRetryAfter),
};

function onPlayed(summary: string, observe: CallObserver): ScenarioCheck {
  return { summary, execute: (_evidence, run) => observed(observe(playedScenarios(run))) };
}

function playedScenarios({ traffic, scenarios }: ClientRun): readonly ScenarioCalls[] {
  const byId = new Map(scenarios.filter(isPlayable).map((scenario) => [scenario.id, scenario]));
  return traffic.played.flatMap((played) => {
    const scenario = byId.get(played.scenario);
    return scenario ? [{ played, scenario }] : [];
  });
}

function callsOf(played: readonly ScenarioCalls[]): readonly Exchange[] {
  return played.flatMap(({ played: { exchanges } }) => exchanges);
}

const REQUEST_FIELDS = ['model', 'messages', 'max_tokens', 'temperature', 'top_p', 'stream'];
const MESSAGE_FIELDS = ['role', 'content'];

function unknownFields({ request }: Exchange): readonly ObservedItem[] {
  const parsed = parseJson(request.body);
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

/** Without the key, whatever its form. */
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
  return played
    .filter(({ scenario }) => scenario.outlook === 'failure' && scenario.status !== undefined)
    .map(({ scenario, played: { callCount } }) => ({
      name: 'calls-after',
      of: String(scenario.status),
      value: callCount,
    }));
}

function observeRetryAfter(played: readonly ScenarioCalls[]): readonly Observation[] {
  return played
    .filter(({ scenario }) => scenario.behaviours.includes('retry-after'))
    .map(({ played: own }) => ({
      name: 'retry-after-time',
      value: secondsBetween(own),
    }));
}

function secondsBetween({ exchanges }: PlayedScenario): number | 'none' {
  const [first, second] = exchanges.map(({ attempts }) => attempts[0]?.sentAt);
  return first === undefined || second === undefined ? 'none' : Math.round((second - first) / 100) / 10;
}

/** By the names that `suites/client.yaml` uses. */
export const CALL_CHECKS = { ...REQUEST_CHECKS, ...CALL_OBSERVATIONS };

export const CLIENT_CHECKS = {
  understands: onOutcome('The exact text of a legal answer comes out.'),
  'makes-known': onOutcome('A failed call is reported as one.'),
  records: onOutcome('What came out of an answer that the contract leaves open.'),
  ...CALL_CHECKS,
} satisfies Record<string, ScenarioCheck>;

/** The scenario itself says what has to come of it. */
function onOutcome(summary: string): ScenarioCheck {
  return {
    summary,
    execute: ({ case: scenario, played }) =>
      played && isPlayable(scenario)
        ? outcomeOfScenario(played, scenario).check
        : inconclusive({ kind: 'nothing-to-judge' }),
  };
}
