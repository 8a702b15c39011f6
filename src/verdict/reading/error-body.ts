/** The error body of part 7, clause by clause, on one attempt. */
import type { Answer, Attempt, Exchange } from '../../exchange/exchange.ts';
import { isObject, typeOf } from '../../json.ts';
import { type BodyReading, bodyStart, memberOf, readBody } from './body-reading.ts';
import type { RunView } from '../check.ts';
import { type FindingParts, HOLDS, broken, finding, inconclusive, skipped } from '../finding.ts';
import { issuesOf } from './schema-issues.ts';
import type { CheckResult } from '../verdict.ts';

/** The clauses that stand in part 7, without what stock clients need beyond it. */
export const ERROR_SHAPE = ['errors.json', 'errors.object', 'errors.message', 'errors.type', 'errors.code'] as const;

const NOT_EMPTY = 'errors.message-not-empty';

/** What is wrong with a body that is no JSON object; a text for a body that could not be looked at. */
function notAnObject(reading: BodyReading, answer: Answer): Omit<FindingParts, 'attempt'> | string | undefined {
  const expected = 'one JSON object';
  switch (reading.kind) {
    case 'json':
      if (isObject(reading.value)) return undefined;
      return {
        mismatch: 'type',
        pointer: '',
        expected,
        actualType: typeOf(reading.value),
        actual: bodyStart(answer.body),
      };
    case 'empty':
      return { mismatch: 'no-body', expected, actualType: 'absent', actual: `${answer.status} without a body` };
    case 'not-json':
    case 'not-utf8':
      return { mismatch: 'not-json', expected, actualType: reading.kind, actual: bodyStart(answer.body) };
    case 'cut':
    case 'undecodable':
      return { mismatch: reading.kind, expected, actualType: reading.kind, actual: bodyStart(answer.body) };
    case 'limit':
      return `the body went beyond the limit set by ${reading.limit}`;
    case 'aborted':
      return `the body was not read to its end: ${reading.why}`;
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

export function judgeErrorBody(clause: string, place: ErrorPlace, run: RunView): CheckResult {
  const { exchange, attempt, answer } = place;
  const reading = readBody(answer);
  const wrong = notAnObject(reading, answer);
  if (clause === 'errors.json') {
    if (typeof wrong === 'string') return inconclusive(wrong);
    return wrong ? broken([finding(exchange, { ...wrong, attempt })]) : HOLDS;
  }
  if (wrong !== undefined || reading.kind !== 'json') return skipped('judged as errors.json');
  const error = memberOf(reading.value, 'error');
  if (clause !== 'errors.object' && !isObject(error)) return skipped('judged as errors.object');
  if (clause === NOT_EMPTY && typeof memberOf(error, 'message') !== 'string')
    return skipped('judged as errors.message');
  const schema = clause === NOT_EMPTY ? 'wire/error' : 'v1/error';
  const issues = issuesOf(run, schema, answer.body, reading.value).filter((issue) => issue.clause === clause);
  return issues.length === 0 ? HOLDS : broken(issues.map((issue) => finding(exchange, { ...issue, attempt })));
}
