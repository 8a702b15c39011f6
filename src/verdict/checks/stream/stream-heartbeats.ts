import type { Check } from '../../check.ts';
import { seenValues } from '../../seen-values.ts';
import { observeStreams } from './stream-view.ts';

/** Part 4: comments and named events keep a connection alive, and clients skip them. */
export const streamHeartbeats: Check = {
  summary: 'Records comments, named events, retry and id fields, and fields that the grammar does not have.',
  execute: (input) =>
    observeStreams(input, 'answer', ({ chunks: { stream, named, events } }) => [
      { name: 'comments', value: stream.comments.length },
      { name: 'names of events', value: seenValues(named.map(({ name }) => name)) },
      { name: 'events named message', value: stream.events.filter(({ event }) => event === 'message').length },
      { name: 'retry fields', value: seenValues(stream.retries.map(String)) },
      { name: 'id fields', value: stream.events.some(({ id }) => id !== undefined) },
      { name: 'unknown fields', value: events.length > 0 ? seenValues(stream.unknownFields) : [] },
      { name: 'byte order mark', value: stream.byteOrderMark },
    ]),
};
