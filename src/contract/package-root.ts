/** Finds the installed package, from `src` and from `dist` alike. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  readonly root: string;
  readonly version: string;
}

let found: Package | undefined;

function find(): Package {
  for (let root = dirname(fileURLToPath(import.meta.url)); ; root = dirname(root)) {
    const file = join(root, 'package.json');
    // Under any name: whoever publishes it in a scope of their own renames it.
    if (existsSync(file)) {
      const { version = '' }: Partial<Package> = JSON.parse(readFileSync(file, 'utf8'));
      return { root, version };
    }
    if (root === dirname(root)) throw new Error(`No folder above ${import.meta.url} has a package.json.`);
  }
}

/** The folder of `schemas/` and `suites/`. */
export function packageRoot(): string {
  return (found ??= find()).root;
}

export function packageVersion(): string {
  return (found ??= find()).version;
}
