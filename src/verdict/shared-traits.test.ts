import { expect, it } from 'vitest';
import { plainExchange } from '../../test/kit/exchanges.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { findSharedTraits } from './judge-rounds.ts';

const from = (server: string, fingerprint: string): Exchange =>
  plainExchange({ headers: { server, date: 'x' }, json: { system_fingerprint: fingerprint }, sent: { model: 'm' } });

const times = (number: number, server: string, fingerprint: string): readonly Exchange[] =>
  Array.from({ length: number }, () => from(server, fingerprint));

it('A trait of all faulty answers and of no other is named', () => {
  expect(
    findSharedTraits(times(3, 'b', 'f2'), times(3, 'a', 'f1')).map(({ trait, value }) => [trait, value.quote]),
  ).toEqual([
    ['server', 'b'],
    ['system_fingerprint', 'f2'],
  ]);
});

it('A trait that some faulty answers lack, or that another answer has, is not named', () => {
  expect(findSharedTraits([...times(2, 'b', 'f2'), from('c', 'f2')], times(3, 'a', 'f2'))).toEqual([]);
  expect(findSharedTraits(times(3, 'b', 'f2'), [...times(2, 'a', 'f1'), from('b', 'f2')])).toEqual([]);
});

it('Fewer than three of either kind may agree by chance', () => {
  expect(findSharedTraits(times(2, 'b', 'f2'), times(9, 'a', 'f1'))).toEqual([]);
  expect(findSharedTraits(times(9, 'b', 'f2'), times(2, 'a', 'f1'))).toEqual([]);
});
