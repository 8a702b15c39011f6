import { expect, it } from 'vitest';
import { wordFor } from './word.ts';

it('Every request has a word of its own, and the same one in every run with the same seed', () => {
  const words = Array.from({ length: 200 }, (_, place) => wordFor(1, `case-${place}`));
  expect(new Set(words).size).toBeGreaterThan(195);
  expect(words.every((word) => /^[a-z]{6}$/.test(word))).toBe(true);
  expect(wordFor(1, 'case-0')).toBe(words[0]);
  expect(wordFor(2, 'case-0')).not.toBe(words[0]);
});
