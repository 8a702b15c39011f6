/** After the load: one call at a time until one is answered, or for as long as `--recovery` allows (rule 36). */
import { pauseFor } from '../exchange/channel/pace.ts';
import { retryAfter } from '../exchange/channel/retry.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { lastAnswer, wasAnswered } from '../exchange/reading/answered.ts';
import type { LoadRecovery, RecoveryAnswer } from '../report/load-report.ts';
import type { Actual } from '../verdict/actual.ts';
import { finding } from '../verdict/finding.ts';
import { statusClass, statusOf } from '../verdict/reading/answers.ts';
import { failureFound } from '../verdict/reading/failure-found.ts';
import type { Finding } from '../verdict/verdict.ts';

/** Milliseconds between two controls. */
const INTERVAL = 500;

export interface Recovered {
  readonly recovery: LoadRecovery;
  /** The last control, if it was not answered. */
  readonly last?: Exchange;
}

export interface RecoveryOptions {
  /** Milliseconds. */
  readonly longest: number;
  readonly signal: AbortSignal;
  /** Undefined if the run ended. */
  readonly ask: () => Promise<Exchange | undefined>;
  /** The same call before the load. */
  readonly before?: Exchange | undefined;
}

export async function awaitRecovery({ longest, signal, ask, before }: RecoveryOptions): Promise<Recovered> {
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  let last: Exchange | undefined;
  for (;;) {
    const exchange = await ask();
    if (!exchange) break;
    last = exchange;
    if (wasAnswered(exchange))
      return { recovery: { kind: 'recovered', after: elapsed(), ...timesOf(exchange, before) } };
    const wait = askedToWait(exchange);
    if (wait !== undefined && elapsed() + wait > longest) {
      return { recovery: { kind: 'rejecting', after: elapsed(), last: describe(exchange), retryAfter: wait }, last };
    }
    if (elapsed() >= longest) break;
    await pauseFor(Math.min(Math.max(INTERVAL, wait ?? 0), longest), signal);
  }
  if (!last || signal.aborted) return { recovery: { kind: 'not-asked' } };
  const isRejecting = lastAnswer(last)?.status === 429;
  const kind = isRejecting ? 'rejecting' : 'not-recovered';
  return { recovery: { kind, after: elapsed(), last: describe(last) }, last };
}

function timesOf(now: Exchange, before: Exchange | undefined): { readonly took?: number; readonly before?: number } {
  const [own, earlier] = [now, before].map((exchange) => exchange && lastAnswer(exchange)?.endAt);
  if (own === undefined || earlier === undefined) return {};
  return { took: Math.round(own), before: Math.round(earlier) };
}

/** Milliseconds, by 429 and 503 only. */
function askedToWait(exchange: Exchange): number | undefined {
  const answer = lastAnswer(exchange);
  return answer && (answer.status === 429 || answer.status === 503) ? retryAfter(answer) : undefined;
}

function describe({ attempts }: Exchange): RecoveryAnswer {
  const outcome = attempts.at(-1)?.outcome;
  if (outcome?.kind === 'answer') return { status: outcome.answer.status };
  return outcome ? { failure: outcome.failure.kind } : {};
}

export function recoveryFinding(exchange: Exchange): Finding {
  const outcome = exchange.attempts.at(-1)?.outcome;
  const expected = { kind: 'answer-again' } as const;
  if (outcome?.kind === 'answer') {
    const { answer } = outcome;
    const actual = { kind: 'status', ...statusOf(answer) } as const;
    return finding(exchange, { mismatch: 'status', expected, actualType: statusClass(answer.status), actual });
  }
  const failure = outcome?.failure ?? { kind: 'closed', code: '', detail: '' };
  const { kind, at } = failure;
  const actual: Actual =
    kind === 'timeout' && at !== undefined ? { kind: 'unanswered', time: at } : failureFound(failure);
  return finding(exchange, { mismatch: 'unanswered', expected, actualType: kind, actual });
}
