import { bodyStart, statusClass, statusWords } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachExchange } from '../each-exchange.ts';
import { carriesError } from '../error-inside.ts';
import { HOLDS, broken, finding, skipped } from '../finding.ts';
import { isRefusal, outcomeOf, whyNoAnswer } from '../outcome.ts';

export const refusalInForm: Check = {
  summary: 'What is not answered is refused by an error status, not by a redirect or an error inside a 200.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      if (isRefusal(exchange)) return HOLDS;
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return skipped(whyNoAnswer(outcome));
      const { kind, status, answer } = outcome;
      const wrong = (mismatch: string, actual: string) =>
        broken([finding(exchange, { mismatch, expected: 'a refusal (4xx)', actualType: statusClass(status), actual })]);
      if (kind === 'redirect') return wrong('redirect', String(status));
      if (kind !== 'answered' && kind !== 'success-other') return skipped(statusWords(answer, input.run));
      return carriesError(exchange, answer, input.run)
        ? wrong('error-in-success', `${status}: ${bodyStart(answer.body)}`)
        : skipped('it was not refused');
    }),
};
