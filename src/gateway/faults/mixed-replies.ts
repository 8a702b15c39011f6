/** Replies that belong to another call, under way or earlier (part 1). The model repeats a word of its prompt, so that it shows. */
import type { Call } from '../call.ts';
import { alter, isPlain, isStream, onSuccess, put } from '../change.ts';
import type { Composition } from '../composition.ts';
import { isObject } from '../json.ts';
import { type Fault, fault } from '../modifier.ts';
import { longestWord } from '../prompts.ts';

/** A plain reply takes so long that others arrive meanwhile; in milliseconds. */
const GENERATION = 30;

const takesTime = onSuccess(isPlain, (reply) => ({ ...reply, delayMs: GENERATION }));

/** The last of the others under way; the gateway mixes up the call with that one. */
const otherPrompt = ({ underWay }: Call): string | undefined => underWay.at(-1);

/** The token at this place is one of the other reply. */
const mixIn =
  (place: number) =>
  (reply: Composition, call: Call): Composition => {
    const prompt = otherPrompt(call);
    return prompt === undefined
      ? reply
      : { ...reply, pieces: reply.pieces.map((own, at) => (at === place ? ` ${longestWord(prompt)}` : own)) };
  };

export const MIXED_REPLIES_FAULTS = {
  'reply-of-another-call': fault('A reply belongs to another call in flight', 'service.own-reply', {
    only: isPlain,
    reply: mixIn(0),
    answer: takesTime,
  }),
  'reasoning-of-another-call': fault('The reasoning belongs to another call in flight', 'service.own-reply', {
    only: isPlain,
    completion: (completion, call) =>
      put('/choices/*/message/reasoning_content', `They said: ${otherPrompt(call) ?? 'nothing'}`)(completion),
    answer: takesTime,
  }),
  'stream-of-another-call': fault('A stream belongs to another call in flight', 'service.own-reply', {
    only: isStream,
    reply: mixIn(0),
  }),
  'streams-interleaved': fault('Tokens of another call in flight get into a stream', 'service.own-reply', {
    only: isStream,
    reply: mixIn(4),
  }),
  'stream-reasoning-of-another-call': fault(
    'The streamed reasoning belongs to another call in flight',
    'service.own-reply',
    {
      only: isStream,
      chunks: (chunks, call) =>
        chunks.map((chunk, at) =>
          at === 1
            ? alter('/choices/0/delta', (delta) =>
                isObject(delta) ? { ...delta, reasoning: otherPrompt(call) ?? 'Hm.' } : delta,
              )(chunk)
            : chunk,
        ),
    },
  ),
  'remembers-first-prompt': fault('The model has the prompt of the first call in mind', 'service.own-reply', {
    reply: (reply, { earlier = '' }) => ({
      ...reply,
      pieces: reply.pieces.map((own, at) => (at === 0 && earlier !== '' ? longestWord(earlier) : own)),
    }),
  }),
} satisfies Record<string, Fault>;
