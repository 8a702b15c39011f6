import type { Exchange } from '../../../exchange/exchange.ts';
import { type Arrival, arrivalOf } from '../../../exchange/reading/looks-fake.ts';
import type { Check } from '../../check.ts';
import { broken, finding, fold, HOLDS, inconclusive, skipped } from '../../finding.ts';
import type { CheckResult, Finding } from '../../verdict.ts';
import { judgeStreams } from './stream-view.ts';

type Fake = Extract<Arrival, { readonly kind: 'fake' }>;

const UNDECIDED: Record<Exclude<Arrival['kind'], 'fake' | 'late'>, CheckResult> = {
  'in-pieces': HOLDS,
  'no-text': skipped('the stream carried no text'),
  'no-refusals': skipped('the text came at once, but no request was refused in this run to measure its wait by'),
  unanswered: inconclusive('the second stream, sent to confirm what the first one showed, was not answered'),
};

function findingOf(exchange: Exchange, { events, within, wait }: Fake): Finding {
  return finding(exchange, {
    mismatch: 'at-once',
    expected: 'text that arrives as it is made',
    actualType: 'at-once',
    actual: `${events} events with text within ${within.toFixed(1)} ms, ${wait.toFixed(0)} ms later than a refusal`,
  });
}

/** Part 1. Nothing is held against a stream unless a second one, sent because the first looked so, looks the same. */
export const streamInPieces: Check = {
  summary: 'The reply arrives in pieces as it is made, not all at once when it is complete.',
  execute: (input) => {
    const fakes: Finding[] = [];
    for (const exchange of input.exchanges.slice(0, 2)) {
      const arrival = arrivalOf(exchange, input.run.refusalTimes, input.run.settings.limits.depth);
      if (arrival.kind === 'late') {
        return skipped(
          `the checker itself was ${arrival.lateness.toFixed(0)} ms late, so it cannot tell when the text came`,
        );
      }
      if (arrival.kind === 'fake') fakes.push(findingOf(exchange, arrival));
      else if (fakes.length > 0) return UNDECIDED[arrival.kind];
      else return judgeStreams({ ...input, exchanges: [exchange] }, 'choice', () => UNDECIDED[arrival.kind]);
    }
    if (fakes.length === 2) return broken(fold(fakes, input.exchanges));
    return inconclusive(
      fakes.length === 0
        ? 'no stream was answered'
        : 'the text came at once, but no second stream was sent to confirm it',
    );
  },
};
