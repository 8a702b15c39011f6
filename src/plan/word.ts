/** A word that no other request of the run has, and that reads like one. */
import { createHash } from 'node:crypto';

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

export function wordFor(seed: number, id: string): string {
  const bytes = createHash('sha256').update(`${seed}/${id}`).digest();
  return Array.from({ length: 6 }, (_, place) => {
    const letters = place % 2 === 0 ? CONSONANTS : VOWELS;
    return letters[(bytes[place] ?? 0) % letters.length];
  }).join('');
}
