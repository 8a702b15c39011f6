import type { Check } from '../../check.ts';
import { judged, shown } from '../../finding.ts';
import { inEvent, judgeStreams } from './stream-view.ts';

/** Part 1: clients put chunks together by their id. A missing or empty one is stream.chunk-id. */
export const streamIdConstant: Check = {
  summary: 'The id is the same in all chunks of a stream.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const named = stream.chunks.chunks.filter(({ id }) => id?.text !== undefined && id.text !== '');
      const first = named[0]?.id?.text;
      return judged(
        named
          .filter(({ id }) => id?.text !== first)
          .map((chunk) =>
            inEvent(stream, chunk, ['id'], {
              mismatch: 'changed',
              expected: 'the id of the first chunk',
              actualType: 'string',
              actual: `${shown(chunk.id?.text)} after ${shown(first)}`,
            }),
          ),
      );
    }),
};
