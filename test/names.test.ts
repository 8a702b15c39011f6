/** What was agreed and the linter has no rule for. Identifiers that it can ban are in `.oxlintrc.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['src', 'selftest', 'test', 'scripts'];
const SOURCES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|m?js)$/.test(file))
    .map((file) => join(folder, file)),
);

/** They say what a file is for nobody. `formatX` says it of a function, `xInWords` does not. */
const VAGUE_FILE = /(^|-)(utils?|helpers?|common|core|managers?)(-|\.|$)/;
const DECLARED_IN_WORDS = /\b(?:function|const|let|class) +\w+InWords\b|^\s*(?:readonly )?\w+InWords\??:/m;

it('No file or folder is named for nothing in particular', () => {
  expect(SOURCES.length).toBeGreaterThan(500);
  const vague = SOURCES.filter((file) => file.split(/[\\/]/).some((part) => VAGUE_FILE.test(part)));
  expect(vague).toEqual([]);
});

it('A function that writes text is called formatX, not xInWords', () => {
  expect(SOURCES.filter((file) => DECLARED_IN_WORDS.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

it('Every exception to a rule of the linter has a reason', () => {
  const directive = /oxlint-disable(?:-next-line)? (?!.* -- \S)/;
  expect(SOURCES.filter((file) => directive.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

/** Exported names of sources, outside of what shares no code with the checker. */
function exportedNames(kind: string): readonly string[] {
  const apart = /^src[\\/]gateway[\\/]/;
  const declared = new RegExp(String.raw`^export (?:async )?(?:${kind}) +(\w+)`, 'gm');
  return SOURCES.filter((file) => /^src[\\/]/.test(file) && !file.endsWith('.test.ts') && !apart.test(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(declared)].map(([, name = '']) => name));
}

function repeatedIn(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].toSorted();
}

it('A value is exported under a name that no other has', () => {
  const exported = exportedNames('function\\*?|const|class');
  expect(exported.length).toBeGreaterThan(600);
  expect(repeatedIn(exported)).toEqual([]);
});

/** Types that two files or more still export under one name. The list may only shrink. */
const REPEATED_TYPES: readonly string[] = ['CaseEntry', 'Entry', 'VerdictName'];

it('A type is exported under a name that no other has, but for those that are left', () => {
  const exported = exportedNames('interface|type');
  expect(exported.length).toBeGreaterThan(600);
  expect(repeatedIn(exported)).toEqual(REPEATED_TYPES);
});
