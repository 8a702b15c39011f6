import { type ChoicePart, type ChoiceReading, endsChoice } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { judged, shown } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import { inEvent, judgeStreams, seeClause, type StreamView } from './stream-view.ts';

function findingsIn(stream: StreamView, { parts }: ChoiceReading): readonly Finding[] {
  const end = parts.findIndex(endsChoice);
  // A choice without any finish_reason is stream.finishes.
  if (end === -1) return [];
  const wrong = ({ event, position, finish }: ChoicePart, mismatch: string, expected: string): Finding =>
    inEvent(stream, event, ['choices', position, 'finish_reason'], {
      mismatch,
      expected,
      actualType: finish?.type ?? 'absent',
      actual: finish?.text === undefined ? (finish?.type ?? 'no finish_reason') : shown(finish.text),
    });
  return parts.flatMap((part, place) => {
    const { finish } = part;
    if (finish === undefined) return place < end ? [wrong(part, 'absent', 'null before the choice has ended')] : [];
    if (finish.type === 'null') return [];
    if (finish.type !== 'string') return [wrong(part, 'type', 'null or a string')];
    if (finish.text === '') return [wrong(part, 'empty', 'null or a string that is not empty')];
    return place > end ? [wrong(part, 'again', 'one finish_reason for each choice')] : [];
  });
}

/** Part 1: clients stop at the first finish_reason that is set, and some read the member of every chunk. */
export const streamFinishOnce: Check = {
  summary: 'finish_reason is null until exactly one chunk for each choice sets it to a string that is not empty.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(endsChoice))) {
        return seeClause('no choice has a finish_reason', 'stream.finishes');
      }
      return judged(choices.flatMap((choice) => findingsIn(stream, choice)));
    }),
};
