import { expect, it } from 'vitest';
import { CONTRACT_SUBJECTS } from './contract.ts';
import { loadExplanation } from './explanations.ts';
import { loadContract } from './read-contract.ts';
import { loadSentences, sentencesOf } from './explanations.ts';

const clauses = [undefined, ...CONTRACT_SUBJECTS].flatMap((subject) => loadContract(subject).clauses);
const judged = clauses.filter(({ level }) => level === 'must' || level === 'should');

it('Every must and should that is stated has a sentence of the contract, and so has what part 1 implies', () => {
  const isMeant = ({ kind, part }: (typeof clauses)[number]): boolean =>
    kind === 'stated' || (kind === 'implied' && part.split(', ').includes('1'));
  expect(judged.filter(isMeant).filter(({ id }) => sentencesOf(id).length === 0)).toEqual([]);
});

it('A sentence is of a part that its clauses name, which exist and are stated or implied', () => {
  const known = new Map(clauses.map((clause) => [clause.id, clause]));
  for (const { part, text, clauses: named } of loadSentences()) {
    expect(new Set(named).size).toBe(named.length);
    const parts = named.map((id) => [id, known.get(id)?.kind, known.get(id)?.part.split(', ').includes(part)]);
    const kind = parts.every(([, each]) => each === 'implied') ? 'implied' : 'stated';
    expect([text, parts]).toEqual([text, named.map((id) => [id, kind, true])]);
  }
});

it('No sentence is there twice, and a row of a table names the table', () => {
  const all = loadSentences().map(({ part, table = '', text }) => `${part} ${table} ${text}`);
  expect(new Set(all).size).toBe(all.length);
  for (const { table, text } of loadSentences())
    expect([text, text.includes(' | ')]).toEqual([text, table !== undefined]);
});

it('An explanation has the sentences of its clause', () => {
  expect(loadExplanation('errors.code')?.sentences).toEqual([
    { part: '7', table: 'Error', text: 'error.code | string | machine-readable error code' },
  ]);
  expect(loadExplanation('auth.key-echo')).not.toHaveProperty('sentences');
});
