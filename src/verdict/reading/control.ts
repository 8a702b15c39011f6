/** Controls: a refusal proves something only if the control, the unedited request, is answered. */
import { wasAnswered } from '../../exchange/reading/answered.ts';
import { explainsStatus } from '../../exchange/ending.ts';
import type { Exchange, Answer } from '../../exchange/exchange.ts';
import { requestNameOf } from '../../exchange/identity.ts';
import { CONTROL_STEP } from '../../plan/plan.ts';
import type { CheckInput, RunView } from '../check.ts';
import type { Reason } from '../reason.ts';
import { retryAfter } from '../../exchange/attempts/retry.ts';

/** Step id of the list, which everything about models is an edit of. */
export const MODELS_STEP = 'models';

export function isControlAnswered(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && wasAnswered(exchange);
}

/** A case that names no control has the plain chat request as its control. */
export function controlAnswered({ control, run }: CheckInput): boolean {
  return isControlAnswered(control ?? run.exchange(CONTROL_STEP));
}

export const NO_CONTROL: Reason = { kind: 'control-unanswered' };

/** The reason not to judge an answer with this status, if the end of the run explains it. */
export function explainedByEnding({ traffic: { ending } }: RunView, status: number): Reason | undefined {
  return explainsStatus(ending, status) ? { kind: 'run-ended', ending } : undefined;
}

/** The reason not to judge a body that broke off: the target died meanwhile, and this request may have been the cause. */
export function cutByEnd({ traffic: { ending } }: RunView, exchange: Exchange): Reason | undefined {
  if (ending.kind !== 'stopped-answering') return undefined;
  const names = [exchange.step, requestNameOf(exchange)];
  return ending.suspects.some((suspect) => names.includes(suspect)) ? { kind: 'run-ended', ending } : undefined;
}

/** Retry-After exceeds the user's limit, so the request was not retried. */
export const TOO_LONG: Reason = { kind: 'wait-too-long' };

export function asksForTooMuch(answer: Answer, { settings }: RunView): boolean {
  return (retryAfter(answer) ?? 0) > settings.maxRetryWait;
}
