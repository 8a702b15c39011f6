/** A target that asks to wait longer than the user would wait was not asked again, so nothing is known (rule on trying again). */
import type { Answer } from '../../exchange/exchange.ts';
import { retryAfter } from '../../exchange/attempts/retry.ts';
import type { RunView } from '../check.ts';
import type { Reason } from '../reason.ts';

export const TOO_LONG: Reason = { kind: 'wait-too-long' };

export function asksForTooMuch(answer: Answer, { settings }: RunView): boolean {
  return (retryAfter(answer) ?? 0) > settings.maxRetryWait;
}
