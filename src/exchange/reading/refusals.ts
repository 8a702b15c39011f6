/** Refusals of edited requests: which answers are not about the edit, and how long refusals take. */
import { lastAnswer } from './answered.ts';
import { isValidKey } from '../../suite/case.ts';
import type { Exchange } from '../exchange.ts';

/** After all attempts, the outcome may have nothing to do with the edit: the control has to be sent. */
export function isUnrelatedToEdit(exchange: Exchange): boolean {
  const { seeks } = exchange;
  if (seeks === 'answer' || seeks === 'any') return false;
  const outcome = exchange.attempts.at(-1)?.outcome;
  if (outcome?.kind !== 'answer') return outcome?.failure.kind === 'closed';
  const { status } = outcome.answer;
  if (status === 408 || status === 429 || status >= 500) return true;
  return seeks !== 'unauthorized' && (status === 402 || (status === 401 && isValidKey(exchange.request.key)));
}

/** Milliseconds from sending to the end of each 4xx to chat, sorted: how fast the target is without generation. */
export function refusalTimes(exchanges: readonly Exchange[]): readonly number[] {
  return exchanges
    .flatMap((exchange) => {
      const answer = lastAnswer(exchange);
      return answer && answer.status >= 400 && answer.status < 500 && exchange.request.endpoint === 'chat'
        ? [answer.endAt]
        : [];
    })
    .toSorted((a, b) => a - b);
}

/** No answer, or 429 after every attempt: more attempts would only take longer. */
export function isSilent(exchange: Exchange): boolean {
  const answer = lastAnswer(exchange);
  return answer === undefined || (answer.status === 429 && exchange.seeks !== 'any');
}
