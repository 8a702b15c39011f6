/** Judges what a client sends: the bearer header, the content type and the body of every request. */
import type { Contract, SchemaIssue } from '../contract/contract.ts';
import { requestIssues } from '../contract/request-issues.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { quoteText } from '../text/quote.ts';
import type { Expected } from '../verdict/expected.ts';
import { brokenIfAny, finding, inconclusive, issueFound, mergeFindings, skipped } from '../verdict/finding.ts';
import type { CheckResult, Finding } from '../verdict/verdict.ts';
import type { CallCheckName } from './call-check-names.ts';
import type { ReceivedCall } from './received-call.ts';

/** A request and its place in the report. */
export interface JudgedCall {
  readonly received: ReceivedCall;
  readonly exchange: Exchange;
}

type RequestCheck = (calls: readonly JudgedCall[], contract: Contract) => CheckResult;

function isChatRequest({ received: { call } }: JudgedCall): boolean {
  return call.endpoint === 'chat' && call.method === 'POST';
}

/** Without a request of this kind there is nothing to judge. */
function onRequests(check: RequestCheck, isJudged: (call: JudgedCall) => boolean): RequestCheck {
  return (calls, contract) => {
    const requests = calls.filter(isJudged);
    return requests.length === 0 ? inconclusive({ kind: 'no-request' }) : check(requests, contract);
  };
}

export const REQUEST_CHECKS = {
  bearer: onRequests(judgeBearer, () => true),
  'content-type': onRequests(judgeContentType, isChatRequest),
  'json-body': onRequests(judgeBodies, isChatRequest),
  fields: onRequests(judgeFields(false), isChatRequest),
  limits: onRequests(judgeFields(true), isChatRequest),
} satisfies Partial<Record<CallCheckName, RequestCheck>>;

/** How a client can send its key in another way. */
const WRONG_USES = ['bare', 'basic', 'token', 'x-api-key', 'query', 'none'] as const;

function judgeBearer(calls: readonly JudgedCall[]): CheckResult {
  return judgeEach(calls, ({ received, exchange }) => {
    if (received.key === 'full') return [];
    const actualType = WRONG_USES.find((use) => use === received.key) ?? 'unknown';
    const expected: Expected = { kind: 'given-key' };
    const { authorization } = received.call.headers;
    if (authorization === undefined)
      return [finding(exchange, { mismatch: 'absent', expected, actualType, actual: { kind: 'absent' } })];
    // The scheme is enough: the rest may be a key.
    const [scheme = ''] = authorization.split(' ');
    const value = quoteText(authorization.includes(' ') ? `${scheme} …` : '…');
    return [
      finding(exchange, {
        mismatch: 'value',
        expected,
        actualType,
        actual: { kind: 'header', name: 'Authorization', value },
      }),
    ];
  });
}

function judgeContentType(calls: readonly JudgedCall[]): CheckResult {
  return judgeEach(calls, ({ received, exchange }) => {
    const type = received.call.headers['content-type'];
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

function judgeBodies(calls: readonly JudgedCall[]): CheckResult {
  return judgeEach(calls, ({ received: { call }, exchange }) => {
    if (isBodyObject(call.parsed)) return [];
    const expected: Expected = { kind: 'json-object' };
    if (call.text === '') {
      return [
        finding(exchange, { mismatch: 'absent', expected, actualType: 'absent', actual: { kind: 'empty-body' } }),
      ];
    }
    const form = call.text === undefined ? 'not-utf8' : call.parsed === undefined ? 'not-json' : 'no-object';
    const body = quoteText(exchange.request.body ?? '');
    return [finding(exchange, { mismatch: 'type', expected, actualType: form, actual: { kind: 'body', form, body } })];
  });
}

/** Limits are the ranges of part 8; everything else is in the tables of part 2. */
function judgeFields(areLimits: boolean): RequestCheck {
  return (calls, contract) => {
    if (!calls.every(({ received }) => isBodyObject(received.call.parsed))) {
      return skipped({ kind: 'see-clause', because: 'another-fault', clause: 'client.json-body' });
    }
    return judgeEach(calls, ({ received: { call }, exchange }) =>
      requestIssues(contract, call.text ?? '')
        .filter((issue) => isLimit(issue) === areLimits)
        .map((issue) => issueFound(exchange, issue)),
    );
  };
}

function isLimit({ mismatch }: SchemaIssue): boolean {
  return mismatch === 'range';
}

function isBodyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function judgeEach(calls: readonly JudgedCall[], judge: (call: JudgedCall) => readonly Finding[]): CheckResult {
  const exchanges = calls.map(({ exchange }) => exchange);
  return brokenIfAny(mergeFindings(calls.flatMap(judge), exchanges));
}
