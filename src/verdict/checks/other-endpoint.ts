import type { Check } from '../check.ts';
import { headerOf, statusWords } from '../body-reading.ts';
import { eachExchange } from '../each-exchange.ts';
import { cutText, observed } from '../finding.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';

export const otherEndpoint: Check = {
  summary: 'Records what an unknown path or a wrong method is answered with.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      const { method, path } = exchange.request;
      const location = 'answer' in outcome ? headerOf(outcome.answer, 'location') : undefined;
      const answer = 'failure' in outcome ? whyNoAnswer(outcome) : statusWords(outcome.answer, input.run);
      const value = location === undefined ? answer : `${answer} to ${cutText(location)}`;
      return observed([{ name: cutText(`${method} ${path}`), value }]);
    }),
};
