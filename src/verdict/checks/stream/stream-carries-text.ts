import { endsChoice } from '../../../exchange/reading/choices.ts';
import { itemsOf, memberOf, jsonOf } from '../../body-reading.ts';
import type { Check, RunView } from '../../check.ts';
import { CHAT_STEP } from '../../control.ts';
import { broken, finding, HOLDS, skipped } from '../../finding.ts';
import { outcomeOf } from '../../outcome.ts';
import { judgeStreams, whyNoEnd } from './stream-view.ts';

/** Whether the same request without stream was answered with text. */
function controlHadText(run: RunView): boolean {
  const control = run.exchange(CHAT_STEP);
  const outcome = control && outcomeOf(control);
  if (outcome?.kind !== 'answered') return false;
  return itemsOf(memberOf(jsonOf(outcome.answer, run), 'choices')).some((choice) => {
    const content = memberOf(memberOf(choice, 'message'), 'content');
    return typeof content === 'string' && content.trim() !== '';
  });
}

/** Part 1: a model may say nothing, so silence counts only against the same request without stream. */
export const streamCarriesText: Check = {
  summary: 'A stream that ends in stop carries text, where the plain control had text.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { exchange, chunks } = stream;
      if (chunks.choices.some(({ text, reasoning }) => text.length + reasoning.length > 0)) return HOLDS;
      const unended = whyNoEnd(stream);
      if (unended) return unended;
      const parts = chunks.choices.flatMap((choice) => choice.parts);
      if (!parts.some((part) => part.hasDelta)) return skipped('no choice has a delta: see stream.choice-delta');
      if (!parts.some((part) => endsChoice(part) && part.finish?.text === 'stop')) {
        return skipped('the stream carried no text, and did not end in stop');
      }
      if (!controlHadText(input.run)) return skipped('the same request without stream had no text either');
      return broken([
        finding(exchange, {
          mismatch: 'no-text',
          expected: 'text, as the same request without stream had',
          actualType: 'absent',
          actual: 'neither text nor reasoning, and finish_reason stop',
        }),
      ]);
    }),
};
