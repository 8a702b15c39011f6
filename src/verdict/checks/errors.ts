import type { Exchange } from '../../exchange/exchange.ts';
import { type Check, type CheckInput, textOption } from '../check.ts';
import { asksForTooMuch, controlAnswered, explainedByEnding, TOO_LONG } from '../reading/control.ts';
import { eachExchange, eachJson, worstJudgedResult, worstResult } from '../reading/each-exchange.ts';
import { ERROR_PARTS, type ErrorPart, type ErrorPlace, errorsOf, judgeErrorBody } from '../reading/error-body.ts';
import {
  broken,
  finding,
  inconclusive,
  skipped,
  HOLDS,
  HOLDS_FLAKY,
  mergeFindings,
  brokenIfAny,
  valueFound,
} from '../finding.ts';
import { outcomeOf, outcomeOfAttempt, whyNoAnswer, wentAway, wasFlaky } from '../reading/outcome.ts';
import type { CheckResult, Finding } from '../verdict.ts';
import { statusClass, statusOf, itemsOf } from '../reading/answers.ts';
import { memberOf, typeOf, type Json } from '../../json.ts';

/** One part of the error body per clause, so each fault is reported once. */
const PART = { type: 'string', enum: ERROR_PARTS, default: 'json' } as const;

function partOf(options: CheckInput['options']): ErrorPart {
  return textOption(options, 'part', 'json') as ErrorPart;
}

function judgeError(exchange: Exchange, { options, run }: CheckInput): CheckResult {
  const part = partOf(options);
  const outcome = outcomeOf(exchange);
  if ('answer' in outcome) {
    if (outcome.status < 400) return skipped({ kind: 'no-occasion', of: 'error' });
    if (run.traffic.ending.kind === 'not-this-api')
      return inconclusive({ kind: 'run-ended', ending: run.traffic.ending });
    return judgeErrorBody(part, { exchange, attempt: exchange.attempts.length - 1, answer: outcome.answer }, run);
  }
  // Part 7: an error has a body. Closing the connection on this request alone is an error without a body.
  const alwaysClosed = exchange.attempts.every((attempt) => outcomeOfAttempt(attempt).kind === 'closed');
  if (!alwaysClosed || exchange.controlAfter !== 'answered') return inconclusive(whyNoAnswer(outcome));
  if (part !== 'json') return skipped({ kind: 'see-clause', because: 'no-json-object', clause: 'errors.json' });
  const actual = { kind: 'hang-up', times: exchange.attempts.length } as const;
  const expected = { kind: 'error-body' } as const;
  return broken([finding(exchange, { mismatch: 'no-body', expected, actualType: 'absent', actual })]);
}

export const errorBody: Check = {
  summary: 'An error answer has the error body.',
  options: { part: PART },
  execute: (input) => eachExchange(input, (exchange) => judgeError(exchange, input)),
};

/** Cases that provoke an error judge it themselves. */
function wasAsked({ seeks, attempts }: Exchange, attempt: number): boolean {
  const isEdited = seeks === 'refusal' || seeks === 'either' || seeks === 'unauthorized';
  return isEdited && attempt === attempts.length - 1;
}

function errorsToJudge(exchange: Exchange, exceptAsked: boolean): readonly ErrorPlace[] {
  if (exchange.request.endpoint === 'other') return [];
  return errorsOf(exchange).filter(
    ({ attempt }) => !(exceptAsked && wasAsked(exchange, attempt)) && !wentAway(exchange, attempt),
  );
}

export const everyErrorBody: Check = {
  summary: 'Every error answer of the run has the error body.',
  options: { part: PART, 'except-asked': { type: 'boolean', default: true } },
  execute: ({ options, exchanges, run }) => {
    const places = exchanges.flatMap((exchange) => errorsToJudge(exchange, options['except-asked'] !== false));
    if (places.length === 0) return skipped({ kind: 'no-occasion', of: 'unexpected-error' });
    if (run.traffic.ending.kind === 'not-this-api')
      return inconclusive({ kind: 'run-ended', ending: run.traffic.ending });
    const results = places.map((place) => judgeErrorBody(partOf(options), place, run));
    return worstJudgedResult(results, exchanges);
  },
};

/** Without the part that only stock clients need. */
const PARTS_OF_THE_CONTRACT = ERROR_PARTS.filter((part) => part !== 'message-not-empty');

export const passingServerErrorBody: Check = {
  summary: 'A 5xx that went away on retry had the error body.',
  execute: ({ exchanges, run }) => {
    const places = exchanges
      .filter(({ request }) => request.endpoint !== 'other')
      .flatMap((exchange) => errorsOf(exchange).filter(({ attempt }) => wentAway(exchange, attempt)));
    if (places.length === 0) return skipped({ kind: 'no-occasion', of: 'passing-server-error' });
    const results = places.flatMap((place) => PARTS_OF_THE_CONTRACT.map((part) => judgeErrorBody(part, place, run)));
    return worstResult(results, exchanges);
  },
};

export const noServerError: Check = {
  summary: 'The answer is not a 5xx that persists after retries.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const { run } = input;
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      if (outcome.kind !== 'server-error') return wasFlaky(exchange) ? HOLDS_FLAKY : HOLDS;
      const answer = statusOf(outcome.answer);
      if (asksForTooMuch(outcome.answer, run)) return inconclusive(TOO_LONG);
      const explanation = explainedByEnding(run, outcome.status);
      if (explanation) return inconclusive(explanation);
      if (exchange.seeks === 'answer' && input.control && !controlAnswered(input)) {
        return inconclusive({ kind: 'basis-unanswered', answer });
      }
      if (exchange.seeks !== 'answer' && exchange.controlAfter !== 'answered') {
        return inconclusive({ kind: 'control-unanswered', answer });
      }
      const actualType = statusClass(outcome.status);
      const actual = { kind: 'status', ...answer } as const;
      return broken([
        finding(exchange, { mismatch: 'status', expected: { kind: 'no-server-error' }, actualType, actual }),
      ]);
    }),
};

export const noErrorInside: Check = {
  summary: 'An answer with status 200 carries no error.',
  execute: (input) =>
    eachJson(input, (value, exchange) => {
      const error = memberOf(value, 'error') ?? null;
      return error === null ? HOLDS : broken([errorInside(exchange, error, '/error', 'no-error')]);
    }),
};

function errorInside(
  exchange: Exchange,
  error: Json,
  pointer: string,
  expected: 'no-error' | 'no-error-in-choice',
): Finding {
  return finding(exchange, {
    mismatch: 'error-in-success',
    pointer,
    expected: { kind: expected },
    actualType: typeOf(error),
    actual: valueFound(error),
  });
}

function* errorsInChoices(value: Json, exchange: Exchange): Generator<Finding> {
  for (const [place, choice] of itemsOf(memberOf(value, 'choices')).entries()) {
    const error = memberOf(choice, 'error') ?? null;
    if (error !== null) yield errorInside(exchange, error, `/choices/${place}/error`, 'no-error-in-choice');
  }
}

export const choiceNoError: Check = {
  summary: 'No choice of a completion carries an error.',
  execute: (input) =>
    eachJson(input, (value, exchange) => brokenIfAny(mergeFindings(errorsInChoices(value, exchange), [exchange]))),
};
