/** Files that the user named: read with bounds, and written whole or not at all. */
import {
  closeSync,
  openSync,
  readFileSync,
  readSync,
  accessSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve, basename, dirname, join } from 'node:path';
import { inert } from '../../text/layout.ts';
import { cannotRead, usageError } from '../../usage-error.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { hasMoreValuesThan, isDeeperThan } from '../../exchange/reading/json-text.ts';
import { isObject } from '../../json.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import type { SubjectName } from '../../subjects/subjects.ts';
import { makeFolder } from '../../recording/recording-file.ts';

/** `what`: such as `the config file`. */
export function readTextFile(what: string, file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw cannotRead(what, file, error);
  }
}

const READ_SIZE = 1024 * 1024;

/** Reads a file that somebody else may have made. `most`: bytes. */
function readUntrustedText(what: string, file: string, cwd: string, most: number): string {
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
  throw usageError.FILE_INVALID(`Cannot read ${what} ${inert(file, 300)}: it has more than ${most / 1024 ** 2} MiB.`);
}

export function loadReport(file: string, cwd: string): Report {
  const value = readJson(file, cwd);
  if (!isObject(value) || value['format'] !== 'wirecheck-report')
    throw usageError.FILE_INVALID(`${file} is not a wirecheck report: give the report.json of a run.`);
  if (value['version'] !== VERSION)
    throw usageError.FILE_INVALID(
      `${file} is a report of version ${inert(JSON.stringify(value['version']) ?? 'none', 40)}; this wirecheck reads version ${VERSION}. Run the check again, or judge its recording.`,
    );
  checkFile('report', { file, value });
  return value as unknown as Report;
}

/** An older report of the same side of the wire. `flag`: what it was given with. */
export function loadOlderReport(flag: string, file: string, cwd: string, subject: SubjectName | undefined): Report {
  const report = loadReport(file, cwd);
  if (subject !== undefined) refuseOtherSide(report, `${flag} ${inert(file, 300)}`, subject);
  return report;
}

/** Their cases have nothing in common, so everything would seem new. */
export function refuseOtherSide(older: Pick<Report, 'subject'>, shown: string, subject: SubjectName): void {
  const { name } = traitsOf(older);
  if (name === subject) return;
  throw usageError.FILE_INVALID(
    `${shown} is about a ${name}, and this run is about a ${subject}: give a report on a ${subject}.`,
  );
}

const VERSION: Report['version'] = 2;

/** A report of a hundred thousand exchanges has far less. */
const LIMITS = { bytes: 128 * 1024 ** 2, depth: 1_000, values: 4_000_000 };

function readJson(file: string, cwd: string): unknown {
  const text = readUntrustedText('the report', file, cwd, LIMITS.bytes);
  if (isDeeperThan(text, LIMITS.depth) || hasMoreValuesThan(text, LIMITS.values))
    throw usageError.FILE_INVALID(
      `${file} is nested too deeply, or has too many values: give the report.json of a run.`,
    );
  try {
    return JSON.parse(text);
  } catch {
    throw usageError.FILE_INVALID(`${file} is not JSON: give the report.json of a run.`);
  }
}

// Writes a file whole or not at all: first a temporary file beside it, which is then renamed.

/** `shown`: the path as the user knows it. */
export function writeWhole(path: string, text: string, shown = path): void {
  let temporary: string | undefined;
  try {
    makeFolder(dirname(path));
    const place = placeOf(path);
    if (place.isDevice) return writeFileSync(place.path, text);
    temporary = temporaryBeside(place.path);
    writeFileSync(temporary, text, { flush: true });
    renameSync(temporary, place.path);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    // Without a code, the disk did not say no: a bug, which is shown as one.
    if (code === undefined) throw error;
    throw usageError.FILE_UNWRITABLE(`Cannot write ${shown} (${code}).`);
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

/** A link stays a link: the file it points to is written. A device, such as `/dev/stdout`, must not be replaced by a file. */
function placeOf(path: string) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { path, exists: false, isFolder: false, isDevice: false };
  const isFolder = stats.isDirectory();
  const isDevice = !stats.isFile() && !isFolder;
  return { path: isDevice ? path : realpathSync(path), exists: true, isFolder, isDevice };
}

function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}
