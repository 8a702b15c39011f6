import type { Exchange } from '../../exchange/exchange.ts';
import type { Check, CheckInput } from '../check.ts';
import { NOT_THIS_API } from '../control.ts';
import { eachExchange } from '../each-exchange.ts';
import { judgeErrorBody } from '../error-body.ts';
import { broken, finding, inconclusive, skipped } from '../finding.ts';
import { outcomeOf, outcomeOfAttempt, whyNoAnswer } from '../outcome.ts';
import type { CheckResult } from '../verdict.ts';

function judgeOne(exchange: Exchange, { clause, run }: CheckInput): CheckResult {
  const outcome = outcomeOf(exchange);
  if ('answer' in outcome) {
    if (outcome.status < 400) return skipped('the answer was not an error');
    if (run.traffic.ending.kind === 'not-this-api') return inconclusive(NOT_THIS_API);
    return judgeErrorBody(clause, { exchange, attempt: exchange.attempts.length - 1, answer: outcome.answer }, run);
  }
  // Part 7: an error has a body. Hanging up on this request and no other is an error without one.
  const alwaysClosed = exchange.attempts.every((attempt) => outcomeOfAttempt(attempt).kind === 'closed');
  if (!alwaysClosed || exchange.controlAfter !== 'answered') return inconclusive(whyNoAnswer(outcome));
  if (clause !== 'errors.json') return skipped('judged as errors.json');
  const actual = `the connection was closed without an answer, ${exchange.attempts.length} times`;
  return broken([finding(exchange, { mismatch: 'no-body', expected: 'an error body', actualType: 'absent', actual })]);
}

export const errorBody: Check = {
  summary: 'An error answer has the error body.',
  execute: (input) => eachExchange(input, (exchange) => judgeOne(exchange, input)),
};
