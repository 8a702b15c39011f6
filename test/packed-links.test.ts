/** The documents of the package: every link in them leads to a file of the package. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';

const { packedDocuments, withoutDeadLinks, linksIn } = (await import(
  new URL('../scripts/pack/packed-links.mjs', import.meta.url).href
)) as {
  packedDocuments: (files: readonly string[]) => readonly string[];
  withoutDeadLinks: (text: string, file: string, files: readonly string[]) => string;
  linksIn: (text: string) => readonly string[];
};

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };

it('Every link of a packed document leads to a packed file, and most links stay', () => {
  const documents = packedDocuments(files);
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/relay.md']));
  const links = documents.flatMap((file) =>
    linksIn(withoutDeadLinks(read(file), file, files)).map((link) => ({ file, link })),
  );
  const isThere = (path: string): boolean =>
    existsSync(join(packageRoot(), path)) &&
    [...files, 'README.md', 'LICENSE'].some((entry) => path === entry || path.startsWith(`${entry.split('*')[0]}`));
  const dead = links.filter(
    ({ file, link }) => !isThere(posix.join(posix.dirname(file), link.replace(/#.*$/, '')).replace(/\/$/, '')),
  );
  expect(dead).toEqual([]);
  expect(links.length).toBeGreaterThan(60);
});

it('A link to a file of the repository alone is its words in the package', () => {
  const text = [
    '[evidence](../reports/a.md#x), [`code`](relay.md), [[1] of 2](../src/a.ts) and [page](https://a.example/)',
    '![drawing](clients.svg)',
    '<picture>\n  <img alt="Page" src="report.png">\n</picture>\n\nEnd',
  ].join('\n');
  expect(withoutDeadLinks(text, 'docs/own.md', ['docs/*.md'])).toBe(
    'evidence, [`code`](relay.md), [1] of 2 and [page](https://a.example/)\nEnd',
  );
  const packed = withoutDeadLinks(read('docs/clients.md'), 'docs/clients.md', files);
  expect(packed).not.toMatch(/Seven stock clients and the scenarios|reports\/clients/);
});
