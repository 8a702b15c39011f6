import { expect, it } from 'vitest';
import { matchesGlob, isSelected } from './select.ts';

it.each<[glob: string, id: string, matches: boolean]>([
  ['auth/*', 'auth/missing-key[models]', true],
  ['auth/*', 'xauth/missing-key', false],
  ['auth', 'auth/missing-key', false],
  ['*', 'anything/at-all', true],
  ['*/reply', 'chat/reply', true],
  ['*/reply', 'chat/reply-again', false],
  ['auth/missing-key[models]', 'auth/missing-key[models]', true],
  ['auth/missing-key[models]', 'auth/missing-keym', false],
  ['auth/missing-key*', 'auth/missing-key[chat-stream]', true],
  ['chat.reply', 'chat/reply', false],
  ['a/b+c(d)|e?$^{}\\', 'a/b+c(d)|e?$^{}\\', true],
  ['', '', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['ab*ba', 'aba', false],
  ['**', 'a', true],
  [`${'*a'.repeat(30)}*!`, 'a'.repeat(60), false],
])('%s against %s: %s', (glob, id, matches) => {
  expect(matchesGlob(glob, id)).toBe(matches);
});

it('Without --only everything is selected, and --skip overrides it', () => {
  expect(isSelected({ only: [], skip: [] }, 'a/b')).toBe(true);
  expect(isSelected({ only: ['c/*', 'a/*'], skip: [] }, 'a/b')).toBe(true);
  expect(isSelected({ only: ['a/*'], skip: ['*/b'] }, 'a/b')).toBe(false);
  expect(isSelected({ only: ['a/b'], skip: [] }, 'a/b[models]')).toBe(true);
  expect(isSelected({ only: ['a/b'], skip: [] }, 'a/b-again')).toBe(false);
});
