/** The random word in the reply of a scenario: no client can guess it, and it says nothing about what went wrong. */
import { randomInt } from 'node:crypto';

const CONSONANTS = 'bdfghklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = 4;

const WORD = new RegExp(`(?:[${CONSONANTS}][${VOWELS}]){${SYLLABLES}}`);

/** Eight letters that nobody can guess. */
export function makeScenarioWord(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  return Array.from({ length: SYLLABLES }, () => pick(CONSONANTS) + pick(VOWELS)).join('');
}

/** What a client said, with a mark in place of the word of the reply. Any other word stays, whatever its letters. */
export function maskScenarioWord(said: string, reply: string): string {
  const [word] = WORD.exec(reply) ?? [];
  return word === undefined ? said : said.replaceAll(word, '${word}');
}

/** Words of scenarios and of requests. */
const ANY_WORD = new RegExp(`\\b(?:[${CONSONANTS}][${VOWELS}]){${SYLLABLES},${SYLLABLES + 1}}\\b`, 'g');

export function areAlikeButWords(text: string | undefined, other: string | undefined): boolean {
  return text?.replaceAll(ANY_WORD, '') === other?.replaceAll(ANY_WORD, '');
}
