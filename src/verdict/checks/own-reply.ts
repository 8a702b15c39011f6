/** Whether replies hold the words of other requests. Words are random, so the word of another request did not get there by chance. */
import type { Exchange } from '../../exchange/exchange.ts';
import { formatAsked } from '../../exchange/identity.ts';
import { durationOf } from '../../exchange/reading/attempt-duration.ts';
import { ownWord } from '../../exchange/reading/request-word-of.ts';
import { findRequestWords } from '../../plan/request-word.ts';
import type { Settings } from '../../settings.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { brokenIfAny, finding, mergeFindings, observed, skipped } from '../finding.ts';
import { seenValues } from '../observation.ts';
import { replyTexts } from '../reading/reply-texts.ts';

interface Reply {
  readonly exchange: Exchange;
  readonly attempt: number;
  readonly texts: readonly string[];
}

interface Asked {
  readonly exchange: Exchange;
  readonly word: string;
}

/** A reply and the request whose word it holds. */
interface MixUp {
  readonly reply: Reply;
  readonly other: Exchange;
}

/** When an attempt was under way, in milliseconds since the run began. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function spansOf({ attempts }: Exchange, settings: Settings): readonly Span[] {
  return attempts.map((attempt) => ({ from: attempt.sentAt, to: attempt.sentAt + durationOf(attempt, settings) }));
}

function wereTogether({ reply: { exchange, attempt }, other }: MixUp, settings: Settings): boolean {
  const span = spansOf(exchange, settings)[attempt];
  return span !== undefined && spansOf(other, settings).some(({ from, to }) => from < span.to && span.from < to);
}

/** Both checks need them, and to make a word takes longer than to look for it. */
const known = new WeakMap<Traffic, readonly Asked[]>();

/** Of a long recording, this part and the one before: requests further apart were not under way together. */
function askedIn({ traffic, settings, carried }: RunView): readonly Asked[] {
  const found = known.get(traffic);
  if (found) return found;
  const asked = traffic.exchanges.flatMap((exchange): readonly Asked[] => {
    const word = ownWord(exchange, settings.seed);
    return word === undefined ? [] : [{ exchange, word }];
  });
  const before = (carried?.get('own-reply') as readonly Asked[] | undefined) ?? [];
  carried?.set('own-reply', asked);
  const all = [...before, ...asked];
  known.set(traffic, all);
  return all;
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

function mixUpsIn(replies: readonly Reply[], asked: readonly Asked[]): readonly MixUp[] {
  const byWord = new Map(asked.map(({ word, exchange }) => [word, exchange]));
  return replies.flatMap((reply) => {
    const words = new Set(reply.texts.flatMap(findRequestWords));
    return [...words].flatMap((word) => {
      const other = byWord.get(word);
      // A request that several exchanges repeat has one word.
      return other && !reply.exchange.request.body?.includes(word) ? [{ reply, other }] : [];
    });
  });
}

export const ownReply: Check = {
  summary: 'No completion has the random word of another request that was in flight at the same time.',
  execute: (input) => {
    const { settings } = input.run;
    const asked = askedIn(input.run);
    const replies = repliesIn(input);
    if (replies.length === 0) return skipped({ kind: 'no-occasion', of: 'reply-text' });
    // Somebody else's requests, or a recording of an older version.
    if (asked.length === 0) return skipped({ kind: 'no-occasion', of: 'request-words' });
    const findings = mixUpsIn(replies, asked)
      .filter((mixUp) => wereTogether(mixUp, settings))
      .map(({ reply: { exchange, attempt }, other }) =>
        finding(exchange, {
          mismatch: 'foreign-reply',
          expected: { kind: 'own-reply' },
          actualType: 'reply',
          actual: { kind: 'foreign-word', exchange: other.id, request: formatAsked(other) },
          attempt,
        }),
      );
    return brokenIfAny(mergeFindings(findings, input.exchanges));
  },
};

export const earlierWords: Check = {
  summary: 'Records completions with the random word of a request that was no longer in flight.',
  execute: (input) => {
    const { settings } = input.run;
    const replies = repliesIn(input);
    if (replies.length === 0) return skipped({ kind: 'no-occasion', of: 'reply-text' });
    const earlier = mixUpsIn(replies, askedIn(input.run)).filter((mixUp) => !wereTogether(mixUp, settings));
    const steps = earlier.map(({ reply }) => ({ kind: 'step', step: reply.exchange.step }) as const);
    return observed([{ name: 'earlier-words', value: seenValues(steps) }]);
  },
};
