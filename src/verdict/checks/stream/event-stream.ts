import type { BodyForm } from '../../../exchange/reading/chunks.ts';
import { bodyStart } from '../../body-reading.ts';
import type { Check } from '../../check.ts';
import { broken, finding, HOLDS, inconclusive } from '../../finding.ts';
import { judgeStreams, seeClause, stoppedBy } from './stream-view.ts';

const WORDS: Record<BodyForm, string | undefined> = {
  events: undefined,
  // No bytes, or comments only, is an event stream without a reply: stream.has-choices.
  nothing: undefined,
  json: 'one JSON text',
  'json-lines': 'JSON texts, one in each line',
  text: 'plain text',
};

/** Parts 1, 2 and 4. Judged by content, never by content type. */
export const eventStream: Check = {
  summary: 'A 200 to a request with stream true is a stream of server-sent events.',
  execute: (input) =>
    judgeStreams(input, 'answer', ({ exchange, answer, chunks }) => {
      const words = WORDS[chunks.form];
      if (words === undefined) return HOLDS;
      const { end } = answer.body;
      // The first event may have been on its way.
      if (end.kind === 'cut' || end.kind === 'undecodable') return seeClause('the body was cut', 'stream.completes');
      if (end.kind === 'limit' || end.kind === 'aborted') return inconclusive(stoppedBy(answer));
      return broken([
        finding(exchange, {
          mismatch: 'not-event-stream',
          expected: 'server-sent events',
          actualType: chunks.form,
          actual: `${words}: ${bodyStart(answer.body)}`,
        }),
      ]);
    }),
};
