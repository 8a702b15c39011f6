/** A file that the user named. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cannotRead } from '../../usage-error.ts';

/** `what`: such as `the config file`. */
export function readTextFile(what: string, file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw cannotRead(what, file, error);
  }
}
