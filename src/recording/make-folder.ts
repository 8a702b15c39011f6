/** Makes a folder with those above it. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** One by one: the recursive kind of `mkdirSync` never returns where a folder such as /proc takes no new ones. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
