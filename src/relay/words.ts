/**
 * Random words: one in every question, one in every reply of the upstream. Random rather than seeded: a gateway with a
 * cache would answer the word of an earlier run without calling its upstream.
 */
import { randomInt } from 'node:crypto';

/** Consonants only, so that no word says anything. */
const LETTERS = 'bcdfghjklmnpqrstvwxz';
const LENGTH = 14;
const WORD = new RegExp(`[${LETTERS}]{${LENGTH}}`, 'g');

export function makeWord(): string {
  return Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/** Every run of letters that may be a word, in lower case. */
export function findWords(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
