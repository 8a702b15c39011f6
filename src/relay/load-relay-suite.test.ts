import { expect, it } from 'vitest';
import { fileSchema } from '../contract/file-schema.ts';
import { loadContract } from '../contract/load-contract.ts';
import { RELAY_CHECKS } from './judge/checks.ts';
import { loadRelayCases } from './load-relay-suite.ts';
import { CALLS } from './relay-case.ts';

interface SuiteSchema {
  readonly $defs: {
    readonly check: { readonly enum: readonly string[] };
    readonly case: { readonly properties: { readonly calls: { readonly enum: readonly string[] } } };
  };
}

const schema = JSON.parse(fileSchema('relay-suite')) as SuiteSchema;

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

it('The file schema knows every check and every way of asking', () => {
  expect(schema.$defs.check.enum.toSorted()).toEqual(Object.keys(RELAY_CHECKS).toSorted());
  expect(schema.$defs.case.properties.calls.enum).toEqual([...CALLS]);
});

it('Every question has its word in a user message, where the upstream looks for it', () => {
  const without = loadRelayCases().filter(
    ({ messages }) => !messages.some(({ role, content }) => role === 'user' && content.includes('${word}')),
  );
  expect(without).toEqual([]);
});
