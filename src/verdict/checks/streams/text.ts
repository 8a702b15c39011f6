import { type ReplyPiece, type ChoiceReading, hasReplyText } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { type BriefParts, finding, broken } from '../../finding.ts';
import { HOLDS, inconclusive, noOccasion, skipped } from '../../check-result.ts';
import { quoteText } from '../../../text/quote.ts';
import { inEvent, judgeStreams, NO_TEXT } from './stream-view.ts';
import { type Arrival, concludeArrivals, type HeldStream } from '../../../exchange/reading/looks-fake.ts';
import type { CheckResult, Finding } from '../../verdict.ts';

/**
 * Two pieces that begin alike prove nothing: "ha", "ha ha" may be laughter, and a gateway that sends line by line may send
 * its first line twice.
 */
const MIN_PIECES = 3;
/** Characters. A text this long is not repeated verbatim by chance. */
const MIN_REPEATED = 20;

/** Each piece is the whole text so far. The text must grow: "no", "no", "no" is not cumulative. */
function isCumulative(pieces: readonly ReplyPiece[]): boolean {
  const texts = pieces.map(({ text }) => text);
  const repeats = texts.every((text, at) => text.startsWith(texts[at - 1] ?? ''));
  return texts.length >= MIN_PIECES && repeats && new Set(texts).size >= MIN_PIECES;
}

/** A line of dashes, or long laughter: the same again and again, in pieces of any size. */
function isLoop(text: string): boolean {
  return `${text}${text}`.indexOf(text, 1) < text.length;
}

/** A piece that begins with the whole text so far, among increments. */
function findRepetition(pieces: readonly ReplyPiece[]): ReplyPiece | undefined {
  let received = '';
  /** The text as the gateway has it, if earlier pieces that were too short to count were the whole text as well. */
  let meant = '';
  for (const [place, piece] of pieces.entries()) {
    const { text } = piece;
    const grows = text.length > meant.length && text.startsWith(meant);
    const repeated = text.startsWith(received) ? received : grows ? meant : '';
    if (place + 1 >= MIN_PIECES && repeated.length >= MIN_REPEATED && !isLoop(repeated)) return piece;
    received += text;
    meant = grows ? text : meant + text;
  }
  return undefined;
}

const REPLACEMENT = /\uFFFD/u;
/** A surrogate matches under the u flag only if its other half is not beside it. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** Pieces with a lost character. If the token limit cut the reply, its last character may be incomplete. */
function damagedPieces({ parts, text, reasoning }: ChoiceReading, damage: RegExp): readonly ReplyPiece[] {
  const wasCut = parts.some(({ finish }) => finish?.text === 'length');
  const last = (text.length > 0 ? text : reasoning).at(-1);
  return [...reasoning, ...text].filter((piece) => {
    // A character, not a code unit: the second half of a whole emoji is not damage.
    const [end = ''] = wasCut && piece === last ? (/.$/su.exec(piece.text) ?? []) : [];
    return damage.test(damage.test(end) ? piece.text.slice(0, -end.length) : piece.text);
  });
}

/** Every piece with damaged characters is a finding. */
function judgeCharacters(
  damage: RegExp,
  parts: Pick<BriefParts, 'mismatch' | 'expected'>,
  show = (text: string): string => text,
) {
  return judgeStreams('choice', (stream) => {
    const { choices } = stream.chunks;
    if (!hasReplyText(choices)) return NO_TEXT;
    const damaged = choices.flatMap((choice) => damagedPieces(choice, damage));
    return damaged.map(({ event, text }) => {
      const actual = { kind: 'text', text: quoteText(show(text)) } as const;
      return inEvent(stream, event, { ...parts, actualType: 'string', actual });
    });
  });
}

const UNDECIDED: Record<Exclude<Arrival['kind'], 'late'>, CheckResult> = {
  'in-pieces': HOLDS,
  'no-text': skipped('no-text'),
  'few-pieces': skipped('few-pieces'),
  soon: noOccasion('awaited-text'),
  'no-refusals': skipped('no-refusal-time'),
  unanswered: inconclusive('second-stream-unanswered'),
  'at-once': inconclusive('no-second-stream'),
  'in-blocks': inconclusive('no-second-stream'),
};

function findingOf({ exchange, arrival }: HeldStream): Finding {
  return finding(exchange, {
    mismatch: arrival.kind,
    expected: 'text-as-generated',
    actualType: arrival.kind,
    actual: arrival,
  });
}

export const STREAM_TEXT_CHECKS = {
  /** Part 1: clients concatenate the pieces. */
  'stream-increments': {
    summary: 'The text comes in increments. No chunk repeats it from the start.',
    execute: judgeStreams('choice', (stream) => {
      const texts = stream.chunks.choices.map(({ text }) => text);
      if (texts.every((pieces) => pieces.length === 0)) return NO_TEXT;
      const repeated = texts.flatMap((pieces) =>
        isCumulative(pieces) ? pieces.slice(-1) : (findRepetition(pieces) ?? []),
      );
      return repeated.map(({ event, text }) => {
        const actual = { kind: 'repeated-text', text: quoteText(text) } as const;
        return inEvent(stream, event, { mismatch: 'repeated', expected: 'new-text', actualType: 'string', actual });
      });
    }),
  },
  /** Part 1: a character that is decoded in two halves is lost. */
  'stream-no-replacement-character': {
    summary: 'No character turns into U+FFFD, except the last one of a reply cut off by length.',
    execute: judgeCharacters(REPLACEMENT, {
      mismatch: 'replacement-character',
      expected: 'no-replacement-character',
    }),
  },
  /** Part 1: a client that decodes each chunk on its own turns each half into U+FFFD. */
  'stream-whole-characters': {
    summary: 'No chunk splits a character, except at the end of a reply cut off by length.',
    // Shown as JSON, which escapes a half.
    execute: judgeCharacters(
      LONE_SURROGATE,
      { mismatch: 'half-character', expected: 'whole-characters' },
      JSON.stringify,
    ),
  },
  /** Part 1. A stream that looks held back counts only if a second one, sent to confirm it, does the same. */
  'stream-in-pieces': {
    summary: 'The reply arrives in pieces as it is generated, not all at once at the end or in blocks.',
    execute: (input) => {
      const conclusion = concludeArrivals(input.exchanges, input.run.refusalTimes);
      switch (conclusion.kind) {
        case 'held-back':
          return broken(conclusion.held.map(findingOf), input.exchanges);
        case 'late':
          return skipped({ kind: 'checker-late', lateness: conclusion.late.lateness });
        case 'open':
          if (conclusion.late) return skipped({ kind: 'checker-late', lateness: conclusion.late.lateness });
          return inconclusive({ kind: conclusion.held.length === 0 ? 'no-stream' : 'no-second-stream' });
        case 'not-held': {
          const { exchange, arrival, held } = conclusion;
          const result = UNDECIDED[arrival.kind];
          return held.length > 0 ? result : judgeStreams('choice', () => result)({ ...input, exchanges: [exchange] });
        }
      }
    },
  },
} satisfies Record<string, Check>;
