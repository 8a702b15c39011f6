import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadContract } from '../src/contract/read-contract.ts';
import { packageRoot } from '../src/contract/package-root.ts';
import { loadAllClauses } from '../src/subjects/subjects.ts';

const page = readFileSync(join(packageRoot(), 'docs/contract.md'), 'utf8');
const named = (pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, name]) => name ?? '');
const parts = loadContract().clauses.flatMap(({ part }) => (part === '-' ? [] : part.split(', ')));

it('The contract page has one anchor and one heading for each of the nine parts', () => {
  const nine = Array.from({ length: 9 }, (_, index) => String(index + 1));
  expect(named(/^<a id="part-(.+)"><\/a>$/gm)).toEqual(nine);
  expect(named(/^## Part (\d+): /gm)).toEqual(nine);
});

it('The contract page has every part and every numbered item that a clause names', () => {
  const anchors = named(/<a id="part-(.+)">/g);
  const items = named(/^- \*\*(\d\.\d)\*\* /gm);
  for (const part of parts) expect(part.includes('.') ? items : anchors).toContain(part);
});

it('The clauses name every part of the contract page and every numbered item', () => {
  const items = named(/^- \*\*(\d\.\d)\*\* /gm);
  const covered = new Set(parts.flatMap((part) => [part, part.split('.')[0]]));
  for (const name of [...named(/<a id="part-(.+)">/g), ...items]) expect(covered).toContain(name);
});

it('The contract page has every clause, of all sides of the wire, with the sentence that it stands for', () => {
  const rows = loadAllClauses().map(({ id, summary }) => `\n| \`${id}\` | ${summary} | `);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

it('The contract page links only to anchors that it has', () => {
  const anchors = named(/<a id="(.+)">/g);
  for (const target of named(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(target);
});

it('The contract page has every field of the JSON Schemas', () => {
  const folder = join(packageRoot(), 'schemas/v1');
  const schemas = readdirSync(folder).filter((file) => file.endsWith('.schema.json'));
  for (const file of schemas) {
    const { properties }: { properties: object } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const field of Object.keys(properties)) expect(page).toContain(`\`${field}\``);
  }
});
