import type { Exchange } from '../../../exchange/exchange.ts';
import { type Closing, closingOf } from '../../../exchange/reading/stream-end.ts';
import type { Check, RunView } from '../../check.ts';
import { broken, finding, holdsIn, inconclusive, mergeFindings, skipped } from '../../finding.ts';
import { answerOutcome } from '../../reading/outcome.ts';
import { judgeStreams, whyNoEnd } from './stream-view.ts';

/** One open response may be an accident of the network. */
const ENOUGH = 2;

/** Responses left open, in this part of a long recording and in earlier ones. */
function countOpen({ carried }: RunView, here: number): number {
  const before = carried?.get('stream-closes') as number | undefined;
  const open = (before ?? 0) + here;
  carried?.set('stream-closes', open);
  return open;
}

const NO_DONE = skipped({ kind: 'see-clause', because: 'no-done', clause: 'stream.done' });

function closingOfExchange(exchange: Exchange): Closing | undefined {
  const outcome = answerOutcome(exchange);
  return outcome.kind === 'answered' ? closingOf(outcome.answer) : undefined;
}

/** Part 1: some stock clients return only when the response has ended, whatever [DONE] says. */
export const streamCloses: Check = {
  summary: 'A response ends within a second of [DONE]. It takes two open ones to break the clause.',
  execute: (input) => {
    const { exchanges, run } = input;
    const closings = new Map(exchanges.map((exchange) => [exchange, closingOfExchange(exchange)]));
    const open = exchanges.filter((exchange) => closings.get(exchange) === 'open');
    if (countOpen(run, open.length) >= ENOUGH && open.length > 0) {
      const findings = open.map((exchange) =>
        finding(exchange, {
          mismatch: 'open',
          expected: { kind: 'end-after-done' },
          actualType: 'open',
          actual: { kind: 'open-after-done' },
        }),
      );
      return broken(mergeFindings(findings, exchanges));
    }
    const seen = new Set(closings.values());
    const closed = exchanges.filter((exchange) => closings.get(exchange) === 'closed');
    if (closed.length > 0) return holdsIn(closed);
    if (seen.has('open')) return inconclusive({ kind: 'no-second-open-stream' });
    if (seen.has('unknown')) return skipped({ kind: 'recording-gap', gap: 'time-after-done' });
    return judgeStreams(input, 'choice', (stream) => whyNoEnd(stream) ?? NO_DONE);
  },
};
