/** A request that was drawn, before it is filled in and sent. Plain data, so that it can be shrunk and saved. */
import { isObject, type Json, type JsonObject, memberOf } from '../../json.ts';
import type { Spelling } from '../../suite/case.ts';

export interface DrawnRequest {
  /** The body, with placeholders such as `${model}`. */
  readonly body: JsonObject;
  /** Numbers that are written in another way, by field. */
  readonly written: Readonly<Record<string, string>>;
  readonly spellings: readonly Spelling[];
  /** The number of the mistake that makes it no JSON, or no object. */
  readonly mistake?: number;
}

/** One request, or a sequence on one connection, of which the last is the point. */
export interface Draw {
  /** The first draw is 1. */
  readonly number: number;
  /** How to make it again: its number, and what made it smaller since then. */
  readonly path: string;
  /** There is at least one. */
  readonly requests: readonly DrawnRequest[];
}

/** What an HTML form sends. */
const FORM = 'model=${model}&messages%5B0%5D%5Brole%5D=user&messages%5B0%5D%5Bcontent%5D=Say+hello.&max_tokens=16';

/** Bodies that are not JSON, or not an object. */
export const MISTAKES: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}garbage`,
  (text) => `${text.slice(0, -1)},}`,
  (text) => `[${text}]`,
  (text) => text.replace(':', '='),
  (text) => text.replaceAll('"', "'"),
  () => '"Say hello."',
  () => 'null',
  () => '',
  () => FORM,
];

/** The last of them. */
export const FORM_MISTAKE = MISTAKES.length - 1;

/** The text that is sent instead of the body. */
export function mistakenText({ body, mistake = -1 }: DrawnRequest): string | undefined {
  return MISTAKES[mistake]?.(JSON.stringify(body));
}

/** The header of what says that it is no JSON. */
export function ownHeader({ mistake }: DrawnRequest): Readonly<Record<string, string>> | undefined {
  return mistake === FORM_MISTAKE ? { 'content-type': 'application/x-www-form-urlencoded' } : undefined;
}

export function isStreamed({ body }: DrawnRequest): boolean {
  return body['stream'] === true;
}

/** Those that are no objects, too. */
export function allMessagesIn({ body }: DrawnRequest): readonly Json[] {
  const messages = memberOf(body, 'messages');
  return Array.isArray(messages) ? (messages as readonly Json[]) : [];
}

export function messagesIn(request: DrawnRequest): readonly JsonObject[] {
  return allMessagesIn(request).filter(isObject);
}

/** The roles of all messages, with spaces between. */
export function rolesIn(request: DrawnRequest): string {
  return messagesIn(request)
    .map(({ role }) => (typeof role === 'string' ? role : 'none'))
    .join(' ');
}

export function textsIn(request: DrawnRequest): readonly string[] {
  return messagesIn(request).flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
}

/** An invalid max_tokens may leave the reply without any limit. */
export function breaksTokens({ body }: DrawnRequest): boolean {
  return Number(body['max_tokens'] ?? 1) < 1;
}
