import type { Check } from '../../check.ts';
import { cutText, judged } from '../../finding.ts';
import { inEvent, judgeStreams, UNREAD } from './stream-view.ts';

/** Part 1: stock clients parse the data of every unnamed event. Empty data is stream.data-not-empty. */
export const streamDataJson: Check = {
  summary: 'The data of each unnamed event is JSON or [DONE].',
  execute: (input) =>
    judgeStreams(input, 'event', (stream) => {
      const { events, done } = stream.chunks;
      const read = events.filter(({ index }) => index < (done?.index ?? Infinity));
      const wrong = read.filter(({ kind }) => kind === 'not-json');
      if (wrong.length === 0 && read.some(({ kind }) => kind === 'unread')) {
        return UNREAD;
      }
      return judged(
        wrong.map((event) =>
          inEvent(stream, event, [], {
            mismatch: 'not-json',
            expected: 'JSON or [DONE]',
            actualType: 'text',
            actual: cutText(event.data),
          }),
        ),
      );
    }),
};
