import { oncePer } from '../../once-per.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { timesClosed } from '../../exchange/reading/answered.ts';
import { sortByPlainness } from '../../exchange/reading/plainness.ts';
import { errorMember, isObject, type Json, memberOf, typeOf } from '../../json.ts';
import { type Check, type RunView, textOption } from '../check.ts';
import { type BriefParts, finding, issueFound, mergeFindings, typedValue, broken, brokenWith } from '../finding.ts';
import { HOLDS, holdsIn, inconclusive, NO_FIELD, noOccasion, seeOtherClause, skipped } from '../check-result.ts';
import { type BodyReading, errorWord, itemsOf, readBody, statusFound, statusOf } from '../reading/answers.ts';
import { type AnswerPlace, errorAnswers, errorSaid } from '../reading/answer-places.ts';
import { formFound } from '../reading/body-content.ts';
import { contextNotReached, controlAnswered, explainedByRun, noBasis } from '../reading/control.ts';
import { eachExchange, eachJson, worstResult } from '../reading/each-exchange.ts';
import { issuesOf } from '../reading/schema-issues.ts';
import { answerOutcome, wasClosedOnLargeBody, holdsFor, wentAway, whyNoAnswer } from '../reading/outcome.ts';
import type { Reason } from '../reason.ts';
import type { Answers, CheckResult, Finding } from '../verdict.ts';

// The error body of part 7, clause by clause, on one attempt.

/** Parts of an error body that can be wrong. The last is not in part 7, but stock clients need it. */
export const ERROR_PARTS = ['json', 'object', 'message', 'type', 'code', 'message-not-empty'] as const;
type ErrorPart = (typeof ERROR_PARTS)[number];

/** A mismatch for a body that is not a JSON object; a reason for one that could not be read. */
function notAnObject(reading: BodyReading, answer: Answer): BriefParts | Reason | undefined {
  const expected = 'json-object';
  switch (reading.kind) {
    case 'json': {
      if (isObject(reading.value)) return undefined;
      const actual = formFound('no-object', answer);
      return { mismatch: 'type', pointer: '', expected, actualType: typeOf(reading.value), actual };
    }
    case 'empty': {
      const actual = { kind: 'no-body', status: answer.status } as const;
      return { mismatch: 'no-body', expected, actualType: 'absent', actual };
    }
    case 'not-json':
    case 'not-utf8':
    case 'cut':
    case 'undecodable': {
      const { kind } = reading;
      const mismatch = kind === 'not-utf8' ? 'not-json' : kind;
      return { mismatch, expected, actualType: kind, actual: formFound(kind, answer) };
    }
    case 'limit':
      return { kind: 'over-limit', what: 'body', limit: reading.limit };
    case 'aborted':
      return { kind: 'not-read', what: 'body' };
  }
}

/** With what the answer says: a page may name another status than its own. */
function judgeErrorBody(part: ErrorPart, place: AnswerPlace, run: RunView): CheckResult {
  const result = judgeBody(part, place, run);
  if (result.kind !== 'broken') return result;
  return broken(result.findings.map((each) => ({ ...each, answer: errorSaid(place.answer) })));
}

function judgeBody(part: ErrorPart, { exchange, attempt, answer }: AnswerPlace, run: RunView): CheckResult {
  const reading = readBody(answer);
  const wrong = notAnObject(reading, answer);
  if (part === 'json') {
    if (wrong && 'kind' in wrong) return inconclusive(wrong);
    return wrong ? brokenWith(exchange, { ...wrong, attempt }) : HOLDS;
  }
  if (wrong !== undefined || reading.kind !== 'json') return NO_JSON_OBJECT;
  const error = memberOf(reading.value, 'error');
  if (part !== 'object' && !isObject(error)) return seeOtherClause('no-error-object', 'errors.object');
  if (part === 'message-not-empty' && typeof memberOf(error, 'message') !== 'string')
    return seeOtherClause('no-message', 'errors.message');
  const schema = part === 'message-not-empty' ? 'wire/error' : 'v1/error';
  // The schema names a clause for each of its parts.
  const issues = issuesOf(run, schema, answer.body, reading.value);
  if (issues.length === 0) return HOLDS;
  const own = issues.filter(({ clause }) => clause === `errors.${part}`);
  return own.length === 0 ? HOLDS : broken(own.map((issue) => issueFound(exchange, issue, attempt)));
}

