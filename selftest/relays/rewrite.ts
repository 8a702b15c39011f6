/** Rewrites parts of requests, replies and chunks, for rows that change them, and turns a stream into a plain reply and back. */
import type { JsonMap } from './relay-modifier.ts';

export interface WireMessage {
  readonly role: string;
  readonly content: string;
}

interface Choice extends JsonMap {
  readonly message?: JsonMap;
  readonly delta?: JsonMap;
}

export function messagesIn(body: JsonMap): readonly WireMessage[] {
  return body['messages'] as readonly WireMessage[];
}

/** A message that lacks something, or is null, is for the upstream to refuse. */
const isComplete = (message: WireMessage | null): boolean =>
  typeof message?.role === 'string' && typeof message.content === 'string';

export function withMessages(change: (messages: readonly WireMessage[]) => readonly object[]) {
  return (body: JsonMap): JsonMap =>
    Array.isArray(body['messages']) && messagesIn(body).every(isComplete)
      ? { ...body, messages: change(messagesIn(body)) }
      : body;
}

/** Changes the text of every message. */
export function withMessageText(change: (text: string) => string) {
  return withMessages((messages) => messages.map((message) => ({ ...message, content: change(message.content) })));
}

export function without(...names: readonly string[]) {
  return (body: JsonMap): JsonMap => Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

export function choicesIn(body: JsonMap): readonly Choice[] {
  return body['choices'] as readonly Choice[];
}

export function withChoices(change: (choice: Choice) => JsonMap) {
  return (body: JsonMap): JsonMap => ({ ...body, choices: choicesIn(body).map(change) });
}

export function textOf({ message, delta }: Choice): string {
  const content = (message ?? delta)?.['content'];
  return typeof content === 'string' ? content : '';
}

/** Changes the text of every choice of a plain reply. */
export function withReplyText(change: (text: string) => string) {
  return withChoices((choice) => ({ ...choice, message: { ...choice.message, content: change(textOf(choice)) } }));
}

/** Changes the text of every chunk that has some. */
export function withChunkText(change: (text: string) => string) {
  return withChoices((choice) =>
    textOf(choice) === '' ? choice : { ...choice, delta: { ...choice.delta, content: change(textOf(choice)) } },
  );
}

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
