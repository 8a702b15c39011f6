/** Judges what a client sends: the bearer header, the content type and the body of every request. */
import type { Contract, SchemaIssue } from '../contract/contract.ts';
import { requestIssues } from '../contract/request-issues.ts';
import { type Exchange, findHeader } from '../exchange/exchange.ts';
import { isObject, type Json, memberOf, parseJson } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import type { Expected } from '../verdict/expected.ts';
import { brokenIfAny, finding, inconclusive, issueFound, mergeFindings, skipped } from '../verdict/finding.ts';
import type { CheckResult, Finding } from '../verdict/verdict.ts';
import type { ScenarioCheck } from './scenario-check.ts';

type RequestJudge = (calls: readonly Exchange[], contract: Contract) => CheckResult;

function isChatRequest({ request: { endpoint, method } }: Exchange): boolean {
  return endpoint === 'chat' && method === 'POST';
}

export const REQUEST_CHECKS = {
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
