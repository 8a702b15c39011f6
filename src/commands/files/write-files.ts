/** Writes a file whole or not at all: first a temporary file beside it, which is then renamed. */
import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../recording/recording-file.ts';
import { inert } from '../../text/layout.ts';
import { usageError } from '../../usage-error.ts';

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

/** A disk with room for this has room for most reports. */
const PROBE = new Uint8Array(1024 * 1024);

/** Why the file cannot be written, such as `EACCES` or `ENOSPC`; undefined if it can. Creates the folder. */
function obstacleTo(path: string): string | undefined {
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

/** `shown`: the path as the user knows it. */
export function requireWritable(path: string, remedy: string, shown = path): void {
  const obstacle = obstacleTo(path);
  if (obstacle !== undefined)
    throw usageError.FILE_UNWRITABLE(`Cannot write ${inert(shown, 300)} (${obstacle}): ${remedy}`);
}

interface Place {
  readonly path: string;
  readonly exists: boolean;
  readonly isFolder: boolean;
  /** Such as `/dev/stdout` or a pipe: must not be replaced by a file. */
  readonly isDevice: boolean;
}

/** A link stays a link: the file it points to is written. */
function placeOf(path: string): Place {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { path, exists: false, isFolder: false, isDevice: false };
  const isFolder = stats.isDirectory();
  const isDevice = !stats.isFile() && !isFolder;
  return { path: isDevice ? path : realpathSync(path), exists: true, isFolder, isDevice };
}

function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}
