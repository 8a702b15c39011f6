import { statusClass, statusWords } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { CHAT_STEP, isAnswered } from '../control.ts';
import { HOLDS, broken, finding, inconclusive } from '../finding.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';

/** The run finds this out early on: a control that is not answered is asked again without `max_tokens`. */
export const maxTokensAccepted: Check = {
  summary: 'A request is not refused for having max_tokens.',
  needsNoExchange: true,
  execute: ({ run }) => {
    const refused = run.traffic.exchanges.find(({ step }) => step === CHAT_STEP);
    if (!refused || !run.traffic.bindings.withoutMaxTokens) {
      return isAnswered(run.exchange(CHAT_STEP), run) ? HOLDS : inconclusive('the control was not answered');
    }
    const outcome = outcomeOf(refused);
    if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
    return broken([
      finding(refused, {
        mismatch: 'status',
        expected: '200, as without max_tokens',
        actualType: statusClass(outcome.status),
        actual: statusWords(outcome.answer, run),
      }),
    ]);
  },
};
