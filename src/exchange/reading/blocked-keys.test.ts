import { expect, it } from 'vitest';
import { modelsExchange } from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../exchange.ts';
import { findBlocked } from './blocked-keys.ts';

const asked = (statuses: readonly number[], round = 2): readonly Exchange[] =>
  statuses.map((status, place) => ({
    ...modelsExchange({ id: `${place}`, status, seeks: 'unauthorized', request: { key: 'unknown' } }),
    ...(round > 1 && { round }),
  }));

const times = (number: number, status: number): readonly number[] => Array.from({ length: number }, () => status);

it('Eight 403 in a row, or three 429, are a block', () => {
  expect(findBlocked(asked([401, ...times(8, 403)]))).toHaveLength(8);
  expect(findBlocked(asked([401, ...times(3, 429)]))).toHaveLength(3);
});

it('A replica that answers 403 intermittently is not', () => {
  expect(findBlocked(asked([...times(7, 403), 401, ...times(7, 403)]))).toEqual([]);
  expect(findBlocked(asked([429, 429, 401, 429]))).toEqual([]);
});

it('The first round is judged as ever', () => {
  expect(findBlocked(asked(times(9, 403), 1))).toEqual([]);
});
