/** Checks of keys on their way through the gateway, and of replies that were made for another key. */
import { UPSTREAM_KEY } from '../../../exchange/secrets/vault.ts';
import { brokenIfAny, brokenWith } from '../../../verdict/finding.ts';
import { HOLDS, inconclusive, observed, skipped, seeOtherClause } from '../../../verdict/check-result.ts';
import { statusFound, statusOf } from '../../../verdict/reading/answers.ts';
import { answerFound, secretFound, wholeSecrets } from '../../../verdict/reading/body-content.ts';
import { findWords } from '../words.ts';
import {
  type CaseEvidence,
  CONTROL_UNANSWERED,
  eachAsked,
  NOT_FORWARDED,
  UNJUDGED,
  type RelayCheck,
  relayCheck,
} from './relay-check.ts';
import type { Asked } from './both-ends.ts';

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
  unauthorized: eachAsked('A request without a valid key is answered with 401.', (asked, { control }) => {
    const { answer } = asked.reading;
    if (!answer) return UNJUDGED;
    if (control === 'unanswered') return CONTROL_UNANSWERED;
    if (UNRELATED.includes(answer.status)) return inconclusive({ kind: 'status-unrelated', answer: statusOf(answer) });
    if (answer.status === 401) return HOLDS;
    const parts = statusFound(answer, { kind: 'status', status: 401 });
    return brokenWith(asked.front, { ...parts, ...(answer.status < 300 && { actual: answerFound(answer) }) });
  }),
  'refused-key': eachAsked(
    'A request that is refused for its key does not reach the upstream.',
    ({ reading: { answer }, calls: [first] }) => {
      if (!answer || answer.status < 400) return seeOtherClause('key-accepted', 'auth.required');
      if (!first) return HOLDS;
      const parts = { expected: 'no-upstream-call', actualType: 'call', actual: 'upstream-call' } as const;
      return brokenWith(first.exchange, { mismatch: 'forwarded', ...parts });
    },
  ),
  'client-key': relayCheck("The client's key is not forwarded.", (_evidence, { calls, traffic: { upstream } }) => {
    if (calls.length === 0) return NOT_FORWARDED;
    const findings = upstream.flatMap((exchange) =>
      wholeSecrets(exchange, ({ role, form, place }) => ({
        mismatch: 'client-key',
        expected: 'no-client-key',
        actualType: place,
        actual: { kind: 'secret', role, form, place },
      })),
    );
    return brokenIfAny(findings, upstream);
  }),
  'upstream-key': relayCheck("The upstream's key is never shown.", (_evidence, { asked, traffic }) => {
    const { front, knowsUpstreamKey } = traffic;
    if (!knowsUpstreamKey) return skipped({ kind: 'upstream-key-unknown' });
    if (!asked.some(({ reading }) => reading.answer)) return UNJUDGED;
    const findings = front.flatMap((exchange) =>
      wholeSecrets(exchange, (seen, attempt) => {
        if (seen.role !== UPSTREAM_KEY) return undefined;
        const actual = secretFound(seen, attempt);
        return { mismatch: 'upstream-key', expected: 'no-upstream-key', actualType: seen.place, actual };
      }),
    );
    return brokenIfAny(findings, front);
  }),
  'other-key': relayCheck('One key never gets a reply that was made for another.', (evidence) => {
    const [first, second] = evidence.asked;
    if (!first || !second) return UNJUDGED;
    if (first.reading.kind !== 'reply' || second.reading.kind !== 'reply') {
      const status = second.reading.answer?.status;
      return inconclusive({ kind: 'key-unanswered', ...(status !== undefined && { status }) });
    }
    if (!isRepeated(evidence)) return HOLDS;
    const parts = { expected: 'own-key-reply', actualType: 'reply', actual: 'first-key-reply' } as const;
    return brokenWith(second.front, { mismatch: 'cached-across-keys', ...parts });
  }),
  cache: relayCheck('Whether the same request with the same key is answered from a cache.', (evidence) => {
    if (evidence.asked[1]?.reading.kind !== 'reply') return UNJUDGED;
    return observed([{ name: 'same-request', value: isRepeated(evidence) ? 'from-cache' : 'new-reply' }]);
  }),
} satisfies Record<string, RelayCheck>;
