import type { ChunkReading } from '../../../exchange/reading/chunks.ts';
import type { Check } from '../../check.ts';
import { broken, finding, HOLDS } from '../../finding.ts';
import { judgeStreams, seeClause, UNREAD, whyNoEnd } from './stream-view.ts';

/** What came instead. */
function insteadOf({ events, named, stream, done }: ChunkReading): { readonly type: string; readonly words: string } {
  const count = events.length + named.length;
  if (count === 0 && !done) {
    const comments = stream.comments.length;
    return comments > 0
      ? { type: 'comments', words: `only comments (${comments})` }
      : { type: 'nothing', words: 'nothing' };
  }
  if (count === 0 || events.every(({ kind }) => kind === 'done')) {
    return named.length === 0
      ? { type: 'done', words: 'only [DONE]' }
      : { type: 'named-events', words: `only named events (${named.length})` };
  }
  return { type: 'no-choices', words: `${count} events, none of them a chunk with a choice` };
}

/** Parts 1 and 4: the stream is the reply. */
export const streamHasChoices: Check = {
  summary: 'The stream carries the reply: at least one chunk with a choice.',
  execute: (input) =>
    judgeStreams(input, 'answer', (stream) => {
      const { exchange, chunks } = stream;
      if (chunks.choices.length > 0) return HOLDS;
      if (chunks.form !== 'events' && chunks.form !== 'nothing') {
        return seeClause('the answer is no event stream', 'stream.event-stream');
      }
      const unended = whyNoEnd(stream);
      if (unended) return unended;
      if (chunks.events.some(({ kind }) => kind === 'unread')) {
        return UNREAD;
      }
      const { type, words } = insteadOf(chunks);
      return broken([
        finding(exchange, {
          mismatch: 'no-choice',
          expected: 'a chunk with a choice',
          actualType: type,
          actual: words,
        }),
      ]);
    }),
};
