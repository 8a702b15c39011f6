/** The end marker as stock clients need it: exactly `[DONE]`, on a connection that then ends in order. */
import type { Check } from '../../check.ts';
import { broken, finding, HOLDS, skipped } from '../../finding.ts';
import { quoteText } from '../../../text/quote.ts';
import { inEvent, judgeStreams, type StreamView } from './stream-view.ts';

const NO_DONE = skipped({ kind: 'see-clause', because: 'no-done', clause: 'stream.done' });

/** The data of the end marker, without the one blank that the grammar allows before it. */
function markerOf({ chunks: { done, events, stream } }: StreamView): string | undefined {
  if (!done) return undefined;
  return done.terminated ? events.find(({ index }) => index === done.index)?.data : stream.unterminated;
}

/** Part 1: the official SDKs compare the data with [DONE], and parse anything else as JSON. */
export const streamDoneSpacing: Check = {
  summary: 'No white space but one blank stands between data: and [DONE].',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const marker = markerOf(stream);
      if (marker === undefined) return NO_DONE;
      if (!/^\s/u.test(marker)) return HOLDS;
      const actual = { kind: 'text', text: quoteText(JSON.stringify(`data: ${marker}`)) } as const;
      return broken([
        inEvent(stream, stream.chunks.done?.index ?? 0, [], {
          mismatch: 'spacing',
          expected: { kind: 'bare-done' },
          actualType: 'string',
          actual,
        }),
      ]);
    }),
};

/** Part 1: stock clients read on to the end of the response, and throw if the connection breaks there. */
export const streamEndsInOrder: Check = {
  summary: 'The connection is not cut after [DONE].',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { exchange, answer, chunks } = stream;
      if (!chunks.done) return NO_DONE;
      const { end } = answer.body;
      if (end.kind !== 'cut') return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: 'cut',
          expected: { kind: 'orderly-end' },
          actualType: 'cut',
          actual: { kind: 'cut-after-done' },
        }),
      ]);
    }),
};
