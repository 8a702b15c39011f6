/** The error body of part 7, clause by clause, on one attempt. */
import type { Answer } from '../../exchange/exchange.ts';
import { isObject, memberOf, typeOf } from '../../json.ts';
import type { Actual, BodyForm } from '../actual.ts';
import type { Expected } from '../expected.ts';
import { type AnswerPlace, type BodyReading, readBody } from './answers.ts';
import { formFound } from './body-content.ts';
import type { RunView } from '../check.ts';
import { type FindingParts, issueFound } from '../finding.ts';
import { HOLDS, brokenIfAny, inconclusive, skipped, brokenWith } from '../check-result.ts';
import { issuesOf } from './schema-issues.ts';
import type { Reason } from '../reason.ts';
import type { CheckResult } from '../verdict.ts';

/** Parts of an error body that can be wrong. The last is not in part 7, but stock clients need it. */
export const ERROR_PARTS = ['json', 'object', 'message', 'type', 'code', 'message-not-empty'] as const;
export type ErrorPart = (typeof ERROR_PARTS)[number];

/** A mismatch for a body that is not a JSON object; a reason for one that could not be read. */
function notAnObject(reading: BodyReading, answer: Answer): Omit<FindingParts, 'attempt'> | Reason | undefined {
  if (reading.kind === 'json' && isObject(reading.value)) return undefined;
  const expected: Expected = { kind: 'json-object' };
  const body = (form: BodyForm): Actual => formFound(form, answer);
  switch (reading.kind) {
    case 'json':
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

export function judgeErrorBody(part: ErrorPart, place: AnswerPlace, run: RunView): CheckResult {
  const { exchange, attempt, answer } = place;
  const reading = readBody(answer);
  const wrong = notAnObject(reading, answer);
  if (part === 'json') {
    if (wrong && 'kind' in wrong) return inconclusive(wrong);
    return wrong ? brokenWith(exchange, { ...wrong, attempt }) : HOLDS;
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
  const issues = issuesOf(run, schema, answer.body, reading.value);
  if (issues.length === 0) return HOLDS;
  const own = issues.filter(({ clause }) => clause === `errors.${part}`);
  return brokenIfAny(own.map((issue) => issueFound(exchange, issue, attempt)));
}
