import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type EditKind, KEY_USES, PREREQUISITES } from './case.ts';

interface Definition {
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
  readonly properties?: object;
}

const EDITS: Record<EditKind, true> = {
  set: true,
  add: true,
  remove: true,
  raw: true,
  rawNumber: true,
  header: true,
  key: true,
  method: true,
  path: true,
  query: true,
};

const schema: { readonly $defs: Readonly<Record<string, Definition>> } = JSON.parse(
  readFileSync(new URL('../../schemas/files/suite.schema.json', import.meta.url), 'utf8'),
);

it('The schema of suites knows the same keys, prerequisites and edits as the loader', () => {
  expect(schema.$defs['key']?.enum).toEqual(KEY_USES);
  expect(schema.$defs['needs']?.items?.enum).toEqual(PREREQUISITES);
  for (const name of ['case', 'variation']) {
    expect(Object.keys(schema.$defs[name]?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(EDITS)));
  }
});
