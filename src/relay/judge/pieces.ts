/** Whether pieces of a stream leave the gateway as they arrive. */
import { broken, finding, HOLDS, inconclusive, skipped } from '../../verdict/finding.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { type Asked, sourceOf } from './both-ends.ts';
import type { RelayCheck } from './relay-check.ts';

/** Milliseconds that a piece may stay in the gateway. */
const MAX_DELAY = 1_000;
/** Milliseconds by which our own event loop may be late for the times to count. */
const MAX_LATENESS = 250;

interface Delay {
  /** Milliseconds from the upstream's write to the client's read. */
  readonly longest: number;
  readonly lateness: number;
}

/** Undefined if there is nothing to compare. */
function measureDelay(asked: Asked): Delay | undefined {
  const call = sourceOf(asked);
  const { reading, sentAt } = asked;
  if (!call || call.exchange.request.mode !== 'stream' || reading.arrivals.length === 0) return undefined;
  const delays = call.reading.arrivals.flatMap((written) => {
    const arrival = reading.arrivals.find(({ length }) => length >= written.length);
    return arrival ? [sentAt + arrival.at - (call.arrivedAt + written.at)] : [];
  });
  return { longest: Math.max(0, ...delays), lateness: reading.answer?.lateness ?? 0 };
}

function isLate(asked: Asked): boolean {
  return (measureDelay(asked)?.longest ?? 0) > MAX_DELAY;
}

/** Broken only if every stream came late: a single one may be a hiccup of the machine. */
export const pieces: RelayCheck = {
  summary: 'Each piece of a stream is forwarded within a second.',
  needsAnother: (asked) => asked.some(isLate),
  execute({ asked }): CheckResult {
    const measured = asked.flatMap((question) => {
      const delay = measureDelay(question);
      return delay ? [{ question, ...delay }] : [];
    });
    const [first] = measured;
    if (
      asked.some(({ calls }) => calls.length > 0 && calls.every(({ exchange }) => exchange.request.mode === 'plain'))
    ) {
      return skipped({ kind: 'no-occasion', of: 'plain-upstream-call' });
    }
    if (!first) return skipped({ kind: 'see-clause', because: 'not-understood', clause: 'relay.understood' });
    const onTime = measured.find(({ longest }) => longest <= MAX_DELAY);
    if (onTime) return HOLDS;
    const last = measured.at(-1) ?? first;
    if (last.lateness > MAX_LATENESS) return inconclusive({ kind: 'checker-late', lateness: last.lateness });
    return broken([
      finding(last.question.front, {
        mismatch: 'held-back',
        expected: { kind: 'piece-within', limit: MAX_DELAY },
        actualType: 'delay',
        actual: { kind: 'delay', time: Math.round(last.longest) },
      }),
    ]);
  },
};
