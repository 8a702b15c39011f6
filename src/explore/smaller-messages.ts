/** Smaller lists of messages. */
import type { Json, JsonObject } from '../json.ts';
import { without } from './drawn-request.ts';
import { cutsOf, shorterTexts, simplerJson, type SmallerValue } from './smaller-values.ts';

/** What the control says. */
export const USUAL_MESSAGE = { role: 'user', content: 'Say hello.' } as const;

type Messages = readonly JsonObject[];

export function smallerMessages(messages: Messages): readonly SmallerValue<Messages>[] {
  const size = messages.length;
  const change = (way: string, edit: (message: JsonObject) => JsonObject): readonly SmallerValue<Messages>[] => [
    { way: `all ${way}`, value: messages.map(edit) },
    ...messages.map((message, index) => ({
      way: `${way} of ${index} of ${size}`,
      value: messages.with(index, edit(message)),
    })),
  ];
  return [
    ...(size > 1
      ? [
          { way: `last of ${size}`, value: messages.slice(-1) },
          { way: `first of ${size}`, value: messages.slice(0, 1) },
        ]
      : []),
    ...change('content', withUsual('content')),
    ...change('role', withUsual('role')),
    ...fewer(messages),
    ...change('keys', ({ role, content }) => ({
      ...(role !== undefined && { role }),
      ...(content !== undefined && { content }),
    })),
    ...messages.flatMap((message, index) =>
      smallerMembers(message).map(({ way, value }) => ({
        way: `${way} of ${index}`,
        value: messages.with(index, value),
      })),
    ),
  ];
}

const withUsual =
  (name: 'role' | 'content') =>
  (message: JsonObject): JsonObject =>
    name in message ? { ...message, [name]: USUAL_MESSAGE[name] } : message;

/** Without the first or last of them, and without any one. */
function fewer(messages: Messages): readonly SmallerValue<Messages>[] {
  const size = messages.length;
  if (size < 2) return [];
  const parts = cutsOf(size).flatMap((cut) => [messages.slice(cut), messages.slice(0, size - cut)]);
  const single = messages.map((_, index) => messages.toSpliced(index, 1));
  return [...parts, ...single].map((value, at) => ({ way: `fewer ${at} of ${size}`, value }));
}

/** A shorter text, or less in a field that nobody knows. */
function smallerMembers(message: JsonObject): readonly SmallerValue<JsonObject>[] {
  const { content } = message;
  const texts = typeof content === 'string' && content !== USUAL_MESSAGE.content ? shorterTexts(content) : [];
  const unknown = Object.entries(message).filter(([name]) => name !== 'role' && name !== 'content');
  return [
    ...texts.map(({ way, value }) => ({ way: `text ${way}`, value: { ...message, content: value } })),
    ...unknown.flatMap(([name, member]) => [
      { way: `no ${name}`, value: without(message, name) },
      ...simplerJson(member).map(({ way, value }) => ({
        way: `${name} ${way}`,
        value: { ...message, [name]: value } as Readonly<Record<string, Json>>,
      })),
    ]),
  ];
}
