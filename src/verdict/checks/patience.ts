/** Answers after idle pauses (`--patient`). */
import type { Exchange } from '../../exchange/exchange.ts';
import type { Check } from '../check.ts';
import { broken, finding, holdsIn, inconclusive, mergeFindings, observed, skipped } from '../finding.ts';
import type { Observation, ObservedWord } from '../observation.ts';
import { statusOf } from '../reading/answers.ts';
import { answerOutcome, outcomeOfAttempt } from '../reading/outcome.ts';

/** Those that were sent after a pause. */
function afterPause(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ request }) => request.idle !== undefined && request.idle.on !== 'opening');
}

/** One failure may be an accident; after two pauses or more, it is the pause. */
export const afterPauses: Check = {
  summary: 'Requests after idle pauses are not answered with 5xx: after one pause, or after several.',
  options: { several: { type: 'boolean', default: false } },
  execute: ({ exchanges, options }) => {
    const sent = afterPause(exchanges);
    const failed = sent.filter((exchange) => answerOutcome(exchange).kind === 'server-error');
    if (failed.length === 0) {
      const kept = sent.filter((exchange) => answerOutcome(exchange).kind === 'answered');
      return kept.length > 0 ? holdsIn(kept) : inconclusive({ kind: 'nothing-to-judge' });
    }
    const several = new Set(failed.map(({ request }) => request.idle?.pause)).size > 1;
    if (several !== (options['several'] === true)) {
      const clause = several ? 'errors.after-pauses' : 'errors.after-pause';
      return skipped({ kind: 'see-clause', because: 'other-pauses', clause });
    }
    // One cause, whichever pauses show it: the shortest is the quickest to repeat.
    const pause = Math.min(...failed.map(({ request }) => request.idle?.pause ?? 0));
    const findings = failed.flatMap((exchange) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return [];
      const expected = { kind: 'no-server-error-after', pause } as const;
      const actual = { kind: 'status', ...statusOf(outcome.answer) } as const;
      return [finding(exchange, { mismatch: 'status', expected, actualType: '5xx', actual })];
    });
    return broken(mergeFindings(findings, failed));
  },
};

export const idleConnections: Check = {
  summary: 'Records what became of connections that idled.',
  execute: ({ exchanges }) => {
    const opened = new Map(exchanges.filter(isOn('opening')).map((each) => [each.request.idle?.connection, each]));
    const observations = exchanges.filter(isOn('kept')).map((exchange): Observation => {
      const { pause = 0, connection } = exchange.request.idle ?? {};
      const of = `${pause / 1000} s (${exchange.request.endpoint})`;
      return { name: 'idle-connection', of, value: fateOf(exchange, opened.get(connection)) };
    });
    return observations.length === 0 ? skipped({ kind: 'nothing-to-judge' }) : observed(observations);
  },
};

function isOn(on: 'opening' | 'kept'): (exchange: Exchange) => boolean {
  return ({ request }) => request.idle?.on === on;
}

/** A new connection in place of the kept one shows that the target had closed that in good time. */
function fateOf({ attempts }: Exchange, opening: Exchange | undefined): ObservedWord {
  const [first] = attempts;
  if (first && outcomeOfAttempt(first).kind === 'closed') return 'reset';
  return first?.connection === opening?.attempts.at(-1)?.connection ? 'kept' : 'closed';
}
