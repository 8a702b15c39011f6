/** An exchange that is kept as evidence, without the rest of a huge body: a report shows only its beginning. */
import type { Attempt, Exchange } from '../exchange/exchange.ts';

/** Bytes. */
const MOST = 128 * 1024;

export function shortened(exchange: Exchange): Exchange {
  return { ...exchange, attempts: exchange.attempts.map(shortenAttempt) };
}

function shortenAttempt(attempt: Attempt): Attempt {
  const { outcome } = attempt;
  if (outcome.kind === 'none' || outcome.answer.body.bytes.length <= MOST) return attempt;
  const { answer } = outcome;
  const bytes = answer.body.bytes.slice(0, MOST);
  const reads = answer.body.reads.slice(0, 1).map(({ at }) => ({ at, bytes: MOST }));
  return { ...attempt, outcome: { kind: 'answer', answer: { ...answer, body: { ...answer.body, bytes, reads } } } };
}
