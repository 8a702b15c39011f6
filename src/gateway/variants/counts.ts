/** Legal ways to count prompt tokens. */
import { promptOf } from '../call.ts';
import { put } from '../change.ts';
import { type Variant, row } from '../modifier.ts';

export const COUNT_VARIANTS = {
  'counts-estimated': row('Prompt tokens are a quarter of the characters', {
    reply: (_reply, { body }) => ({ promptTokens: Math.ceil(promptOf(body).length / 4) }),
  }),
  'counts-hidden-prompt': row('A hidden prompt has forty tokens', {
    reply: ({ promptTokens }) => ({ promptTokens: promptTokens + 40 }),
  }),
  'counts-dated-prompt': row('A hidden prompt has the time, which is one token longer in every other call', {
    reply: ({ promptTokens }, { number }) => ({ promptTokens: promptTokens + 11 + (number % 2) }),
  }),
  'counts-cached': row('Tokens of prompts that came from a cache are not counted in some calls', {
    reply: ({ promptTokens }, { number }) => (number % 2 === 0 ? { promptTokens: Math.ceil(promptTokens / 4) } : {}),
    completion: (completion, { number }) =>
      number % 2 === 0 ? put('/usage/prompt_tokens_details', { cached_tokens: 12 })(completion) : completion,
  }),
  'counts-not-in-streams': row('Streams have no usage, even if it is asked for', {
    events: (events) => events.filter(({ bytes }) => !String(bytes).includes('"usage"')),
  }),
  'counts-by-provider': row('A router calls two providers in turn, whose templates differ', {
    reply: ({ promptTokens }, { number }) => ({ promptTokens: promptTokens + (number % 2 === 0 ? 3 : 31) }),
  }),
} satisfies Record<string, Variant>;
