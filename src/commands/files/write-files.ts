/** Files are written whole or not at all: to a temporary one beside it, then renamed. */
import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../recording/make-folder.ts';

export function writeWhole(path: string, text: string): void {
  makeFolder(dirname(path));
  const place = placeOf(path);
  if (place.isDevice) return writeFileSync(place.path, text);
  const temporary = temporaryBeside(place.path);
  try {
    writeFileSync(temporary, text, { flush: true });
    renameSync(temporary, place.path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A disk that has room for this has room for most reports; an empty file would tell nothing. */
const PROBE = new Uint8Array(1024 * 1024);

/** The system's word for what is in the way, such as `EACCES` or `ENOSPC`; undefined if nothing is. Makes the folder. */
export function obstacleTo(path: string): string | undefined {
  let probe: string | undefined;
  try {
    makeFolder(dirname(path));
    const place = placeOf(path);
    if (place.exists) accessSync(place.path, constants.W_OK);
    if (place.isDevice) return undefined;
    if (place.isFolder) return 'it is a folder';
    probe = temporaryBeside(place.path);
    writeFileSync(probe, PROBE, { flush: true });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    if (probe !== undefined) rmSync(probe, { force: true });
  }
}

interface Place {
  readonly path: string;
  readonly exists: boolean;
  readonly isFolder: boolean;
  /** `/dev/stdout`, a pipe: cannot be replaced by a file, and must not be. */
  readonly isDevice: boolean;
}

/** A link stays a link: what it points to is written. */
function placeOf(path: string): Place {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return { path, exists: false, isFolder: false, isDevice: false };
  const isFolder = there.isDirectory();
  const isDevice = !there.isFile() && !isFolder;
  return { path: isDevice ? path : realpathSync(path), exists: true, isFolder, isDevice };
}

function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}
