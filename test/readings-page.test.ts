import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { loadAllClauses } from '../src/subjects/subjects.ts';

// Both pages are written anew by `npm run readings`.
const importScript = (name: string): Promise<unknown> =>
  import(new URL(`../scripts/readings/${name}.mjs`, import.meta.url).href);

const { readingsPage } = (await importScript('readings-page')) as { readonly readingsPage: () => string };
const { withTests } = (await importScript('contract-tests')) as { readonly withTests: (page: string) => string };

const page = readFileSync(join(packageRoot(), 'docs/contract.md'), 'utf8');

it('docs/readings.md is generated from the readings', async () => {
  await expect(readingsPage()).toMatchFileSnapshot(join(packageRoot(), 'docs/readings.md'));
});

it('docs/contract.md lists the clauses and cases of each part as they are', async () => {
  await expect(withTests(page)).toMatchFileSnapshot(join(packageRoot(), 'docs/contract.md'));
});

it('A list in docs/contract.md that is out of date is noticed', () => {
  const stale = page.replace(/^\| `service\.reply` .*\n/m, '');
  expect(stale).not.toBe(page);
  expect(withTests(stale)).toBe(page);
});

it('Every clause that the contract speaks of stands under each of its parts', () => {
  const sections = new Map(page.split(/^<a id="part-/m).map((text) => [text.charAt(0), text]));
  for (const { id, part } of loadAllClauses()) {
    if (part === '-') continue;
    for (const each of part.split(', ')) expect(sections.get(each.charAt(0))).toContain(`\n| \`${id}\` |`);
  }
});

it('Every clause that is not tested has its reason', () => {
  for (const { id, level, why } of loadAllClauses()) {
    if (level === 'none') expect([id, page.includes(`| Outside: ${why} |\n`)]).toEqual([id, true]);
  }
});
