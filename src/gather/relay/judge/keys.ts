/** Checks of keys on their way through the gateway, and of replies that were made for another key. */
import { UPSTREAM_KEY } from '../../../exchange/secrets/vault.ts';
import { mergeFindings } from '../../../verdict/finding.ts';
import { brokenIfAny, HOLDS, inconclusive, observed, skipped, brokenWith } from '../../../verdict/check-result.ts';
import { statusClass, statusOf } from '../../../verdict/reading/answers.ts';
import { answerFound, secretFound, wholeSecrets } from '../../../verdict/reading/body-content.ts';
import { findWords } from '../words.ts';
import { type CaseEvidence, eachAsked, type RelayCheck } from './relay-check.ts';
import { type Asked } from './both-ends.ts';

function marksOf(asked: Asked | undefined): ReadonlySet<string> {
  return new Set(asked?.calls.flatMap(({ marks }) => [...marks]));
}

/** The second answer has the words of the reply to the first. */
function isRepeated({ asked: [first, second] }: CaseEvidence): boolean {
  const own = marksOf(second);
  const earlier = marksOf(first);
  const words = [...(second?.reading.texts.values() ?? [])].flatMap(findWords);
  return words.some((word) => earlier.has(word) && !own.has(word));
}

/** Statuses that say nothing about the key. */
const UNRELATED = [408, 429];

export const RELAY_KEY_CHECKS = {
  unauthorized: {
    summary: 'A request without a valid key is answered with 401.',
    execute: eachAsked((asked, { control }) => {
      const { answer } = asked.reading;
      if (!answer) return inconclusive({ kind: 'nothing-to-judge' });
      if (control === 'unanswered') return inconclusive({ kind: 'control-unanswered' });
      if (UNRELATED.includes(answer.status))
        return inconclusive({ kind: 'status-unrelated', answer: statusOf(answer) });
      if (answer.status === 401) return HOLDS;
      return brokenWith(asked.front, {
        mismatch: 'status',
        expected: { kind: 'status', status: 401 },
        actualType: statusClass(answer.status),
        actual: answer.status < 300 ? answerFound(answer) : { kind: 'status', ...statusOf(answer) },
      });
    }),
  },
  'refused-key': {
    summary: 'A request that is refused for its key does not reach the upstream.',
    execute: eachAsked(({ reading: { answer }, calls: [first] }) => {
      if (!answer || answer.status < 400) {
        return skipped({ kind: 'see-clause', because: 'key-accepted', clause: 'auth.required' });
      }
      if (!first) return HOLDS;
      return brokenWith(first.exchange, {
        mismatch: 'forwarded',
        expected: { kind: 'no-upstream-call' },
        actualType: 'call',
        actual: { kind: 'upstream-call' },
      });
    }),
  },
  'client-key': {
    summary: "The client's key is not forwarded.",
    execute(_evidence, run) {
      if (run.calls.length === 0) return inconclusive({ kind: 'relay-not-forwarded' });
      const findings = run.traffic.upstream.flatMap((exchange) =>
        wholeSecrets(exchange, ({ role, form, place }) => ({
          mismatch: 'client-key',
          expected: { kind: 'no-client-key' },
          actualType: place,
          actual: { kind: 'secret', role, form, place },
        })),
      );
      return brokenIfAny(mergeFindings(findings, run.traffic.upstream));
    },
  },
  'upstream-key': {
    summary: "The upstream's key is never shown.",
    execute(_evidence, run) {
      if (!run.traffic.knowsUpstreamKey) return skipped({ kind: 'upstream-key-unknown' });
      if (!run.asked.some(({ reading }) => reading.answer)) return inconclusive({ kind: 'nothing-to-judge' });
      const findings = run.traffic.front.flatMap((exchange) =>
        wholeSecrets(exchange, (seen, attempt) =>
          seen.role === UPSTREAM_KEY
            ? {
                mismatch: 'upstream-key',
                expected: { kind: 'no-upstream-key' },
                actualType: seen.place,
                actual: secretFound(seen, attempt),
              }
            : undefined,
        ),
      );
      return brokenIfAny(mergeFindings(findings, run.traffic.front));
    },
  },
  'other-key': {
    summary: 'One key never gets a reply that was made for another.',
    execute(evidence) {
      const [first, second] = evidence.asked;
      if (!first || !second) return inconclusive({ kind: 'nothing-to-judge' });
      if (first.reading.kind !== 'reply' || second.reading.kind !== 'reply') {
        const status = second.reading.answer?.status;
        return inconclusive({ kind: 'key-unanswered', ...(status !== undefined && { status }) });
      }
      if (!isRepeated(evidence)) return HOLDS;
      return brokenWith(second.front, {
        mismatch: 'cached-across-keys',
        expected: { kind: 'own-key-reply' },
        actualType: 'reply',
        actual: { kind: 'first-key-reply' },
      });
    },
  },
  cache: {
    summary: 'Whether the same request with the same key is answered from a cache.',
    execute(evidence) {
      const second = evidence.asked[1];
      if (second?.reading.kind !== 'reply') return inconclusive({ kind: 'nothing-to-judge' });
      return observed([{ name: 'same-request', value: isRepeated(evidence) ? 'from-cache' : 'new-reply' }]);
    },
  },
} satisfies Record<string, RelayCheck>;
