import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CHECKS } from '../verdict/checks/index.ts';
import type { Check } from '../verdict/check.ts';
import { type EditKind, KEY_USES, PREREQUISITES, SPELLINGS } from './case.ts';

interface Definition {
  readonly anyOf?: readonly { readonly enum?: readonly string[]; readonly pattern?: string }[];
  readonly allOf?: readonly Branch[];
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
  readonly properties?: object;
}

/** What an expectation may hold, for one check or for those without options. */
interface Branch {
  readonly if: { readonly properties: { readonly check: { readonly const?: string; readonly not?: Definition } } };
  readonly then: { readonly properties: Readonly<Record<string, unknown>>; readonly additionalProperties: false };
}

const EDITS: Record<EditKind, true> = {
  set: true,
  add: true,
  remove: true,
  raw: true,
  rawNumber: true,
  spelling: true,
  header: true,
  key: true,
  method: true,
  path: true,
  query: true,
};

const schema: { readonly $defs: Readonly<Record<string, Definition>> } = JSON.parse(
  readFileSync(new URL('../../schemas/files/suite.schema.json', import.meta.url), 'utf8'),
);

it('The suite schema has the same keys, prerequisites and edits as the loader', () => {
  expect(schema.$defs['key']?.enum).toEqual(KEY_USES);
  expect(schema.$defs['needs']?.items?.enum).toEqual(PREREQUISITES);
  expect(schema.$defs['spelling']?.items?.enum).toEqual(SPELLINGS);
  for (const name of ['case', 'variation']) {
    expect(Object.keys(schema.$defs[name]?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(EDITS)));
  }
});

const checks: Readonly<Record<string, Check>> = CHECKS;
const withOptions = Object.keys(checks).filter((name) => checks[name]?.options !== undefined);

it('The suite schema lists all checks, and allows custom ones', () => {
  const [builtIn, own] = schema.$defs['check']?.anyOf ?? [];
  expect(builtIn?.enum).toEqual(Object.keys(CHECKS));
  expect(['acme/fast', 'my-team/is-kind'].every((name) => new RegExp(own?.pattern ?? '^$').test(name))).toBe(true);
  expect(Object.keys(CHECKS).filter((name) => name.includes('/'))).toEqual([]);
});

it('The suite schema allows each check its options and no others', () => {
  const [without, ...branches] = schema.$defs['expectation']?.allOf ?? [];
  const { not } = without?.if.properties.check ?? {};
  expect(not?.anyOf).toEqual([{ enum: withOptions }, { pattern: '/' }]);
  expect(without?.then).toMatchObject({ properties: { clause: true, check: true }, additionalProperties: false });
  expect(Object.keys(without?.then.properties ?? {})).toEqual(['clause', 'check']);
  expect(branches.map((branch) => branch.if.properties.check.const)).toEqual(withOptions);
  for (const branch of branches) {
    const { clause, check, ...options } = branch.then.properties;
    expect([clause, check, branch.then.additionalProperties]).toEqual([true, true, false]);
    expect(options).toEqual(checks[branch.if.properties.check.const ?? '']?.options);
  }
});
