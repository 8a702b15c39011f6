/** How an exchange ended, classified once for all checks. The last attempt counts. */
import type { Answer, Attempt, Exchange, Failure, NoAnswer } from '../../exchange/exchange.ts';
import { isLarge, isProperAnswer, timeLimitOf, timesClosed } from '../../exchange/reading/answered.ts';
import { isValidKey } from '../../suite/case.ts';
import { HOLDS, HOLDS_FLAKY } from '../check-result.ts';
import type { FailedAnswer } from '../reason.ts';
import type { CheckResult } from '../verdict.ts';

export type StatusKind =
  /** Exactly 200, whatever the body. */
  | 'answered'
  /** Another 2xx. */
  | 'success-other'
  | 'redirect'
  | 'client-error'
  | 'server-error'
  /** Below 200, or above 599. */
  | 'odd-status';

export type AnswerOutcome =
  | { readonly kind: StatusKind; readonly status: number; readonly answer: Answer }
  | { readonly kind: NoAnswer; readonly failure: Failure };

function answerKind(status: number): StatusKind {
  if (status === 200) return 'answered';
  if (status < 200 || status > 599) return 'odd-status';
  if (status < 300) return 'success-other';
  if (status < 400) return 'redirect';
  return status < 500 ? 'client-error' : 'server-error';
}

export function outcomeOfAttempt({ outcome }: Attempt): AnswerOutcome {
  if (outcome.kind === 'none') return { kind: outcome.failure.kind, failure: outcome.failure };
  const { answer } = outcome;
  return { kind: answerKind(answer.status), status: answer.status, answer };
}

export function answerOutcome(exchange: Exchange): AnswerOutcome {
  const last = exchange.attempts.at(-1);
  if (!last) throw new Error(`The exchange ${exchange.id} has no attempt.`);
  return outcomeOfAttempt(last);
}

/** Statuses about the account, a timeout or the rate, not about the edit. */
const NOT_OF_THE_EDIT: ReadonlySet<number> = new Set([402, 408, 429]);

/** A 4xx that refuses what was edited in the request. */
export function isRefusal(exchange: Exchange): boolean {
  const outcome = answerOutcome(exchange);
  if (outcome.kind !== 'client-error' || NOT_OF_THE_EDIT.has(outcome.status)) return false;
  return outcome.status !== 401 || !isValidKey(exchange.request.key);
}

/**
 * Whether the connection was closed on a large body, each time: a server may stop reading (RFC 9112, 9.6), and its answer
 * may get lost.
 */
export function wasClosedOnLargeBody(exchange: Exchange): boolean {
  return isLarge(exchange.request) && timesClosed(exchange) > 0;
}

export function whyNoAnswer({
  failure,
}: Extract<AnswerOutcome, { readonly failure: Failure }>): { readonly kind: 'no-answer' } & FailedAnswer {
  const { kind, code, limit } = failure;
  return { kind: 'no-answer', failure: kind, code, ...(limit !== undefined && { limit }) };
}

/** The time of an answer was up. */
export function whyUnanswered(exchange: Exchange): { readonly kind: 'no-answer' } & FailedAnswer {
  const limit = timeLimitOf(exchange);
  return { kind: 'no-answer', failure: 'timeout', code: 'TIMEOUT', ...(limit !== undefined && { limit }) };
}

/**
 * Whether the target failed at first and then gave a proper answer: a 5xx, no answer, or a 200 that broke off came before.
 * A retried refusal, such as a 429, is not flaky, and neither is a failure that persists.
 */
export function wasFlaky(exchange: Exchange): boolean {
  const earlier = exchange.attempts.slice(0, -1);
  return endedProperly(exchange) && earlier.some((attempt) => outcomeOfAttempt(attempt).kind !== 'client-error');
}

/** What came of the last attempt is right, perhaps only after a retry. */
export function holdsFor(exchange: Exchange): CheckResult {
  return wasFlaky(exchange) ? HOLDS_FLAKY : HOLDS;
}

/** Whether this attempt got a 5xx and the last one a proper answer. A 429 between two of them proves nothing. */
export function wentAway(exchange: Exchange, attempt: number): boolean {
  const here = exchange.attempts[attempt];
  return here !== undefined && outcomeOfAttempt(here).kind === 'server-error' && endedProperly(exchange);
}

function endedProperly({ attempts, request }: Exchange): boolean {
  const last = attempts.at(-1);
  return last !== undefined && isProperAnswer(last, request);
}
