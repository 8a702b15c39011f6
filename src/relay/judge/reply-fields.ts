/** Checks of what comes beside the text of a reply, against what the upstream sent. */
import { isObject, memberOf, typeOf } from '../../json.ts';
import { quoteText, quoteValue } from '../../text/quote.ts';
import { broken, finding, HOLDS, skipped, valueFound } from '../../verdict/finding.ts';
import { type Asked, isWhole, sourceOf, usageSent } from './both-ends.ts';
import { type CaseEvidence, eachAsked, type RelayCheck } from './relay-check.ts';
import { FOREIGN, foreignCalls, UNDERSTOOD } from './replies.ts';
import { looksWhole } from './reply-reading.ts';

/** The call that a reply is compared with, even if its text was altered. */
function comparedCall(asked: Asked) {
  return sourceOf(asked) ?? asked.calls.findLast(isWhole);
}

export const finishReason: RelayCheck = {
  summary: "Finish_reason is the upstream's.",
  execute: eachAsked((asked, _evidence, run) => {
    const { reading, front } = asked;
    if (!looksWhole(reading)) return skipped(UNDERSTOOD);
    if (foreignCalls(asked, run).length > 0) return skipped(FOREIGN);
    const sent = comparedCall(asked)?.reading.finish;
    if (sent === undefined) return skipped({ kind: 'no-occasion', of: 'finish-reason' });
    if (reading.finish === sent) return HOLDS;
    return broken([
      finding(front, {
        mismatch: 'finish-reason',
        expected: { kind: 'upstream-value', value: quoteText(sent) },
        actualType: typeOf(reading.finish),
        actual: valueFound(reading.finish),
      }),
    ]);
  }),
};

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

export const usage: RelayCheck = {
  summary: "Token counts are the upstream's.",
  execute: eachAsked((asked, evidence, run) => {
    const { reading, front } = asked;
    if (!looksWhole(reading)) return skipped(UNDERSTOOD);
    if (foreignCalls(asked, run).length > 0) return skipped(FOREIGN);
    const call = comparedCall(asked);
    if (!call) return skipped(UNDERSTOOD);
    const sent = usageSent(call);
    const shown = isObject(reading.usage) ? reading.usage : undefined;
    if (!sent) {
      if (!shown) return HOLDS;
      return broken([
        finding(front, {
          mismatch: 'usage-invented',
          expected: { kind: 'no-usage' },
          actualType: 'object',
          actual: valueFound(reading.usage),
        }),
      ]);
    }
    if (!shown && !wantsUsage(evidence)) return skipped({ kind: 'no-occasion', of: 'usage-asked' });
    const wrong = COUNTS.find((name) => memberOf(shown, name) !== sent[name]);
    if (wrong === undefined) return HOLDS;
    return broken([
      finding(front, {
        mismatch: shown ? 'usage-altered' : 'usage-lost',
        pointer: `/usage/${wrong}`,
        expected: { kind: 'upstream-value', value: quoteValue(sent[wrong]) },
        actualType: typeOf(memberOf(shown, wrong)),
        actual: valueFound(memberOf(shown, wrong)),
      }),
    ]);
  }),
};

/** A plain reply always has token counts; a stream only if the client asks for them. */
function wantsUsage({ case: { mode, request } }: CaseEvidence): boolean {
  return mode === 'plain' || memberOf(request['stream_options'], 'include_usage') === true;
}
