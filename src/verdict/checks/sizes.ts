/** Requests that are larger than a target may take. */
import type { Exchange } from '../../exchange/exchange.ts';
import { groupDigits } from '../../text/layout.ts';
import type { Check } from '../check.ts';
import { observed, skipped } from '../finding.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, wasClosedOnLargeBody, whyNoAnswer } from '../reading/outcome.ts';
import { contextNotReached } from '../reading/context.ts';
import { acceptance, acceptanceOf } from './observed-answers.ts';
import { refused } from './refusals.ts';

export const largeBodyRefused: Check = {
  summary: 'A large body that is not a valid request is refused, or not read to its end.',
  seeks: 'refusal',
  isBrokenByAnswer: true,
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome && wasClosedOnLargeBody(exchange))
        return observed([{ name: 'outcome-of', of: sizeOf(exchange), value: whyNoAnswer(outcome) }]);
      return refused.execute({ ...input, exchanges: [exchange] });
    }),
};

/** `larger-body` sends several, and a verdict names only one of them. */
export const bodySizes: Check = {
  summary: 'Records what happens to a body of each size.',
  execute: (input) =>
    eachExchange(input, (exchange) =>
      observed([{ name: 'outcome-of', of: sizeOf(exchange), value: acceptanceOf(exchange) }]),
    ),
};

function sizeOf({ request: { filler } }: Exchange): string {
  return `a body of ${groupDigits((filler?.count ?? 0) / 1024 ** 2)} MiB`;
}

export const contextExceeded: Check = {
  summary: 'Records what happens to a prompt that is longer than the context.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const reason = contextNotReached(exchange, input);
      if (reason) return skipped(reason);
      return acceptance.execute({ ...input, options: {}, exchanges: [exchange] });
    }),
};
