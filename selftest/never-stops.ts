/** A model that never stops by itself, to measure what a run costs at worst. */
import { tokenBudget } from '../src/gateway/composition.ts';
import type { Modifier } from '../src/gateway/modifier.ts';

/** Tokens. With neither `max_tokens` nor a caller that leaves, the context is full at some point. */
const CONTEXT = 4_096;
const WORD = ' sea';

/** Generates until `max_tokens`, until the caller has gone, or until the context is full. Counts every token. */
export function neverStops(countTokens: (tokens: number) => void): Modifier {
  return {
    reply: (reply, { body }) => ({
      ...reply,
      pieces: Array.from({ length: Math.min(tokenBudget(body), CONTEXT) }, () => WORD),
      finishReason: 'length',
    }),
    completion: (completion, { body }) => {
      countTokens(Math.min(tokenBudget(body), CONTEXT));
      return completion;
    },
    events: (events) =>
      events.map(({ bytes, waitMs }) => ({
        waitMs,
        // Read when it is sent, which is not before the caller has had the one before.
        get bytes() {
          if (String(bytes).includes(WORD)) countTokens(1);
          return bytes;
        },
      })),
  };
}
