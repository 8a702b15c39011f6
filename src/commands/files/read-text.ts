/** A file that the user named. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { inert } from '../../text/inert.ts';
import { cannotRead, UsageError } from '../../usage-error.ts';

/** `what`: such as `the config file`. */
export function readTextFile(what: string, file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw cannotRead(what, file, error);
  }
}

const READ_SIZE = 1024 * 1024;

/** For a file that somebody else may have made. `most`: bytes. */
export function readUntrustedText(what: string, file: string, cwd: string, most: number): string {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    const opened = openSync(resolve(cwd, file), 'r');
    try {
      for (;;) {
        const part = Buffer.allocUnsafe(READ_SIZE);
        const read = readSync(opened, part);
        if (read === 0) break;
        size += read;
        if (size > most) break;
        parts.push(part.subarray(0, read));
      }
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw cannotRead(what, file, error);
  }
  if (size <= most) return Buffer.concat(parts).toString('utf8');
  throw new UsageError(`Cannot read ${what} ${inert(file, 300)}: it has more than ${most / 1024 ** 2} MiB.`, {
    code: 'FILE_INVALID',
  });
}
