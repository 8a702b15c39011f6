import { endsChoice } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { finding, judged } from '../../finding.ts';
import { judgeStreams, whyNoEnd } from './stream-view.ts';

/** Part 1: without it a client cannot tell a whole reply from half of one. */
export const streamFinishes: Check = {
  summary: 'A stream ends only after each choice had its finish_reason.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { exchange, chunks } = stream;
      const open = chunks.choices.filter(({ parts }) => !parts.some(endsChoice));
      if (open.length === 0) return judged([]);
      return (
        whyNoEnd(stream) ??
        judged(
          open.map(({ index }) =>
            finding(exchange, {
              mismatch: 'absent',
              expected: 'a finish_reason for each choice before the stream ends',
              actualType: 'absent',
              actual: `no finish_reason for choice ${index}`,
            }),
          ),
        )
      );
    }),
};
