import type { Check } from '../../check.ts';
import { judged } from '../../finding.ts';
import { inEvent, judgeStreams } from './stream-view.ts';

/** Part 1: stock clients parse the data of every unnamed event, and nothing is no JSON. */
export const streamDataNotEmpty: Check = {
  summary: 'No unnamed event has empty data.',
  execute: (input) =>
    judgeStreams(input, 'event', (stream) => {
      const { events, done } = stream.chunks;
      const empty = events.filter(({ kind, index }) => kind === 'empty' && index < (done?.index ?? Infinity));
      return judged(
        empty.map((event) =>
          inEvent(stream, event, [], {
            mismatch: 'empty',
            expected: 'JSON or [DONE]',
            actualType: 'empty',
            actual: 'an event with empty data',
          }),
        ),
      );
    }),
};
