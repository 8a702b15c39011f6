import type { Attempt, Exchange } from '../../exchange/exchange.ts';
import { headerOf, jsonOf, mediaTypeOf } from '../body-reading.ts';
import type { Check, RunView } from '../check.ts';
import { cutText, finding, fold, judged, skipped } from '../finding.ts';
import type { Finding } from '../verdict.ts';

/** Nothing for an answer that the clause does not speak of; otherwise what is wrong with it, if anything. */
function judgeLabel(
  exchange: Exchange,
  { outcome }: Attempt,
  attempt: number,
  run: RunView,
): readonly Finding[] | undefined {
  if (outcome.kind === 'none' || exchange.request.endpoint === 'other') return undefined;
  const { answer } = outcome;
  // A 200 to a streamed request has a label of its own, and clauses of its own.
  const isSuccess = answer.status === 200 && exchange.request.mode === 'plain';
  if (!isSuccess && answer.status < 400) return undefined;
  const value = jsonOf(answer, run);
  if (typeof value !== 'object' || value === null) return undefined;
  if (mediaTypeOf(answer) === 'application/json') return [];
  const label = headerOf(answer, 'content-type');
  const found = {
    actualType: label === undefined ? 'absent' : 'another type',
    actual: cutText(label ?? 'no Content-Type'),
  };
  return [finding(exchange, { mismatch: 'content-type', expected: 'application/json', attempt, ...found })];
}

export const jsonLabelled: Check = {
  summary: 'Every JSON answer is labelled application/json.',
  execute: ({ exchanges, run }) => {
    const labels = exchanges.flatMap((exchange) =>
      exchange.attempts.flatMap((attempt, index) => {
        const findings = judgeLabel(exchange, attempt, index, run);
        return findings ? [findings] : [];
      }),
    );
    return labels.length === 0 ? skipped('no answer was JSON') : judged(fold(labels.flat(), exchanges));
  },
};
