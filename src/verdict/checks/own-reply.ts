/** Whether replies hold the words of other requests. Words are random, so the word of another request did not get there by chance. */
import type { Exchange } from '../../exchange/exchange.ts';
import { durationOf } from '../../exchange/reading/attempt-duration.ts';
import { ownWord } from '../../exchange/reading/own-word.ts';
import { findRequestWords } from '../../plan/request-word.ts';
import type { Settings } from '../../settings.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { brokenIfAny, finding, mergeFindings, observed, skipped } from '../finding.ts';
import { seenValues } from '../observation.ts';
import { outcomeOfAttempt } from '../reading/outcome.ts';
import { replyTexts } from '../reading/reply-texts.ts';

/** When an attempt was under way, in milliseconds since the run began. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Asked {
  readonly exchange: Exchange;
  readonly word: string;
  readonly spans: readonly Span[];
}

interface Reply {
  readonly exchange: Exchange;
  readonly attempt: number;
  readonly span: Span;
  readonly texts: readonly string[];
}

/** A reply and the request whose word it holds. */
interface MixUp {
  readonly reply: Reply;
  readonly other: Asked;
}

function spansOf({ attempts }: Exchange, settings: Settings): readonly Span[] {
  return attempts.map((attempt) => ({ from: attempt.sentAt, to: attempt.sentAt + durationOf(attempt, settings) }));
}

function isDuring(span: Span, { spans }: Asked): boolean {
  return spans.some(({ from, to }) => from < span.to && span.from < to);
}

/** Of a long recording, this part and the one before: requests further apart were not under way together. */
function askedIn({ traffic, settings, carried }: RunView, name: string): readonly Asked[] {
  const asked = traffic.exchanges.flatMap((exchange): Asked[] => {
    const word = ownWord(exchange, settings.seed);
    return word === undefined ? [] : [{ exchange, word, spans: spansOf(exchange, settings) }];
  });
  const before = (carried?.get(name) as readonly Asked[] | undefined) ?? [];
  carried?.set(name, asked);
  return [...before, ...asked];
}

function repliesIn({ exchanges, run }: CheckInput): readonly Reply[] {
  return [...new Set(exchanges)].flatMap((exchange) => {
    const spans = spansOf(exchange, run.settings);
    return exchange.attempts.flatMap((attempt, index): Reply[] => {
      const outcome = outcomeOfAttempt(attempt);
      const span = spans[index];
      if (outcome.kind !== 'answered' || !span) return [];
      const texts = replyTexts(exchange, outcome.answer);
      return texts.length === 0 ? [] : [{ exchange, attempt: index, span, texts }];
    });
  });
}

function* mixUpsIn(replies: readonly Reply[], asked: readonly Asked[]): Generator<MixUp> {
  const byWord = new Map(asked.map((question) => [question.word, question]));
  for (const reply of replies) {
    const words = new Set(reply.texts.flatMap(findRequestWords));
    for (const word of words) {
      const other = byWord.get(word);
      // A request that several exchanges repeat has one word.
      if (other && !reply.exchange.request.body?.includes(word)) yield { reply, other };
    }
  }
}

export const ownReply: Check = {
  summary: 'No completion has the random word of another request that was in flight at the same time.',
  execute: (input) => {
    const asked = askedIn(input.run, 'own-reply');
    const replies = repliesIn(input);
    if (replies.length === 0) return skipped({ kind: 'no-occasion', of: 'reply-text' });
    // Somebody else's requests, or a recording of an older version.
    if (asked.length === 0) return skipped({ kind: 'no-occasion', of: 'request-words' });
    const findings = [...mixUpsIn(replies, asked)]
      .filter(({ reply, other }) => isDuring(reply.span, other))
      .map(({ reply: { exchange, attempt }, other }) =>
        finding(exchange, {
          mismatch: 'foreign-reply',
          expected: { kind: 'own-reply' },
          actualType: 'reply',
          actual: { kind: 'foreign-word', exchange: other.exchange.id },
          attempt,
        }),
      );
    return brokenIfAny(mergeFindings(findings, input.exchanges));
  },
};

export const earlierWords: Check = {
  summary: 'Records completions with the random word of a request that was no longer in flight.',
  execute: (input) => {
    const replies = repliesIn(input);
    if (replies.length === 0) return skipped({ kind: 'no-occasion', of: 'reply-text' });
    const earlier = [...mixUpsIn(replies, askedIn(input.run, 'earlier-words'))].filter(
      ({ reply, other }) => !isDuring(reply.span, other),
    );
    const steps = earlier.map(({ reply }) => ({ kind: 'step', step: reply.exchange.step }) as const);
    return observed([{ name: 'earlier-words', value: seenValues(steps) }]);
  },
};
