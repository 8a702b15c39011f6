import type { Check } from '../../check.ts';
import { judged } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import { chunkFindings } from './chunk-findings.ts';
import { inEvent, judgeStreams, type StreamView, whyNoEnd } from './stream-view.ts';

const INDEX_CLAUSE = 'stream.choice-index';

/** Only in a stream that came to its end: before that, a second choice may not have shown yet that it is one. */
function misnumbered(stream: StreamView): readonly Finding[] {
  if (whyNoEnd(stream)) return [];
  return stream.chunks.misnumbered.map(({ event, position, index }) =>
    inEvent(stream, event, ['choices', position, 'index'], {
      mismatch: 'value',
      expected: '0, as there is a single choice',
      actualType: 'integer',
      actual: String(index),
    }),
  );
}

/** Part 1: the shape that stock clients rely on, for the clause that it is asked about. */
export const streamChunk: Check = {
  summary: 'Each chunk has the shape that stock clients rely on, as far as the clause speaks of it.',
  execute: (input) =>
    judgeStreams(input, 'event', (stream) => {
      const ofSchema = chunkFindings(stream, input.run).get(input.clause) ?? [];
      return judged(input.clause === INDEX_CLAUSE ? [...ofSchema, ...misnumbered(stream)] : ofSchema);
    }),
};