const NO_JSON_OBJECT = seeOtherClause('no-json-object', 'errors.json');

/** One part of the error body per clause, so each fault is reported once. */
const PART = { type: 'string', enum: ERROR_PARTS, default: 'json' } as const;

/** Part 7: an error has a body. A connection closed on this request alone is an error without one. */
function isAlwaysClosed(exchange: Exchange): boolean {
  return exchange.controlAfter === 'answered' && !wasClosedOnLargeBody(exchange) && timesClosed(exchange) > 0;
}

function judgeHangUp(exchange: Exchange, part: ErrorPart): CheckResult {
  if (part !== 'json') return NO_JSON_OBJECT;
  const actual = { kind: 'hang-up', times: timesClosed(exchange) } as const;
  return brokenWith(exchange, { mismatch: 'no-body', expected: 'error-body', actualType: 'absent', actual });
}

/** An error that stayed. It has no answer if the connection was closed instead. */
type LastingError = AnswerPlace | { readonly exchange: Exchange; readonly answer?: undefined };

interface JudgedError {
  readonly error: LastingError;
  readonly result: CheckResult;
}

/** The order is that of the exchanges. Each clause of the error body judges the same ones. */
const lastingErrors = oncePer((exchanges: readonly Exchange[]): readonly LastingError[] => {
  const closed = exchanges.filter((each) => each.request.endpoint !== 'other' && isAlwaysClosed(each));
  const errors = errorAnswers(exchanges).filter(({ exchange, attempt }) => !wentAway(exchange, attempt));
  if (closed.length === 0) return errors;
  const places = new Map(exchanges.map((exchange, place) => [exchange, place]));
  const placeOf = ({ exchange }: LastingError): number => places.get(exchange) ?? 0;
  return [...errors, ...closed.map((exchange) => ({ exchange }))].toSorted((a, b) => placeOf(a) - placeOf(b));
});

/** Errors of another status or type are likely to have another cause. */
function causeOf({ answer }: LastingError): string {
  return answer ? `${answer.status} ${errorWord(answer, 'type')}` : 'hang-up';
}

/** One group per cause. The plainest answer of each comes first and becomes its evidence. */
function findingsByCause(errors: readonly JudgedError[], exchanges: readonly Exchange[]): readonly Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const { error, result } of sortByPlainness(errors, ({ error: { exchange } }) => ({
    ...exchange.request,
    id: exchange.id,
  }))) {
    if (result.kind !== 'broken') continue;
    const { findings } = result;
    const said = error.answer && { status: error.answer.status };
    const group = groups.get(causeOf(error)) ?? [];
    groups.set(causeOf(error), group);
    group.push(...findings.map((each) => ({ ...each, ...said })));
  }
  return [...groups.values()].flatMap((findings) => mergeFindings(findings, exchanges));
}

/** Each exchange counts once, however many of its attempts got an error. */
function answersOf(errors: readonly JudgedError[]): Answers {
  const exchangesWhere = (kind: CheckResult['kind']): readonly Exchange[] => [
    ...new Set(errors.flatMap(({ error, result }) => (result.kind === kind ? [error.exchange] : []))),
  ];
  return { kept: exchangesWhere('holds'), broken: exchangesWhere('broken') };
}

/** Answers of one status are compared with each other alone: another status may come from another layer. */
function ofBrokenStatus(errors: readonly JudgedError[]): readonly JudgedError[] {
  const statusIn = ({ error }: JudgedError): number | undefined => error.answer?.status;
  const wrong = new Set(errors.filter(({ result }) => result.kind === 'broken').map(statusIn));
  return errors.filter((each) => wrong.has(statusIn(each)));
}

/** Only stock clients need the part that is left out. */
const PARTS_OF_THE_CONTRACT = ERROR_PARTS.filter((part) => part !== 'message-not-empty');

