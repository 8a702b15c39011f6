/** Legal ways to treat requests that are larger than the gateway takes. */
import { refusalReply } from '../answer.ts';
import type { Call } from '../call.ts';
import { isChat } from '../change.ts';
import { type Variant, variant } from '../modifier.ts';
import { promptOf } from '../prompts.ts';
import { refusal } from '../refusals.ts';

const MiB = 1024 * 1024;
const isLarge = (call: Call): boolean => isChat(call) && (call.text?.length ?? 0) > MiB;
const wordsOf = (call: Call): number => promptOf(call.body).split(' ').length;

export const SIZE_VARIANTS = {
  'large-body-413': variant('A body of more than 1 MiB is refused with 413 and the error body', {
    only: isLarge,
    before: () => refusalReply(refusal('body-size', 413, 'request_too_large', 'The body is too large.')),
  }),
  'large-body-closed': variant('The connection is closed on a body of more than 1 MiB', {
    only: isLarge,
    before: () => ({ kind: 'hang-up', how: 'reset' }),
  }),
  'context-refused': variant('A prompt of more than 4,000 words is refused with 400 and the error body', {
    only: (call) => isChat(call) && wordsOf(call) > 4_000,
    before: () => refusalReply(refusal('invented', 400, 'context_length_exceeded', 'The prompt is too long.')),
  }),
} satisfies Record<string, Variant>;
