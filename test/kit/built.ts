/**
 * Modules of the built program. Vitest's loader makes every use of an import slower, so that whole runs take twice as long
 * from the sources: tests of many runs use what was built.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/contract/package-root.ts';

/** `path`: as in `src`, such as `selftest/run-selftest`. */
export function importBuilt<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(join(packageRoot(), 'dist', `${path}.js`)).href) as Promise<Module>;
}
