/** Creates a folder and its parents. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** One at a time, since a recursive `mkdirSync` never returns in a folder such as /proc. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
