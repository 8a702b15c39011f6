import { statusClass, statusWords } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { controlAnswered, explainedByEnding } from '../control.ts';
import { eachExchange } from '../each-exchange.ts';
import { carriesError } from '../error-inside.ts';
import { HOLDS, HOLDS_FLAKY, broken, finding, inconclusive } from '../finding.ts';
import { outcomeOf, wasFlaky, whyNoAnswer } from '../outcome.ts';
import { asksForTooMuch, TOO_LONG } from '../retry-wait.ts';

export const answered: Check = {
  summary: 'A valid request is answered with exactly 200.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const { status, answer } = outcome;
      // In the control itself it is a matter of completion.no-error alone.
      const hasError =
        status === 200 &&
        input.control !== undefined &&
        exchange.request.mode === 'plain' &&
        carriesError(exchange, answer, input.run);
      if (status === 200 && !hasError) return wasFlaky(exchange) ? HOLDS_FLAKY : HOLDS;
      if (status === 429) return inconclusive('429 stayed after every attempt');
      if (asksForTooMuch(answer, input.run)) return inconclusive(TOO_LONG);
      const explanation = explainedByEnding(input.run, status);
      if (explanation) return inconclusive(explanation);
      if (input.control && !controlAnswered(input)) return inconclusive('what it rests on was not answered either');
      // 402 speaks of the account: where nothing is answered, it is used up, and that says nothing about this request.
      if (status === 402 && !controlAnswered(input)) return inconclusive('402: this key is used up');
      return broken([
        finding(exchange, {
          mismatch: hasError ? 'error-in-success' : 'status',
          expected: hasError ? '200 without an error inside' : '200',
          actualType: statusClass(status),
          actual: statusWords(answer, input.run),
        }),
      ]);
    }),
};
