import type { Check } from '../../check.ts';
import { broken, cutText, finding, type FindingParts, HOLDS, HOLDS_FLAKY, inconclusive } from '../../finding.ts';
import { wasFlaky } from '../../outcome.ts';
import { judgeStreams, seeClause, stoppedBy, type StreamView } from './stream-view.ts';

function trouble(mismatch: string, actual: string): FindingParts {
  return { mismatch, expected: 'a stream that comes to its end', actualType: mismatch, actual: cutText(actual) };
}

/** What is as bad as a 5xx in a stream that began with 200. */
function troubleIn({ answer: { body }, chunks: { errors, stream }, end }: StreamView): FindingParts | undefined {
  const [error] = errors;
  if (error) return { ...trouble('error-event', error.data), pointer: `/${error.index}`, more: errors.length - 1 };
  // Once its end marker came, a stream is whole, whatever its packing still lacks.
  if (body.end.kind === 'undecodable' && end !== 'done') return trouble('undecodable', body.end.detail);
  if (end === 'cut') return trouble('cut', body.end.kind === 'cut' ? body.end.detail : 'the body broke off');
  return end === 'stalled' ? trouble('stalled', `nothing more came after ${stream.events.length} events`) : undefined;
}

/** Parts 1 and 4. A stream that breaks off is tried again as a 5xx is; the last attempt counts. */
export const streamCompletes: Check = {
  summary: 'The stream comes to its end: not cut, not stalled, no error in place of tokens.',
  execute: (input) =>
    judgeStreams(input, 'answer', (stream) => {
      const found = troubleIn(stream);
      if (found) return broken([finding(stream.exchange, found)]);
      if (stream.end === 'limit' || stream.end === 'aborted') return inconclusive(stoppedBy(stream.answer));
      if (stream.chunks.form !== 'events' && stream.chunks.form !== 'nothing') {
        return seeClause('the answer is no event stream', 'stream.event-stream');
      }
      return wasFlaky(stream.exchange) ? HOLDS_FLAKY : HOLDS;
    }),
};
