/** Whether a gateway goes on answering, also after a failure of its upstream. */
import { retryAfter } from '../../exchange/channel/retry.ts';
import type { Answer } from '../../exchange/exchange.ts';
import { broken, finding, HOLDS, inconclusive, skipped } from '../../verdict/finding.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { worstResult } from '../../verdict/reading/each-exchange.ts';
import { mayHarm } from '../relay-case.ts';
import type { Asked } from './both-ends.ts';
import { gotInstead, type RelayCheck } from './relay-check.ts';

export const recovery: RelayCheck = {
  summary: 'The gateway goes on answering; after a failure of its upstream, within --recovery.',
  execute(_evidence, { cases, asked, traffic, settings }) {
    const harmed = cases.filter((each) => mayHarm(each.case) && each.asked.length > 0);
    const { ending } = traffic;
    // A closed port, or a 5xx that stays, needs no failure of the upstream to be one of the gateway.
    const stopped = ending.kind === 'not-recovered' ? ending.control : undefined;
    if (harmed.length === 0 && stopped === undefined) return skipped({ kind: 'no-occasion', of: 'failure' });
    const unrecovered = harmed.flatMap((each) => each.unrecovered ?? []);
    const controls = new Set([...unrecovered, ...(stopped === undefined ? [] : [stopped])]);
    const dead = asked.filter(({ front }) => controls.has(front.id));
    if (dead.length === 0) return HOLDS;
    if (traffic.overflow > 0) return inconclusive({ kind: 'control-unanswered' });
    return worstResult(
      dead.map((control) => judgeControl(control, settings.relay.recovery)),
      dead.map(({ front }) => front),
    );
  },
};

/** `limit`: milliseconds. A gateway that asks for a longer wait may still come back. */
export function asksForLonger(answer: Answer, limit: number): boolean {
  return answer.status === 503 && (retryAfter(answer) ?? 0) > limit;
}

function judgeControl(asked: Asked, limit: number): CheckResult {
  const { answer } = asked.reading;
  if (answer && asksForLonger(answer, limit)) return inconclusive({ kind: 'recovery-too-short' });
  const expected = { kind: 'recovered', limit } as const;
  return broken([finding(asked.front, { mismatch: 'not-recovered', expected, ...gotInstead(asked) })]);
}
