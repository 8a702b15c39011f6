import { headerOf } from '../../body-reading.ts';
import type { Check } from '../../check.ts';
import { cutText } from '../../finding.ts';
import { observeStreams } from './stream-view.ts';

/** Part 4: the stream content type is not shown. */
export const streamContentType: Check = {
  summary: 'Records the content type of a stream.',
  execute: (input) =>
    observeStreams(input, 'answer', ({ answer }) => [
      { name: 'Content-Type', value: cutText(headerOf(answer, 'content-type') ?? 'none') },
    ]),
};
