import type { Piece } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { cutText, judged } from '../../finding.ts';
import { inEvent, judgeStreams, NO_TEXT } from './stream-view.ts';

/** Two pieces that begin alike are no proof: "ha", "ha ha" is how laughter comes. */
const LEAST_PIECES = 3;
/** A text this long is not said twice by chance, in one piece and to the letter. */
const LEAST_REPEATED = 20;

/** Each piece is the whole text so far. The text must grow: "no", "no", "no" is no repetition from the start. */
function isCumulative(pieces: readonly Piece[]): boolean {
  const texts = pieces.map(({ text }) => text);
  const repeats = texts.every((text, at) => text.startsWith(texts[at - 1] ?? ''));
  return texts.length >= LEAST_PIECES && repeats && new Set(texts).size >= LEAST_PIECES;
}

/** Increments first, and then everything once more at the end. */
function repeatsAtEnd(pieces: readonly Piece[]): boolean {
  const last = pieces.at(-1)?.text ?? '';
  const before = pieces.slice(0, -1);
  return (
    before.length >= LEAST_PIECES && last.length >= LEAST_REPEATED && before.map(({ text }) => text).join('') === last
  );
}

/** Part 1: clients add up the pieces. */
export const streamIncrements: Check = {
  summary: 'The text comes in increments, and is not repeated from the start.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const texts = stream.chunks.choices.map(({ text }) => text);
      if (texts.every((pieces) => pieces.length === 0)) return NO_TEXT;
      const repeated = texts.filter((pieces) => isCumulative(pieces) || repeatsAtEnd(pieces));
      return judged(
        repeated.flatMap((pieces) =>
          pieces.slice(-1).map(({ event, text }) =>
            inEvent(stream, event, [], {
              mismatch: 'repeated',
              expected: 'only what is new since the piece before',
              actualType: 'string',
              actual: cutText(`the text from its start once more: ${text}`),
            }),
          ),
        ),
      );
    }),
};
