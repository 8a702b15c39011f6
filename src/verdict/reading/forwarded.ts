/** What a finding says of a reply that is not the one that the upstream behind the gateway sent. */
import { type Json, type JsonObject, memberOf } from '../../json.ts';
import { quoteText, quoteValue } from '../../text/quote.ts';
import { type BriefParts, typedValue } from '../finding.ts';

/** Milliseconds that a piece of a stream may stay in the gateway. */
export const MAX_DELAY = 1_000;

/** `delay`: milliseconds. */
export function heldBack(delay: number): BriefParts {
  const expected = { kind: 'piece-within', limit: MAX_DELAY } as const;
  const actual = { kind: 'delay', time: Math.round(delay) } as const;
  return { mismatch: 'held-back', expected, actualType: 'delay', actual };
}

export function otherFinish(shown: Json | undefined, sent: string): BriefParts {
  const expected = { kind: 'upstream-value', value: quoteText(sent) } as const;
  return { mismatch: 'finish-reason', expected, ...typedValue(shown) };
}

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** Undefined if the token counts are those that were sent. */
export function otherUsage(shown: JsonObject | undefined, sent: JsonObject | undefined): BriefParts | undefined {
  if (!sent) return shown && { mismatch: 'usage-invented', expected: 'no-usage', ...typedValue(shown) };
  const wrong = COUNTS.find((name) => memberOf(shown, name) !== sent[name]);
  if (wrong === undefined) return undefined;
  return {
    mismatch: shown ? 'usage-altered' : 'usage-lost',
    pointer: `/usage/${wrong}`,
    expected: { kind: 'upstream-value', value: quoteValue(sent[wrong]) },
    ...typedValue(memberOf(shown, wrong)),
  };
}

/** The place of the first character that differs: the shorter text's length if it is the beginning of the other. */
export function firstDifference(first: string, second: string): number {
  let at = 0;
  while (at < first.length && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return at;
}
