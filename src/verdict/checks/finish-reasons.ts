import { readChunks } from '../../exchange/reading/chunks.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { itemsOf, jsonOf, memberOf } from '../body-reading.ts';
import type { Check, RunView } from '../check.ts';
import { isAnswered } from '../control.ts';
import { observed, skipped } from '../finding.ts';
import { answerOf } from '../outcome.ts';
import { seenValues } from '../seen-values.ts';

function reasonsOf(exchange: Exchange, run: RunView): readonly string[] {
  const answer = answerOf(exchange);
  if (!answer || exchange.request.endpoint !== 'chat' || !isAnswered(exchange, run)) return [];
  if (exchange.request.mode === 'stream') {
    const { choices } = readChunks(answer, run.settings.limits.depth);
    return choices.flatMap(({ parts }) => parts.flatMap(({ finish }) => finish?.text ?? []));
  }
  const choices = itemsOf(memberOf(jsonOf(answer, run), 'choices'));
  return choices.map((choice) => memberOf(choice, 'finish_reason')).filter((reason) => typeof reason === 'string');
}

export const finishReasons: Check = {
  summary: 'Records every finish_reason.',
  execute: ({ exchanges, run }) => {
    const reasons = exchanges.flatMap((exchange) => reasonsOf(exchange, run));
    if (reasons.length === 0) return skipped('no completion had a finish_reason');
    return observed([{ name: 'finish_reason', value: seenValues(reasons) }]);
  },
};
