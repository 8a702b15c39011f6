/** Messages of a request and the text in them. */
import { isObject, type Json, memberOf } from '../json.ts';

export interface ChatMessage {
  readonly role: string;
  readonly text: string;
}

/** A string and text parts are the same; anything else is not text. */
export function messageText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: Json) => memberOf(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

export function messagesOf(body: Json | undefined): readonly ChatMessage[] {
  const messages = memberOf(body, 'messages');
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).map((message) => {
    const role = memberOf(message, 'role');
    return { role: typeof role === 'string' ? role : '', text: messageText(memberOf(message, 'content')) };
  });
}
