/** Reads a suite file of the user's. A recording of a stranger may name it, so that it may be anything, or not be there. */
import { readFileSync } from 'node:fs';
import { inert } from '../text/layout.ts';
import { cannotRead } from '../usage-error.ts';

export function readSuiteBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw cannotRead('the suite file', inert(file, 300), error);
  }
}
