import type { ChoiceReading, Piece } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { cutText, judged } from '../../finding.ts';
import { inEvent, judgeStreams, NO_TEXT } from './stream-view.ts';

const REPLACEMENT = '\uFFFD';

/** Pieces with a lost character. A budget may end in the midst of one, so the last one of such a choice is let off. */
function damaged({ parts, text, reasoning }: ChoiceReading): readonly Piece[] {
  const wasCut = parts.some(({ finish }) => finish?.text === 'length');
  const last = (text.length > 0 ? text : reasoning).at(-1);
  return [...reasoning, ...text].filter((piece) => {
    const isExcused = wasCut && piece === last && piece.text.endsWith(REPLACEMENT);
    return (isExcused ? piece.text.slice(0, -1) : piece.text).includes(REPLACEMENT);
  });
}

/** Part 1: a character whose bytes are read in two halves is lost for good. */
export const streamNoReplacementCharacter: Check = {
  summary: 'No character is lost to U+FFFD, except the last one of a choice that ended by length.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (choices.every(({ text, reasoning }) => text.length + reasoning.length === 0)) return NO_TEXT;
      return judged(
        choices.flatMap(damaged).map(({ event, text }) =>
          inEvent(stream, event, [], {
            mismatch: 'replacement-character',
            expected: 'text without U+FFFD',
            actualType: 'string',
            actual: cutText(text),
          }),
        ),
      );
    }),
};
