/** Turns a stream into a plain reply, and the other way round, for relays that always call their upstream in one way. */
import type { JsonMap } from './relay-modifier.ts';
import { choicesIn, textOf } from './rewrite.ts';

export function joinChunks(chunks: readonly JsonMap[]): JsonMap {
  const choices = chunks.flatMap(choicesIn).filter(({ index }) => (index ?? 0) === 0);
  const end = choices.find((choice) => typeof choice['finish_reason'] === 'string');
  const usage = chunks.map((chunk) => chunk['usage']).findLast((value) => value !== undefined && value !== null);
  return {
    id: `joined-${Math.random()}`,
    object: 'chat.completion',
    created: 1,
    model: 'small-relay',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: choices.map(textOf).join('') },
        finish_reason: end?.['finish_reason'] ?? 'stop',
      },
    ],
    ...(usage !== undefined && { usage }),
  };
}

export function splitReply(reply: JsonMap): readonly JsonMap[] {
  const [choice] = choicesIn(reply);
  const id = `split-${Math.random()}`;
  const chunk = (choices: readonly object[], more: object = {}): JsonMap => ({
    id,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'small-relay',
    choices,
    ...more,
  });
  const content = choice ? textOf(choice) : '';
  return [
    chunk([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: choice?.['finish_reason'] ?? 'stop' }]),
    ...(reply['usage'] === undefined ? [] : [chunk([], { usage: reply['usage'] })]),
  ];
}
