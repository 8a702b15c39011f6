import type { Exchange } from '../../exchange/exchange.ts';
import { bodyStart, statusClass, statusWords } from '../body-reading.ts';
import type { Check, CheckInput } from '../check.ts';
import { NO_CONTROL, controlAnswered } from '../control.ts';
import { eachExchange } from '../each-exchange.ts';
import { carriesError } from '../error-inside.ts';
import { HOLDS, broken, finding, inconclusive } from '../finding.ts';
import { isRefusal, outcomeOf, whyNoAnswer } from '../outcome.ts';
import type { CheckResult } from '../verdict.ts';

function judgeRefusal(exchange: Exchange, input: CheckInput): CheckResult {
  if (isRefusal(exchange)) return controlAnswered(input) ? HOLDS : inconclusive(NO_CONTROL);
  const outcome = outcomeOf(exchange);
  if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
  const { status, answer } = outcome;
  const wrong = (mismatch: string, actual: string): CheckResult =>
    broken([finding(exchange, { mismatch, expected: 'a refusal (4xx)', actualType: statusClass(status), actual })]);
  switch (outcome.kind) {
    case 'answered':
    case 'success-other': {
      // No refusal either, but another fault than a completion.
      const mismatch = carriesError(exchange, answer, input.run) ? 'error-in-success' : 'completion';
      return wrong(mismatch, `${status}: ${bodyStart(answer.body)}`);
    }
    case 'redirect':
      return wrong('redirect', String(status));
    case 'server-error':
      return inconclusive(`${statusWords(answer, input.run)}: judged as errors.no-server-error`);
    case 'client-error':
    case 'odd-status':
      return inconclusive(`${statusWords(answer, input.run)} does not speak of what was edited`);
  }
}

export const refused: Check = {
  summary: 'A request that breaks a rule is refused, while its control is answered.',
  execute: (input) => eachExchange(input, (exchange) => judgeRefusal(exchange, input)),
};
