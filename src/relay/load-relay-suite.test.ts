import { expect, it } from 'vitest';
import { loadContract } from '../contract/load-contract.ts';
import { loadRelayCases } from './load-relay-suite.ts';

it('The suite has at least 60 cases, and no id is ever removed', async () => {
  const ids = loadRelayCases().map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(60);
  await expect(`${ids.toSorted().join('\n')}\n`).toMatchFileSnapshot('case-ids.snapshot.txt');
});

it('Every clause has a case that judges it', () => {
  const judged = new Set(loadRelayCases().flatMap(({ expect: all }) => all.map(({ clause }) => clause)));
  expect(
    loadContract('relay')
      .clauses.map(({ id }) => id)
      .filter((id) => !judged.has(id)),
  ).toEqual([]);
});

it('Every question has its word in a user message, where the upstream looks for it', () => {
  const without = loadRelayCases().filter(
    ({ messages }) => !messages.some(({ role, content }) => role === 'user' && content.includes('${word}')),
  );
  expect(without).toEqual([]);
});
