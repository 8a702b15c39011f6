/** Every request has a word of its own: no cache answers instead of the model, and a reply that holds the word of another request is not its own. */
import { hash } from 'node:crypto';

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

/** Pronounceable, so that a model may repeat it. 70 to the power of 5 words: none comes up by chance. */
const SYLLABLES = 5;

/** Words may overlap in a longer run of letters. */
const WORD = new RegExp(`(?=((?:[${CONSONANTS}][${VOWELS}]){${SYLLABLES}}))`, 'g');

/** The word of the exchange with this id, the same in every run with the same seed. */
export function makeRequestWord(seed: number, id: string): string {
  const bytes = toBytes(seed, id);
  let word = '';
  for (let place = 0; place < 2 * SYLLABLES; place++) {
    const letters = place % 2 === 0 ? CONSONANTS : VOWELS;
    word += letters[(bytes[place] ?? 0) % letters.length];
  }
  return word;
}

/** Random bytes that are the same whenever a run is repeated. */
export function toBytes(seed: number, id: string): Buffer {
  return hash('sha256', `${seed}/${id}`, 'buffer');
}

/** Everything in a text that may be the word of a request, in lower case. */
export function findRequestWords(text: string): readonly string[] {
  return Array.from(text.toLowerCase().matchAll(WORD), ([, word = '']) => word);
}
