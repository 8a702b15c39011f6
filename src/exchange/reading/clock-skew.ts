/** Measures how far the target's clock is ahead of ours, by its first Date header. */
import { lastAnswer } from './answered.ts';
import type { Exchange } from '../exchange.ts';
import { headerOf } from '../attempts/retry.ts';

/** Milliseconds. A Date header has whole seconds, so less than two seconds counts as zero. */
export function measureClockSkew(exchanges: readonly Exchange[], startedAt: number): number | undefined {
  for (const exchange of exchanges) {
    const answer = lastAnswer(exchange);
    const date = Date.parse((answer && headerOf(answer.headers, 'date')) ?? '');
    const sent = exchange.attempts.at(-1)?.sentAt;
    if (Number.isNaN(date) || sent === undefined || !answer) continue;
    const skew = date - (startedAt + sent + answer.headersAt);
    return Math.abs(skew) < 2000 ? 0 : Math.round(skew);
  }
  return undefined;
}
