import type { Check } from '../../check.ts';
import { judged } from '../../finding.ts';
import { inEvent, judgeStreams } from './stream-view.ts';

/** Part 1: an error inside a choice passes for a part of the reply. At the top of a chunk it is stream.completes. */
export const streamNoChoiceError: Check = {
  summary: 'A choice of a chunk carries no error; null is fine.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const parts = stream.chunks.choices.flatMap((choice) => choice.parts);
      return judged(
        parts
          .filter(({ hasError }) => hasError)
          .map(({ event, position }) =>
            inEvent(stream, event, ['choices', position, 'error'], {
              mismatch: 'error',
              expected: 'no error in a choice',
              actualType: 'error',
              actual: 'a choice with an error that is not null',
            }),
          ),
      );
    }),
};
