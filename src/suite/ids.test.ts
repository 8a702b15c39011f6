import { expect, it } from 'vitest';
import { CONTRACT_SUBJECTS } from '../contract/contract.ts';
import { loadContract } from '../contract/read-contract.ts';
import { loadSuites } from './read-suites.ts';

/** Waivers, baselines and other people's scripts name them: an id may come, but none may go or change. */
it('No clause id is ever removed', async () => {
  const ids = [undefined, ...CONTRACT_SUBJECTS].flatMap((subject) => loadContract(subject).clauses).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  await expect(`${ids.toSorted().join('\n')}\n`).toMatchFileSnapshot('clause-ids.snapshot.txt');
});

it('No case id is ever removed', async () => {
  const ids = loadSuites([], loadContract()).flatMap(({ cases }) => cases.map(({ id }) => id));
  await expect(`${ids.toSorted().join('\n')}\n`).toMatchFileSnapshot('case-ids.snapshot.txt');
});

it('Every clause that a suite names is judged at some level', () => {
  const contract = loadContract();
  const named = loadSuites([], contract).flatMap(({ cases }) =>
    cases.flatMap(({ expect: all }) => all.map(({ clause }) => clause)),
  );
  expect([...new Set(named)].filter((id) => contract.clause(id)?.level === 'none')).toEqual([]);
});
