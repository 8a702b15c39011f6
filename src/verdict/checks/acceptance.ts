import type { Exchange } from '../../exchange/exchange.ts';
import { errorWord } from '../answers.ts';
import type { Check, RunView } from '../check.ts';
import { eachExchange } from '../each-exchange.ts';
import { cutText, observed } from '../finding.ts';
import { textOption } from '../options.ts';
import { outcomeOf, whyNoAnswer } from '../outcome.ts';

function describe(exchange: Exchange, run: RunView): string {
  const outcome = outcomeOf(exchange);
  if ('failure' in outcome) return `not answered: ${whyNoAnswer(outcome)}`;
  if (outcome.kind === 'answered' || outcome.kind === 'success-other') return 'accepted';
  const said = outcome.kind === 'client-error' ? 'refused' : 'answered';
  const code = errorWord(outcome.answer, 'code', run);
  return `${said} with ${outcome.status}${code === undefined ? '' : ` ${cutText(code)}`}`;
}

export const acceptance: Check = {
  summary: 'Records whether this is accepted.',
  options: { what: { type: 'string', minLength: 1 } },
  execute: (input) =>
    eachExchange(input, (exchange) =>
      observed([{ name: textOption(input.options, 'what', 'outcome'), value: describe(exchange, input.run) }]),
    ),
};
