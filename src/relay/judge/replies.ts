/** Checks of what the client got against what the upstream sent. */
import { cutText, quoteText } from '../../text/quote.ts';
import type { Reason } from '../../verdict/reason.ts';
import { broken, finding, HOLDS, inconclusive, skipped } from '../../verdict/finding.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { findParts, findWords } from '../words.ts';
import { type Asked, isWhole, sourceOf, type UpstreamCall } from './both-ends.ts';
import { looksWhole } from './reply-reading.ts';
import { brokenBy, eachAsked, hangs, notReached, type RelayCheck, type RelayRun } from './relay-check.ts';

export const UNDERSTOOD: Reason = { kind: 'see-clause', because: 'not-understood', clause: 'relay.understood' };

export const understood: RelayCheck = {
  summary: 'A legal answer of the upstream becomes a reply.',
  execute: eachAsked((asked, evidence) => {
    const { reading } = asked;
    const missed = notReached(asked, evidence, { kind: 'upstream-reply' });
    if (missed) return missed;
    if (reading.kind === 'reply') return HOLDS;
    if (losesText(asked)) return skipped({ kind: 'see-clause', because: 'text-lost', clause: 'relay.text' });
    if (reading.kind === 'closed') return HOLDS;
    if (reading.kind === 'waiting' && !hangs(asked)) return inconclusive({ kind: 'relay-waiting' });
    return brokenBy(asked, 'not-understood', { kind: 'upstream-reply' });
  }),
};

/** The text of the reply, or as much of it as the gateway read before it left. */
function textSent({ calls }: Asked): string {
  return (calls.findLast(isWhole) ?? calls.at(-1))?.reading.texts.get(0) ?? '';
}

/** A success that lacks text. A client takes it for the reply. */
export function losesText(asked: Asked): boolean {
  const { kind, texts } = asked.reading;
  return (kind === 'empty' || kind === 'closed') && textSent(asked) !== (texts.get(0) ?? '');
}

/** Characters of a text that are shown around the first difference. */
export const BEFORE = 20;
const SHOWN = 90;

export function firstDifference(first: string, second: string): number {
  let at = 0;
  while (at < first.length && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return at;
}

/** The part of a text around a place. */
export function excerptAt(text: string, at: number): ReturnType<typeof quoteText> {
  const from = Math.max(0, at - BEFORE);
  return quoteText(cutText(text.slice(from), SHOWN));
}

function judgeText(asked: Asked, expected: string): CheckResult {
  const actual = asked.reading.texts.get(0) ?? '';
  const at = firstDifference(expected, actual);
  const mismatch = at === actual.length ? 'text-lost' : 'text-altered';
  return broken([
    finding(asked.front, {
      mismatch,
      expected: { kind: 'upstream-text', text: excerptAt(expected, at), from: Math.max(0, at - BEFORE) },
      actualType: 'text',
      actual:
        actual === ''
          ? { kind: 'empty-reply' }
          : { kind: 'text-at', text: excerptAt(actual, at), from: Math.max(0, at - BEFORE), length: actual.length },
    }),
  ]);
}

/** Calls of other questions whose words are in this reply, whole or, if the text is not the upstream's, in part. */
export function foreignCalls(asked: Asked, { byMark }: RelayRun): readonly UpstreamCall[] {
  const { reading, calls } = asked;
  const own = calls.flatMap(({ marks }) => [...marks]);
  const texts = [...reading.texts.values()];
  const whole = texts
    .flatMap(findWords)
    .filter((word) => !own.includes(word))
    .flatMap((word) => byMark.get(word) ?? []);
  if (whole.length > 0 || sourceOf(asked)) return whole;
  const parts = new Set(texts.flatMap(findParts));
  for (const mark of own) for (const part of findParts(mark)) parts.delete(part);
  return [...byMark].flatMap(([mark, call]) =>
    !own.includes(mark) && findParts(mark).some((part) => parts.has(part)) ? [call] : [],
  );
}

export const FOREIGN: Reason = { kind: 'see-clause', because: 'foreign-reply', clause: 'relay.own-reply' };

export const replyText: RelayCheck = {
  summary: "The text of a reply is the upstream's, whole and unaltered.",
  execute: eachAsked((asked, _evidence, run) => judgeReplyText(asked, run)),
};

export function judgeReplyText(asked: Asked, run: RelayRun): CheckResult {
  const { reading, calls } = asked;
  if (losesText(asked)) return judgeText(asked, textSent(asked));
  if (!looksWhole(reading)) return skipped(UNDERSTOOD);
  if (foreignCalls(asked, run).length > 0) return skipped(FOREIGN);
  if (sourceOf(asked)) return judgeOtherChoices(asked);
  const last = calls.findLast(isWhole);
  if (!last) return brokenBy(asked, 'invented', { kind: 'upstream-reply' });
  return judgeText(asked, last.reading.texts.get(0) ?? '');
}

/** A gateway may drop choices that nobody asked for, but not change them. */
function judgeOtherChoices(asked: Asked): CheckResult {
  const source = sourceOf(asked);
  const altered = [...asked.reading.texts].find(
    ([index, own]) => index > 0 && own !== '' && source !== undefined && source.reading.texts.get(index) !== own,
  );
  if (!altered || !source) return HOLDS;
  const [index, own] = altered;
  return broken([
    finding(asked.front, {
      mismatch: 'choice-altered',
      expected: { kind: 'upstream-text', text: excerptAt(source.reading.texts.get(index) ?? '', 0), from: 0 },
      actualType: 'text',
      actual: { kind: 'text-at', text: excerptAt(own, 0), from: 0, length: own.length },
    }),
  ]);
}

export const textSoFar: RelayCheck = {
  summary: "The text before a failure is the beginning of the upstream's.",
  execute: eachAsked((asked) => {
    const { reading, calls } = asked;
    const received = reading.texts.get(0) ?? '';
    if (received === '' || calls.length === 0) return skipped({ kind: 'no-occasion', of: 'text-before-failure' });
    const sent = calls.flatMap(({ reading: { texts } }) => texts.get(0) ?? []);
    if (sent.some((whole) => whole.startsWith(received))) return HOLDS;
    const nearest = sent.toSorted((a, b) => firstDifference(b, received) - firstDifference(a, received))[0] ?? '';
    return judgeText(asked, nearest);
  }),
};

export const replyOfOwnRequest: RelayCheck = {
  summary: 'A reply belongs to its own request.',
  execute: eachAsked((asked, _evidence, run) => judgeOwnReply(asked, run)),
};

export function judgeOwnReply(asked: Asked, run: RelayRun): CheckResult {
  if (!looksWhole(asked.reading)) return skipped(UNDERSTOOD);
  const [foreign] = foreignCalls(asked, run);
  if (!foreign) return HOLDS;
  return broken([
    finding(asked.front, {
      mismatch: 'foreign-reply',
      expected: { kind: 'own-reply' },
      actualType: 'reply',
      actual: { kind: 'foreign-reply', question: foreign.exchange.cause ?? '' },
    }),
  ]);
}
