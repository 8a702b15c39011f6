/** The error body of part 7, clause by clause, on one attempt. */
import type { Answer, Attempt, Exchange } from '../../exchange/exchange.ts';
import { isObject, memberOf, typeOf } from '../../json.ts';
import type { Actual, BodyForm } from '../actual.ts';
import type { Expected } from '../expected.ts';
import { type BodyReading, readBody } from './answers.ts';
import { formFound } from './body-content.ts';
import type { RunView } from '../check.ts';
import { type FindingParts, HOLDS, broken, finding, inconclusive, issueFound, skipped } from '../finding.ts';
import { issuesOf } from './schema-issues.ts';
import type { Reason } from '../reason.ts';
import type { CheckResult } from '../verdict.ts';

/** Parts of an error body that can be wrong. The last is not in part 7, but stock clients need it. */
export const ERROR_PARTS = ['json', 'object', 'message', 'type', 'code', 'message-not-empty'] as const;
export type ErrorPart = (typeof ERROR_PARTS)[number];

/** A mismatch for a body that is not a JSON object; a reason for one that could not be read. */
function notAnObject(reading: BodyReading, answer: Answer): Omit<FindingParts, 'attempt'> | Reason | undefined {
  const expected: Expected = { kind: 'json-object' };
  const body = (form: BodyForm): Actual => formFound(form, answer);
  switch (reading.kind) {
    case 'json':
      if (isObject(reading.value)) return undefined;
      return { mismatch: 'type', pointer: '', expected, actualType: typeOf(reading.value), actual: body('no-object') };
    case 'empty':
      return {
        mismatch: 'no-body',
        expected,
        actualType: 'absent',
        actual: { kind: 'no-body', status: answer.status },
      };
    case 'not-json':
    case 'not-utf8':
      return { mismatch: 'not-json', expected, actualType: reading.kind, actual: body(reading.kind) };
    case 'cut':
    case 'undecodable':
      return { mismatch: reading.kind, expected, actualType: reading.kind, actual: body(reading.kind) };
    case 'limit':
      return { kind: 'over-limit', what: 'body', limit: reading.limit };
    case 'aborted':
      return { kind: 'not-read', what: 'body' };
  }
}

export interface ErrorPlace {
  readonly exchange: Exchange;
  /** Index of the attempt. */
  readonly attempt: number;
  readonly answer: Answer;
}

/** The attempts of an exchange that were answered with an error. */
export function errorsOf(exchange: Exchange): readonly ErrorPlace[] {
  return exchange.attempts.flatMap(({ outcome }: Attempt, attempt) =>
    outcome.kind === 'answer' && outcome.answer.status >= 400 ? [{ exchange, attempt, answer: outcome.answer }] : [],
  );
}

export function judgeErrorBody(part: ErrorPart, place: ErrorPlace, run: RunView): CheckResult {
  const { exchange, attempt, answer } = place;
  const reading = readBody(answer);
  const wrong = notAnObject(reading, answer);
  if (part === 'json') {
    if (wrong && 'kind' in wrong) return inconclusive(wrong);
    return wrong ? broken([finding(exchange, { ...wrong, attempt })]) : HOLDS;
  }
  if (wrong !== undefined || reading.kind !== 'json')
    return skipped({ kind: 'see-clause', because: 'no-json-object', clause: 'errors.json' });
  const error = memberOf(reading.value, 'error');
  if (part !== 'object' && !isObject(error))
    return skipped({ kind: 'see-clause', because: 'no-error-object', clause: 'errors.object' });
  if (part === 'message-not-empty' && typeof memberOf(error, 'message') !== 'string')
    return skipped({ kind: 'see-clause', because: 'no-message', clause: 'errors.message' });
  const schema = part === 'message-not-empty' ? 'wire/error' : 'v1/error';
  // The schema names a clause for each of its parts.
  const issues = issuesOf(run, schema, answer.body, reading.value).filter(({ clause }) => clause === `errors.${part}`);
  return issues.length === 0 ? HOLDS : broken(issues.map((issue) => issueFound(exchange, issue, attempt)));
}
