/** Finds the installed package, from `src` and from `dist` alike. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  readonly root: string;
  readonly version: string;
}

let found: Package | undefined;

function find(): Package {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = read(join(folder, 'package.json'));
    // Under any name: whoever publishes it in a scope of their own renames it.
    if (manifest) return { root: folder, version: manifest.version ?? '' };
    if (folder === dirname(folder)) throw new Error(`No folder above ${import.meta.url} has a package.json.`);
  }
}

interface Manifest {
  readonly version?: string;
}

function read(file: string): Manifest | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const manifest: Manifest = JSON.parse(text);
  return manifest;
}

/** The folder of `schemas/` and `suites/`. */
export function packageRoot(): string {
  return (found ??= find()).root;
}

export function packageVersion(): string {
  return (found ??= find()).version;
}
