/** Finds the installed package, from `src`, `build` and `dist` alike. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../once-per.ts';

/** The folder of `schemas/` and `suites/`. */
export const packageRoot = once((): string => {
  for (let root = dirname(fileURLToPath(import.meta.url)); ; root = dirname(root)) {
    // Under any name: whoever publishes it in another scope renames it.
    if (existsSync(join(root, 'package.json'))) return root;
    if (root === dirname(root)) throw new Error(`No folder above ${import.meta.url} has a package.json.`);
  }
});
