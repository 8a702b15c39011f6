/** Whether replies hold the words of other requests. Words are random, so the word of another request did not get there by chance. */

import type { Exchange } from '../../exchange/exchange.ts';
import { formatAsked, ownWord } from '../../exchange/identity.ts';
import { durationOf } from '../../exchange/reading/answered.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { findRequestWords } from '../../plan/request-word.ts';
import type { Settings } from '../../settings.ts';
import type { OtherAnswer } from '../actual.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { brokenIfAny, finding, mergeFindings, skipped } from '../finding.ts';
import { replyTexts } from '../reading/reply-texts.ts';

interface Reply {
  readonly exchange: Exchange;
  readonly attempt: number;
  readonly texts: readonly string[];
}

/** When an attempt was under way, in milliseconds since the run began. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A request with a word of its own. */
interface Asked extends OtherAnswer {
  readonly spans: readonly Span[];
}

/** By word. */
type AskedWords = ReadonlyMap<string, Asked>;

/** A reply and the request whose word it holds. */
interface MixUp {
  readonly reply: Reply;
  readonly other: Asked;
}

function spansOf({ attempts }: Exchange, settings: Settings): readonly Span[] {
  return attempts.map((attempt) => ({ from: attempt.sentAt, to: attempt.sentAt + durationOf(attempt, settings) }));
}

/** Several cases need them, and to make a word takes longer than to look for it. */
const known = new WeakMap<Traffic, AskedWords>();

/** Of a long recording, this part and all before it. */
function askedIn({ traffic, settings, carried }: RunView): AskedWords {
  const found = known.get(traffic);
  if (found) return found;
  const asked = new Map(carried?.get('own-reply') as AskedWords | undefined);
  for (const exchange of traffic.exchanges) {
    const word = ownWord(exchange, settings.seed);
    if (word === undefined) continue;
    asked.set(word, { exchange: exchange.id, request: formatAsked(exchange), spans: spansOf(exchange, settings) });
  }
  carried?.set('own-reply', asked);
  known.set(traffic, asked);
  return asked;
}

function repliesIn({ exchanges }: CheckInput): readonly Reply[] {
  return [...new Set(exchanges)].flatMap((exchange) =>
    exchange.attempts.flatMap(({ outcome }, attempt): Reply[] => {
      if (outcome.kind !== 'answer' || outcome.answer.status !== 200) return [];
      const texts = replyTexts(exchange, outcome.answer);
      return texts.length === 0 ? [] : [{ exchange, attempt, texts }];
    }),
  );
}

function mixUpsIn(replies: readonly Reply[], asked: AskedWords): readonly MixUp[] {
  return replies.flatMap((reply) => {
    const words = new Set(reply.texts.flatMap(findRequestWords));
    return [...words].flatMap((word) => {
      const other = asked.get(word);
      // A request may repeat or quote another one, and then has its word too.
      return other && !reply.exchange.request.body?.includes(word) ? [{ reply, other }] : [];
    });
  });
}

/**
 * Whether the other request was in flight with this one, was over before, or came later. A later word is left over from
 * another run with the same seed.
 */
function orderOf({ reply: { exchange, attempt }, other }: MixUp, settings: Settings): 'together' | 'before' | 'after' {
  const span = spansOf(exchange, settings)[attempt];
  const begun = other.spans.filter(({ from }) => span !== undefined && from < span.to);
  if (begun.length === 0) return 'after';
  return begun.some(({ to }) => span !== undefined && span.from < to) ? 'together' : 'before';
}

export const ownReply: Check = {
  summary: 'No completion has the random word of another request, in flight or earlier.',
  execute: (input) => {
    const { settings } = input.run;
    const asked = askedIn(input.run);
    const replies = repliesIn(input);
    if (replies.length === 0) return skipped({ kind: 'no-occasion', of: 'reply-text' });
    // Somebody else's requests, or a recording of an older version.
    if (asked.size === 0) return skipped({ kind: 'no-occasion', of: 'request-words' });
    const findings = mixUpsIn(replies, asked).flatMap((mixUp) => {
      const order = orderOf(mixUp, settings);
      if (order === 'after') return [];
      const { exchange, attempt } = mixUp.reply;
      const { spans: _, ...other } = mixUp.other;
      return [
        finding(exchange, {
          mismatch: 'foreign-reply',
          expected: { kind: 'own-reply' },
          actualType: 'reply',
          actual: { kind: 'foreign-word', ...other, ...(order === 'before' && { isEarlier: true }) },
          attempt,
        }),
      ];
    });
    return brokenIfAny(mergeFindings(findings, input.exchanges));
  },
};
