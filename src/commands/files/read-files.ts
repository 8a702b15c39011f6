/** A file that the user named. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { inert } from '../../text/layout.ts';
import { cannotRead, usageError } from '../../usage-error.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { hasMoreValuesThan, isDeeperThan } from '../../exchange/reading/json-text.ts';
import { isObject } from '../../json.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import type { SubjectName } from '../../subjects/subjects.ts';

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
