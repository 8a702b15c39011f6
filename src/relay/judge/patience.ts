/** Checks of long pauses: an upstream that is silent in mid-stream, and connections that were idle. */
import { readChunks } from '../../exchange/reading/chunks.ts';
import { broken, finding, HOLDS, inconclusive, observed, skipped } from '../../verdict/finding.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { type Asked, sourceOf } from './both-ends.ts';
import { tellsFailure } from './failures.ts';
import { brokenByEnd } from './mid-stream.ts';
import { brokenBy, type CaseEvidence, eachAsked, gotInstead, type RelayCheck } from './relay-check.ts';

export const silenceText: RelayCheck = {
  summary: 'A stream whose upstream was silent for a while is whole, or its failure is reported.',
  execute: eachAsked((asked) => {
    const { kind } = asked.reading;
    if (asked.calls.length === 0) return inconclusive({ kind: 'relay-not-forwarded' });
    if (kind === 'waiting') return inconclusive({ kind: 'relay-waiting' });
    if (kind === 'closed') {
      return skipped({ kind: 'see-clause', because: 'failure-hidden', clause: 'relay.mid-stream-failure' });
    }
    if (kind === 'empty') return brokenBy(asked, 'text-lost', { kind: 'upstream-reply' });
    if (kind !== 'reply' || sourceOf(asked) || tellsFailure(asked)) return HOLDS;
    return brokenByEnd(asked);
  }),
};

/** Calls after a pause that got a 5xx. A closed connection is legal: clients ask again. */
function failedCalls({ asked }: CaseEvidence): readonly Asked[] {
  return asked.filter(({ reading: { answer } }) => (answer?.status ?? 0) >= 500);
}

function brokenByAll(failed: readonly Asked[]): CheckResult {
  return broken(
    failed.slice(0, 1).map((asked) =>
      finding(asked.front, {
        mismatch: 'status',
        expected: { kind: 'status', status: 200 },
        ...gotInstead(asked),
        more: failed.length - 1,
      }),
    ),
  );
}

function isAnyAnswered({ asked }: CaseEvidence): boolean {
  return asked.some(({ reading }) => reading.answer);
}

export const relayAfterPauses: RelayCheck = {
  summary: 'No two calls after idle pauses get a 5xx.',
  execute(evidence) {
    if (evidence.asked.length < 2) return inconclusive({ kind: 'nothing-to-judge' });
    if (!isAnyAnswered(evidence)) return skipped({ kind: 'nothing-to-judge' });
    const failed = failedCalls(evidence);
    return failed.length > 1 ? brokenByAll(failed) : HOLDS;
  },
};

export const afterPause: RelayCheck = {
  summary: 'No call after an idle pause gets a 5xx.',
  execute(evidence) {
    if (!isAnyAnswered(evidence)) return skipped({ kind: 'nothing-to-judge' });
    const failed = failedCalls(evidence);
    if (failed.length > 1) return skipped({ kind: 'see-clause', because: 'again', clause: 'relay.after-pauses' });
    return failed.length === 1 ? brokenByAll(failed) : HOLDS;
  },
};

export const heartbeats: RelayCheck = {
  summary: 'Comments that the client gets while the upstream is silent.',
  execute: eachAsked(({ reading: { answer } }) => {
    if (!answer || answer.status !== 200) return skipped({ kind: 'no-stream' });
    return observed([{ name: 'comments', value: readChunks(answer).stream.comments.length }]);
  }),
};