const INSIDE = { mismatch: 'error-in-success', expected: 'no-error' } as const;

function* errorsInChoices(value: Json, exchange: Exchange): Generator<Finding> {
  for (const [place, choice] of itemsOf(memberOf(value, 'choices')).entries()) {
    const error = errorMember(choice);
    const pointer = `/choices/${place}/error`;
    if (error !== undefined)
      yield finding(exchange, { ...INSIDE, pointer, expected: 'no-error-in-choice', ...typedValue(error) });
  }
}

export const ERROR_CHECKS = {
  'no-server-error': {
    summary: 'The answer is not a 5xx that persists after retries.',
    findsRefusals: true,
    isIndependentOfEdits: true,
    execute: eachExchange((exchange, input) => {
      const { run } = input;
      const outcome = answerOutcome(exchange);
      if (wasClosedOnLargeBody(exchange)) return noOccasion('body-read');
      const tooShort = contextNotReached(exchange, input);
      if (tooShort) return skipped(tooShort);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      if (outcome.kind !== 'server-error') return holdsFor(exchange);
      const answer = statusOf(outcome.answer);
      const explanation = explainedByRun(outcome.answer, run);
      if (explanation) return inconclusive(explanation);
      if (exchange.seeks === 'answer' && input.control && !controlAnswered(input))
        return inconclusive({ ...noBasis(input.control), answer });
      if (exchange.seeks !== 'answer' && exchange.controlAfter !== 'answered')
        return inconclusive({ kind: 'control-unanswered', answer });
      return brokenWith(exchange, statusFound(outcome.answer, { kind: 'no-server-error' }));
    }),
  },
  'every-error-body': {
    summary: 'Every error answer has the error body.',
    options: { part: PART },
    execute: ({ options, exchanges, run }) => {
      const { ending } = run.traffic;
      const part = textOption(options, 'part', 'json') as ErrorPart;
      const errors = lastingErrors(exchanges).map((error) => {
        const result = error.answer ? judgeErrorBody(part, error, run) : judgeHangUp(error.exchange, part);
        return { error, result };
      });
      if (errors.length === 0 && ending.kind === 'complete') return noOccasion('error');
      if (errors.length === 0 || ending.kind === 'not-this-api') return inconclusive({ kind: 'run-ended', ending });
      const results = errors.map(({ result }) => result);
      // A recording may hold 100,000 answers, most of them in order: causes are found only for those that are not.
      if (results.every(({ kind }) => kind !== 'broken')) {
        const worst = worstResult(results, exchanges);
        return worst.kind === 'holds' ? { ...worst, answers: answersOf(errors) } : worst;
      }
      const findings = findingsByCause(errors, exchanges);
      return { ...broken(findings), answers: answersOf(ofBrokenStatus(errors)) };
    },
  },
  'passing-server-error-body': {
    summary: 'A 5xx that went away on retry had the error body.',
    execute: ({ exchanges, run }) => {
      const places = errorAnswers(exchanges).filter(({ exchange, attempt }) => wentAway(exchange, attempt));
      if (places.length === 0) return noOccasion('passing-server-error');
      const results = places.flatMap((place) => PARTS_OF_THE_CONTRACT.map((part) => judgeErrorBody(part, place, run)));
      const worst = worstResult(results, exchanges);
      return worst.kind === 'holds' ? holdsIn([...new Set(places.map(({ exchange }) => exchange))]) : worst;
    },
  },
  'no-error-inside': {
    summary: 'An answer with status 200 carries no error.',
    execute: eachJson((value, exchange) => {
      const error = errorMember(value);
      if (error !== undefined) return brokenWith(exchange, { ...INSIDE, pointer: '/error', ...typedValue(error) });
      return isObject(value) ? HOLDS : NO_FIELD;
    }),
  },
  'choice-no-error': {
    summary: 'No choice of a completion carries an error.',
    execute: eachJson((value, exchange) =>
      itemsOf(memberOf(value, 'choices')).some(isObject)
        ? mergeFindings(errorsInChoices(value, exchange), [exchange])
        : NO_FIELD,
    ),
  },
} satisfies Record<string, Check>;
