/** Checks of what becomes of a failure of the upstream once a stream has begun. */
import { quoteText } from '../../text/quote.ts';
import { broken, finding, inconclusive, skipped } from '../../verdict/finding.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { type Asked, sourceOf } from './both-ends.ts';
import { holdsIfAlive, notMet, tellsFailure } from './failures.ts';
import { brokenBy, type CaseEvidence, eachAsked, hangs, type RelayCheck } from './relay-check.ts';

export const midStreamFailure: RelayCheck = {
  summary: 'A failure mid-stream is reported to the client.',
  execute: eachAsked((asked, evidence) => {
    if (notMet(asked, evidence)) return inconclusive({ kind: 'relay-not-forwarded' });
    const { kind } = asked.reading;
    if (kind === 'waiting') return judgeMidStreamWait(asked, evidence);
    if (kind === 'error' || kind === 'cut') return holdsIfAlive(evidence);
    if (kind === 'garbled' || kind === 'empty') return brokenBy(asked, 'hidden', { kind: 'broken-stream' });
    if (sourceOf(asked) || tellsFailure(asked)) return holdsIfAlive(evidence);
    if (kind === 'closed') return judgeClose(asked, evidence);
    return brokenByEnd(asked);
  }),
};

/** A stream that just closed at the upstream too was passed on as it came. */
function judgeClose(asked: Asked, evidence: CaseEvidence): CheckResult {
  const isPassedOn = asked.calls.at(-1)?.reading.kind === 'closed';
  return isPassedOn ? holdsIfAlive(evidence) : brokenBy(asked, 'hidden', { kind: 'broken-stream' });
}

export const quietClose: RelayCheck = {
  summary: 'A stream that fails before its first text does not just close.',
  execute: eachAsked((asked, evidence) => {
    if (notMet(asked, evidence)) return inconclusive({ kind: 'relay-not-forwarded' });
    if (asked.reading.kind === 'closed') return judgeClose(asked, evidence);
    return skipped({ kind: 'no-occasion', of: 'quiet-close' });
  }),
};

function judgeMidStreamWait(asked: Asked, { case: { calls } }: CaseEvidence): CheckResult {
  if (calls === 'stall') return skipped({ kind: 'no-occasion', of: 'still-waiting' });
  return hangs(asked) ? brokenBy(asked, 'hangs', { kind: 'broken-stream' }) : inconclusive({ kind: 'relay-waiting' });
}

export const secondCall: RelayCheck = {
  summary: 'No second upstream call is made once output has begun.',
  execute: eachAsked((asked, evidence) => {
    const { calls, reading, sentAt } = asked;
    if (calls.length === 0) return inconclusive({ kind: 'relay-not-forwarded' });
    const firstText = reading.arrivals[0]?.at;
    if (firstText === undefined) return skipped({ kind: 'no-occasion', of: 'text-before-failure' });
    const output = sentAt + firstText;
    const later = calls.slice(1).filter(({ arrivedAt }) => arrivedAt > output);
    if (later.length === 0) return holdsIfAlive(evidence);
    return broken([
      finding(later[0]!.exchange, {
        mismatch: 'second-call',
        expected: { kind: 'one-upstream-call' },
        actualType: 'call',
        actual: { kind: 'later-call', after: Math.round(later[0]!.arrivedAt - output) },
      }),
    ]);
  }),
};

/** A reply that lacks text and ends as if it were whole. */
export function brokenByEnd({ front, reading: { finish, hasDone } }: Asked): CheckResult {
  return broken([
    finding(front, {
      mismatch: 'laundered',
      expected: { kind: 'broken-stream' },
      actualType: 'reply',
      actual: { kind: 'proper-end', hasDone, ...(finish !== undefined && { finish: quoteText(finish) }) },
    }),
  ]);
}
