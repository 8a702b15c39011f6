import { headerOf, mediaTypeOf } from '../../body-reading.ts';
import type { Check } from '../../check.ts';
import { broken, cutText, finding, HOLDS } from '../../finding.ts';
import { judgeStreams } from './stream-view.ts';

const EXPECTED = 'text/event-stream';

/** Part 1: browsers and strict clients refuse a stream under another name. */
export const streamLabelled: Check = {
  summary: 'A stream is labelled text/event-stream; parameters are fine.',
  execute: (input) =>
    judgeStreams(input, 'event', ({ exchange, answer }) => {
      if (mediaTypeOf(answer) === EXPECTED) return HOLDS;
      const label = headerOf(answer, 'content-type');
      return broken([
        finding(exchange, {
          mismatch: label === undefined ? 'absent' : 'content-type',
          expected: EXPECTED,
          actualType: label === undefined ? 'absent' : 'string',
          actual: label === undefined ? 'no Content-Type' : cutText(label),
        }),
      ]);
    }),
};
