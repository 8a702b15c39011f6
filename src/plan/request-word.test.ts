import { expect, it } from 'vitest';
import { findRequestWords, makeRequestWord } from './request-word.ts';

it('Every request has its own word, which is the same in every run with the same seed', () => {
  const words = Array.from({ length: 2000 }, (_, place) => makeRequestWord(1, `case-${place}`));
  expect(new Set(words).size).toBe(2000);
  expect(words.every((word) => /^[a-z]{10}$/.test(word))).toBe(true);
  expect(makeRequestWord(1, 'case-0')).toBe(words[0]);
  expect(makeRequestWord(2, 'case-0')).not.toBe(words[0]);
});

it('Words are found in any case and beside other letters', () => {
  const [first, second] = [makeRequestWord(1, 'a'), makeRequestWord(1, 'b')];
  const text = `Hello ${first.toUpperCase()}! And mega${second}s, too.`;
  expect(findRequestWords(text)).toEqual(expect.arrayContaining([first, second]));
  expect(findRequestWords('Hello there, how may I assist you today?')).toEqual([]);
});
