/** Attempts that a retry replaced: how often, and why. A gateway that needs many retries works, but not well. */
import type { Attempt, Exchange } from '../exchange/exchange.ts';
import type { ReplacedAttempts } from './report.ts';

export function countReplaced(exchanges: readonly Exchange[]): ReplacedAttempts {
  const causes = new Map<string, number>();
  let attempts = 0;
  for (const exchange of exchanges) {
    attempts += exchange.attempts.length;
    for (const attempt of exchange.attempts.slice(0, -1)) {
      const cause = causeOf(attempt);
      causes.set(cause, (causes.get(cause) ?? 0) + 1);
    }
  }
  const replaced = [...causes.values()].reduce((sum, number) => sum + number, 0);
  return { attempts, replaced, causes: Object.fromEntries(causes) };
}

/** The status, or why there was no answer. A 200 that was replaced had broken off. */
function causeOf({ outcome }: Attempt): string {
  return outcome.kind === 'answer' ? String(outcome.answer.status) : outcome.failure.kind;
}
