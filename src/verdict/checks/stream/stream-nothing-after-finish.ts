import { type ChoiceReading, endsChoice, type Piece } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { cutText, judged } from '../../finding.ts';
import { inEvent, judgeStreams, seeClause } from './stream-view.ts';

/** The last finish_reason counts: where several are set, that is stream.finish-once, and not this clause as well. */
function textAfterEnd({ parts, text }: ChoiceReading): readonly Piece[] {
  const end = parts.findLast(endsChoice)?.event;
  return end === undefined ? [] : text.filter(({ event }) => event > end);
}

/** Part 1: clients stop adding up text once the choice has ended. */
export const streamNothingAfterFinish: Check = {
  summary: 'No text comes after the finish_reason of its choice.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(endsChoice))) {
        return seeClause('no choice has a finish_reason', 'stream.finishes');
      }
      return judged(
        choices.flatMap(textAfterEnd).map(({ event, text }) =>
          inEvent(stream, event, [], {
            mismatch: 'after-finish',
            expected: 'no text after finish_reason',
            actualType: 'string',
            actual: cutText(text),
          }),
        ),
      );
    }),
};
