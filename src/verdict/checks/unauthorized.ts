import { statusClass, statusWords } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { NO_CONTROL, controlAnswered } from '../control.ts';
import { eachExchange } from '../each-exchange.ts';
import { HOLDS, broken, finding, inconclusive } from '../finding.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';

/** They speak of the rate and the clock; whether the key was looked at is open. */
const BEFORE_THE_KEY: ReadonlySet<number> = new Set([408, 429]);

export const unauthorized: Check = {
  summary: 'A request without a valid key is answered with 401, while its control is answered.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const { kind, status, answer } = outcome;
      const actual = statusWords(answer, input.run);
      if (kind === 'server-error') return inconclusive(`${actual}: judged as errors.no-server-error`);
      if (kind === 'odd-status' || BEFORE_THE_KEY.has(status))
        return inconclusive(`${actual} stayed after every attempt`);
      if (kind === 'client-error' && !controlAnswered(input)) return inconclusive(NO_CONTROL);
      if (status === 401) return HOLDS;
      return broken([
        finding(exchange, { mismatch: 'status', expected: '401', actualType: statusClass(status), actual }),
      ]);
    }),
};
