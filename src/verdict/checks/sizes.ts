/** Requests that are larger than a target may take. */
import { memberOf } from '../../json.ts';
import type { Check } from '../check.ts';
import { observed, skipped } from '../finding.ts';
import { jsonOf } from '../reading/answers.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, wasClosedOnLargeBody, whyNoAnswer } from '../reading/outcome.ts';
import { acceptance } from './observed-answers.ts';
import { refused } from './refusals.ts';

export const largeBodyRefused: Check = {
  summary: 'A large body that is not a valid request is refused, or not read to its end.',
  seeks: 'refusal',
  isBrokenByAnswer: true,
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome && wasClosedOnLargeBody(exchange))
        return observed([{ name: 'outcome', value: whyNoAnswer(outcome) }]);
      return refused.execute({ ...input, exchanges: [exchange] });
    }),
};

export const contextExceeded: Check = {
  summary: 'Records what happens to a prompt that is longer than the context.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = answerOutcome(exchange);
      const context = input.run.settings.contextTokens ?? 0;
      const usage = outcome.kind === 'answered' ? memberOf(jsonOf(outcome.answer), 'usage') : undefined;
      const tokens = memberOf(usage, 'prompt_tokens');
      if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 && tokens < context)
        return skipped({ kind: 'context-not-reached', tokens, context });
      return acceptance.execute({ ...input, options: {}, exchanges: [exchange] });
    }),
};
