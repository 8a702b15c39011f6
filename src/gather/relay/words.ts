/**
 * Messages with their text, and random words: one in every question, one in every reply of the upstream. Random rather than
 * seeded: a gateway with a cache would answer the word of an earlier run without calling its upstream.
 */
import { randomInt } from 'node:crypto';
import { joinParts } from '../../exchange/reading/choices.ts';
import { isObject, type Json, memberOf } from '../../json.ts';

/** Consonants only, so that no word says anything. */
const LETTERS = 'bcdfghjklmnpqrstvwxz';
const LENGTH = 14;
const WORD = new RegExp(`[${LETTERS}]{${LENGTH}}`, 'g');

export function makeWord(): string {
  return Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/** Letters in a row of a word that do not occur by chance. */
const TELLING = 6;
const RUN = new RegExp(`[${LETTERS}]{${TELLING},}`, 'g');
/** Characters that are searched for parts. No reply of the upstream is longer. */
const MAX_SEARCHED = 250_000;

/** Every part of a text that tells a word, since the pieces of a stream cut words apart. */
export function findParts(text: string): readonly string[] {
  const runs = text.slice(0, MAX_SEARCHED).match(RUN) ?? [];
  return runs.flatMap((run) =>
    Array.from({ length: run.length - TELLING + 1 }, (_, at) => run.slice(at, at + TELLING)),
  );
}

/** Every run of letters that may be a word, in lower case. */
export function findWords(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

export interface ChatMessage {
  readonly role: string;
  readonly text: string;
}

export function messagesOf(body: Json | undefined): readonly ChatMessage[] {
  const messages = memberOf(body, 'messages');
  if (!Array.isArray(messages)) return [];
  return messages.filter(isObject).map((message) => {
    const role = memberOf(message, 'role');
    return { role: typeof role === 'string' ? role : '', text: joinParts(memberOf(message, 'content')) };
  });
}

export function textsOf(body: Json | undefined): readonly string[] {
  return messagesOf(body).map(({ text }) => text);
}
