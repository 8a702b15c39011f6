import { expect, it } from 'vitest';
import { unreachable } from '../../test/kit/endings.ts';
import { formatEnding } from './ending.ts';

it('Only a target that accepted no connection is said to be out of reach', () => {
  const hung = unreachable('timeout', { limit: 'timeout' }, { most: 3_000 });
  expect(formatEnding(hung)).toBe('the target did not answer within 3 s');
  expect(formatEnding(unreachable('timeout', { limit: 'timeout' }, { most: 3_000, began: true }))).toBe(
    'the target did not end its answer within 3 s',
  );
  expect(formatEnding(unreachable('timeout', { limit: 'timeout' }))).toBe('the target did not answer in time');
  expect(formatEnding(unreachable('closed'))).toBe('the target closed the connection without an answer');
  expect(formatEnding(unreachable('not-http'))).toBe('the target did not send valid HTTP');
  expect(formatEnding(unreachable('limit', { limit: 'max-headers' }))).toBe(
    'the first answer of the target is too long',
  );
  expect(formatEnding(unreachable('limit', { limit: 'max-interim' }))).toBe('the target sent no final answer');
  for (const away of [unreachable('refused'), unreachable('timeout', { limit: 'connect-timeout' }, { most: 5_000 })])
    expect(formatEnding(away)).toBe('the target could not be reached');
});
