import type { Exchange } from '../../exchange/exchange.ts';
import { statusClass, statusWords } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachExchange } from '../each-exchange.ts';
import { HOLDS, broken, finding, skipped } from '../finding.ts';
import { outcomeOf } from '../outcome.ts';
import { recordedIssues } from '../recorded-issues.ts';

/** What each clause speaks of. */
const ENDPOINTS: Readonly<Record<string, Exchange['request']['endpoint']>> = {
  'endpoint.models-answers': 'models',
  'endpoint.chat-answers': 'chat',
};

export const exactly200: Check = {
  summary: 'Every recorded request that is valid and had success was answered with exactly 200.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const isValid = recordedIssues(exchange, input.run.contract).length === 0;
      if (exchange.request.endpoint !== ENDPOINTS[input.clause] || !isValid)
        return skipped('no valid request of this kind was recorded');
      const outcome = outcomeOf(exchange);
      if (outcome.kind === 'answered') return HOLDS;
      // Why another one was refused, and whether it would be once more, is not in somebody else's recording.
      if (outcome.kind !== 'success-other') return skipped('no recorded request of this kind had success');
      const { status, answer } = outcome;
      const actual = statusWords(answer, input.run);
      return broken([
        finding(exchange, { mismatch: 'status', expected: '200', actualType: statusClass(status), actual }),
      ]);
    }),
};
