import { expect, it } from 'vitest';
import { loadContract } from '../../src/contract/read-contract.ts';
import { FAULTY_UNDER_LOAD, RIGHT_UNDER_LOAD } from './catalogue.ts';

const faulty = Object.values(FAULTY_UNDER_LOAD);

it('has enough that is faulty and that is honest, gateways and relays', () => {
  expect(faulty.length).toBeGreaterThanOrEqual(24);
  expect(Object.keys(RIGHT_UNDER_LOAD).length).toBeGreaterThanOrEqual(16);
  for (const rows of [faulty, Object.values(RIGHT_UNDER_LOAD)]) {
    expect(new Set(rows.map(({ front }) => front))).toEqual(new Set(['gateway', 'relay']));
  }
});

it('has a fault for each kind of condition', () => {
  const kinds = new Set(faulty.flatMap(({ when = [] }) => when.map(({ kind }) => kind)));
  expect([...kinds].toSorted()).toEqual(['above', 'disconnects', 'idle', 'once', 'one-in', 'slow-reader', 'to']);
});

it('breaks every clause of load at least once, except the budgets that a user sets', () => {
  const own = loadContract('load').clauses.filter(({ level }) => level === 'must' || level === 'should');
  const broken = new Set(faulty.flatMap(({ breaks }) => breaks));
  const missing = own.map(({ id }) => id).filter((id) => !broken.has(id) && id !== 'load.budgets');
  expect(missing).toEqual([]);
  const others = [...loadContract().clauses, ...loadContract('relay').clauses];
  const known = new Set([...own, ...others].map(({ id }) => id));
  expect([...broken].filter((id) => !known.has(id))).toEqual([]);
});
