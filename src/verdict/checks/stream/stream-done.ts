import type { Check } from '../../check.ts';
import { broken, cutText, finding, judged } from '../../finding.ts';
import { inEvent, judgeStreams, whyNoEnd } from './stream-view.ts';

/** Part 1: clients wait for [DONE] and stop reading there. One without its blank line counts. */
export const streamDone: Check = {
  summary: 'The stream ends with one [DONE], and no event comes after it.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { exchange, chunks, end } = stream;
      const { done } = chunks;
      if (!done) {
        const parts = {
          mismatch: 'absent',
          expected: '[DONE] at the end of the stream',
          actualType: end,
          actual: end === 'held-open' ? 'the stream was held open without it' : 'the stream was closed without it',
        };
        return whyNoEnd(stream) ?? broken([finding(exchange, parts)]);
      }
      // Clients skip named events here as anywhere, all but an error.
      const heard = [...chunks.events, ...chunks.named.filter(({ name }) => name === 'error')];
      const after = heard.filter(({ index }) => index > done.index);
      return judged(
        after.map(({ data, index }) =>
          inEvent(stream, index, [], {
            mismatch: 'after-done',
            expected: 'nothing after [DONE]',
            actualType: data.trim() === '[DONE]' ? 'done' : 'event',
            actual: cutText(data),
          }),
        ),
      );
    }),
};
