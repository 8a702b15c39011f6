import { expect, it } from 'vitest';
import { unreachable } from '../../test/kit/endings.ts';
import { formatEnding } from './ending.ts';

it('A target that hangs is not said to be out of reach', () => {
  const hung = unreachable('timeout', { limit: 'timeout' }, { most: 3_000 });
  expect(formatEnding(hung)).toBe('the target did not answer within 3 s');
  expect(formatEnding(unreachable('timeout', { limit: 'timeout' }, { most: 3_000, began: true }))).toBe(
    'the target did not end its answer within 3 s',
  );
  expect(formatEnding(unreachable('timeout', { limit: 'timeout' }))).toBe('the target did not answer in time');
  for (const away of [unreachable('refused'), unreachable('timeout', { limit: 'connect-timeout' }, { most: 5_000 })])
    expect(formatEnding(away)).toBe('the target could not be reached');
});
