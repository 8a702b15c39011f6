/** Walks over the answers of exchanges, those of tried-again attempts included. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { jsonOf, memberOf } from './body-reading.ts';

export function* allAnswers(
  exchanges: Iterable<Exchange>,
): Generator<{ readonly exchange: Exchange; readonly answer: Answer }> {
  for (const exchange of exchanges) {
    for (const { outcome } of exchange.attempts) {
      if (outcome.kind === 'answer') yield { exchange, answer: outcome.answer };
    }
  }
}

/** Answers of the two endpoints with an error status. */
export function* errorAnswers(exchanges: Iterable<Exchange>): ReturnType<typeof allAnswers> {
  for (const one of allAnswers(exchanges)) {
    if (one.answer.status >= 400 && one.exchange.request.endpoint !== 'other') yield one;
  }
}

/** A member of `error`, where it is a string, such as the type or the code. */
export function errorWord(answer: Answer, name: 'type' | 'code'): string | undefined {
  const word = memberOf(memberOf(jsonOf(answer), 'error'), name);
  return typeof word === 'string' ? word : undefined;
}
