import { expect, it } from 'vitest';
import { CONTRACT_SUBJECTS } from './contract.ts';
import { loadContract } from './read-contract.ts';
import { loadReadings, readingsOf } from './explanations.ts';

const clauses = [undefined, ...CONTRACT_SUBJECTS].flatMap((subject) => loadContract(subject).clauses);
const KEYS = ['number', 'date', 'title', 'text', 'reason', 'considered', 'clauses'];

it('numbers the readings from 1, without a gap', () => {
  expect(loadReadings().map(({ number }) => number)).toEqual(loadReadings().map((_, index) => index + 1));
});

it.each(loadReadings().map((reading) => [reading.number, reading] as const))(
  'states reading %s in full',
  (_, reading) => {
    expect(Object.keys(reading)).toEqual(KEYS);
    expect(reading.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(reading.title).toMatch(/^[A-Z0-9].*[^.]$/);
    for (const text of [reading.text, reading.reason, reading.considered]) expect(text).toMatch(/^[A-Z0-9].*[.]$/);
  },
);

it('gives no two readings the same title', () => {
  expect(new Set(loadReadings().map(({ title }) => title)).size).toBe(loadReadings().length);
});

it('rests every clause of every subject on a reading', () => {
  expect(clauses.map(({ id }) => id).filter((id) => readingsOf(id).length === 0)).toEqual([]);
});

it('names only clauses that exist, each once in a reading', () => {
  const known = new Set(clauses.map(({ id }) => id));
  for (const { number, clauses: named } of loadReadings()) {
    expect([number, named.filter((id, index) => !known.has(id) || named.indexOf(id) !== index)]).toEqual([number, []]);
  }
});
