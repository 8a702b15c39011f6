import { expect, it } from 'vitest';
import { type Ending, formatEnding } from './ending.ts';
import type { Failure, NoAnswer } from './exchange.ts';

const unreachable = (
  kind: NoAnswer,
  more: Partial<Failure> = {},
  how: { most?: number; began?: true } = {},
): Ending => ({
  kind: 'unreachable',
  failure: { kind, code: 'CODE', detail: 'detail', ...more },
  ...how,
});

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
