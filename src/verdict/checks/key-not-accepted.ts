import type { Exchange } from '../../exchange/exchange.ts';
import { statusClass, statusWords } from '../body-reading.ts';
import type { Check, RunView } from '../check.ts';
import { NO_CONTROL, controlAnswered } from '../control.ts';
import { eachExchange } from '../each-exchange.ts';
import { HOLDS, broken, finding, inconclusive, skipped } from '../finding.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';

/** Whether the same endpoint answers without any key: then it is not the key in this place that was accepted. */
function isOpen({ request }: Exchange, run: RunView): boolean {
  return run.traffic.exchanges.some(
    (other) =>
      other.request.key === 'none' &&
      other.request.endpoint === request.endpoint &&
      other.request.mode === request.mode &&
      outcomeOf(other).kind === 'answered',
  );
}

export const keyNotAccepted: Check = {
  summary: 'A key is not accepted in this place.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const actual = statusWords(outcome.answer, input.run);
      switch (outcome.kind) {
        case 'answered':
        case 'success-other': {
          if (isOpen(exchange, input.run)) return skipped('answered without any key too: judged as auth.required');
          const actualType = statusClass(outcome.status);
          return broken([finding(exchange, { mismatch: 'accepted', expected: 'a refusal (4xx)', actualType, actual })]);
        }
        case 'redirect':
        case 'client-error':
          if (outcome.status === 429 || outcome.status === 408)
            return inconclusive(`${actual} stayed after every attempt`);
          return controlAnswered(input) ? HOLDS : inconclusive(NO_CONTROL);
        case 'server-error':
        case 'odd-status':
          return inconclusive(`${actual} does not tell whether the key was accepted`);
      }
    }),
};
