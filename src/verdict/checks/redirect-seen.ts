import type { Exchange } from '../../exchange/exchange.ts';
import { allAnswers } from '../answers.ts';
import { headerOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { cutText, observed } from '../finding.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';
import { seenValues } from '../seen-values.ts';
import type { Observation } from '../verdict.ts';

function answerTo(exchange: Exchange): Observation {
  const outcome = outcomeOf(exchange);
  const { method, path } = exchange.request;
  return { name: cutText(`${method} ${path}`), value: 'failure' in outcome ? whyNoAnswer(outcome) : outcome.status };
}

export const redirectSeen: Check = {
  summary: 'Records redirects, and what happens to a trailing slash.',
  execute: ({ exchanges }) => {
    const redirects = [...allAnswers(exchanges)]
      .filter(({ answer }) => answer.status >= 300 && answer.status < 400)
      .map(({ exchange, answer }) => {
        const { method, path } = exchange.request;
        return `${method} ${path}: ${answer.status} to ${headerOf(answer, 'location') ?? 'nowhere'}`;
      });
    const slashed = exchanges.filter(({ request }) => /.\/(?:\?|$)/.test(request.path));
    return observed([{ name: 'redirects', value: seenValues(redirects) }, ...slashed.map(answerTo)]);
  },
};
