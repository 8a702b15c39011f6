/** What a finding says of a request or a reply that is not what the other end of the gateway sent. */
import { type Json, type JsonObject, memberOf } from '../../json.ts';
import { cutText, quoteText, quoteValue } from '../../text/quote.ts';
import type { Actual } from '../actual.ts';
import type { Expected } from '../expected.ts';
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

/** Characters of a text that are shown before the first difference, and around it. */
const BEFORE = 20;
const SHOWN = 90;

/** The part of a text around a place, and where it begins. */
export function excerptAt(text: string, at: number) {
  const from = Math.max(0, at - BEFORE);
  return { text: quoteText(cutText(text.slice(from), SHOWN)), from };
}

/** The same as what was found. */
export function textAt(text: string, at: number): Actual {
  return { kind: 'text-at', ...excerptAt(text, at), length: text.length };
}

/** A text that is not the one that was sent. */
export function otherText(shown: string, sent: string): BriefParts {
  const at = firstDifference(sent, shown);
  const mismatch = at === shown.length ? 'text-lost' : 'text-altered';
  const expected = { kind: 'upstream-text', ...excerptAt(sent, at) } as const;
  return { mismatch, expected, actualType: 'text', actual: shown === '' ? 'empty-reply' : textAt(shown, at) };
}

// Two upstreams (rule 42).

/** `at`: where the text of the second begins. */
export function joinedAt(shown: string, at: number): BriefParts {
  return { mismatch: 'joined', expected: 'one-text', actualType: 'text', actual: textAt(shown, at) };
}

/** Undefined if there are not too many. */
export function tooManyCalls(calls: number, most: number): BriefParts | undefined {
  if (calls <= most) return undefined;
  const actual = { kind: 'upstream-calls', count: calls } as const;
  return { mismatch: 'upstream-calls', expected: { kind: 'most-calls', most }, actualType: 'call', actual };
}

// Requests (rule 31). Undefined if what arrived is what was sent.

/** The texts that arrived in no message, neither alone nor within another. */
function missingTexts(sent: readonly string[], arrived: readonly string[]): readonly number[] {
  const left = [...arrived];
  const unmatched = [...sent.keys()].filter((index) => {
    const at = left.indexOf(sent[index] ?? '');
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return unmatched.filter((index) => !left.some((text) => text.includes(sent[index] ?? '')));
}

/** The first text of a message that did not arrive. */
export function lostMessage(sent: readonly string[], arrived: readonly string[]): BriefParts | undefined {
  const [index] = missingTexts(sent, arrived);
  if (index === undefined) return undefined;
  const [text = '', got] = [sent[index], arrived[index]];
  const at = firstDifference(text, got ?? '');
  return {
    mismatch: 'message-text',
    pointer: `/messages/${index}/content`,
    expected: { kind: 'client-text', ...excerptAt(text, at) },
    actualType: got === undefined ? 'absent' : 'text',
    // A text that is empty is said to be.
    actual: got === undefined ? 'absent' : got === '' ? { kind: 'value', value: quoteText('') } : textAt(got, at),
  };
}

const LIMIT_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/** A smaller limit is fine. */
export function otherTokenLimit(sent: Json | undefined, arrived: Json | undefined): BriefParts | undefined {
  const limit = Number(memberOf(sent, 'max_tokens'));
  const given = LIMIT_FIELDS.map((field) => ({ field, value: memberOf(arrived, field) ?? undefined })).filter(
    ({ value }) => value !== undefined,
  );
  const wrong = given.find(({ value }) => typeof value !== 'number' || value > limit);
  if (given.length > 0 && !wrong) return undefined;
  return {
    mismatch: wrong ? 'token-limit' : 'token-limit-absent',
    pointer: `/${wrong?.field ?? 'max_tokens'}`,
    expected: { kind: 'token-limit', tokens: limit },
    ...typedValue(wrong?.value),
  };
}

/** `name`: what the user says that it is at the upstream; `other`: the model that is known to arrive under the same name. */
export function otherModel(
  arrived: Json | undefined,
  { name, other }: { readonly name?: string | undefined; readonly other?: string | undefined },
): BriefParts | undefined {
  const isRight = name === undefined ? other === undefined : name === arrived;
  if (isRight) return undefined;
  const expected: Expected =
    name === undefined
      ? { kind: 'own-model', model: quoteText(other ?? '') }
      : { kind: 'upstream-model', model: quoteText(name) };
  return { mismatch: 'model', pointer: '/model', expected, ...typedValue(arrived) };
}
