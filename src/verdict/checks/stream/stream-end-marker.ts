import type { Check } from '../../check.ts';
import { observeStreams } from './stream-view.ts';

/** Part 4: the end-of-stream marker is not shown. */
export const streamEndMarker: Check = {
  summary: 'Records how the stream ended, and whether [DONE] came and was completed by its blank line.',
  execute: (input) =>
    observeStreams(input, 'event', ({ chunks: { done }, end }) => [
      { name: 'end of the stream', value: end },
      { name: '[DONE]', value: done ? (done.terminated ? 'complete' : 'without its blank line') : 'absent' },
    ]),
};
