/**
 * Reasons for which an expectation is skipped and about which nobody can do anything: the target gave no occasion for it,
 * or what is wrong is shown under another clause. Any other reason may need attention.
 */
import type { ExpectationReport } from './fold.ts';

/** How such a reason begins. */
export const DID_NOT_APPLY: readonly string[] = [
  'the answer was not an error',
  'no error came unasked',
  'it was not refused',
  'no 5xx came that went away',
  'no answer had such a header',
  'the answer does not count its tokens',
  'the request had no max_tokens to keep to',
  'usage does not have all three counts',
  'no completion named a model',
  'no completion had a finish_reason',
  'no completion had created as a number',
  'fewer than two completions had an id',
  'judged as errors.json',
  'judged as errors.object',
  'judged as errors.message',
  'what came in its place is judged as ',
  'answered without any key too: judged as auth.required',
  'no call of a listed model was answered; judged by the other clause on listed models',
  'no choice has a delta: see stream.choice-delta',
  'each value was asked by itself',
];

export function didNotApply({ reason = '', enabledBy = [] }: ExpectationReport): boolean {
  return enabledBy.length === 0 && DID_NOT_APPLY.some((start) => reason.startsWith(start));
}
