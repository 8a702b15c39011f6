import { statusClass, statusWords } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { controlAnswered, explainedByEnding } from '../control.ts';
import { eachExchange } from '../each-exchange.ts';
import { HOLDS, HOLDS_FLAKY, broken, finding, inconclusive } from '../finding.ts';
import { outcomeOf, wasFlaky, whyNoAnswer } from '../outcome.ts';
import { asksForTooMuch, TOO_LONG } from '../retry-wait.ts';

export const noServerError: Check = {
  summary: 'The answer is not a 5xx that stays.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const { run } = input;
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      if (outcome.kind !== 'server-error') return wasFlaky(exchange) ? HOLDS_FLAKY : HOLDS;
      const actual = statusWords(outcome.answer, run);
      if (asksForTooMuch(outcome.answer, run)) return inconclusive(TOO_LONG);
      const explanation = explainedByEnding(run, outcome.status);
      if (explanation) return inconclusive(explanation);
      if (exchange.seeks === 'answer' && input.control && !controlAnswered(input)) {
        return inconclusive(`${actual}, and what it rests on was not answered either`);
      }
      if (exchange.seeks !== 'answer' && exchange.controlAfter !== 'answered') {
        return inconclusive(`${actual}, and the control was not answered after it`);
      }
      const actualType = statusClass(outcome.status);
      return broken([finding(exchange, { mismatch: 'status', expected: 'no 5xx', actualType, actual })]);
    }),
};
