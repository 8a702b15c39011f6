/**
 * The file of a recording, line by line. Each line is written before the next request can end, so a crash loses at most the
 * current one. With `.gz` each line has gzip members of its own (RFC 1952, 2.2 allows a series of them), since a single
 * member would buffer several lines.
 */

import { createHash, randomUUID } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inertJson } from '../text/layout.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { readBytes } from './read-lines.ts';
import type { RecordingLine } from './recording-line.ts';

/** Bytes written at a time. */
const BUFFER_SIZE = 256 * 1024;
/** Characters of a long string converted at a time. */
const SLICE = 64 * 1024;

/** A JSON string in slices. A surrogate pair that is cut in two becomes two escapes, which mean the same. */
function* sliceJson(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length;) {
    let end = start + SLICE;
    // Keep `##` together, so that inertJson recognizes a CI command.
    while (text[end - 1] === '#') end += 1;
    yield inertJson(JSON.stringify(text.slice(start, end)).slice(1, -1));
    start = end;
  }
  yield '"';
}

/** Overwrites only with `force`. The file is created when it is opened, but a wrong path is reported at once. */
export class RecordingFile {
  readonly #path: string;
  readonly #force: boolean;
  readonly #encoder = new TextEncoder();
  readonly #buffer = Buffer.alloc(BUFFER_SIZE);
  /** Placeholder for a long string; random, so that no target can send it. */
  readonly #placeholder = `${randomUUID()}-`;
  readonly #placeholders = new RegExp(`"${this.#placeholder}\\d+"`);
  /** The hash of the lines before they are compressed. */
  readonly #hash = createHash('sha256');
  #digest: string | undefined;
  #file: number | undefined;
  /** Why the recording is incomplete: an error code such as `ENOSPC`. */
  problem: string | undefined;

  constructor(path: string, force: boolean) {
    checkPlace(path, force);
    this.#path = path;
    this.#force = force;
  }

  /** SHA-256 over all lines, uncompressed. Undefined until the file is closed, or if it is incomplete. */
  get digest(): string | undefined {
    return this.problem === undefined ? this.#digest : undefined;
  }

  open(): void {
    try {
      this.#file = openSync(this.#path, this.#force ? 'w' : 'wx');
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw existsError(this.#path);
      throw writeError(this.#path, error);
    }
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    this.#digest = this.#hash.digest('hex');
  }

  write(line: RecordingLine): void {
    if (this.#file === undefined || this.problem !== undefined) return;
    try {
      let held = '';
      for (const part of this.#textOf(line)) {
        held += part;
        if (held.length < SLICE) continue;
        this.#writeText(this.#file, held);
        held = '';
      }
      this.#writeText(this.#file, held);
    } catch (error) {
      this.problem = codeOf(error);
    }
  }

  /** Yields long strings in slices, so that a body of megabytes is not in memory several times. */
  *#textOf(line: object): Generator<string> {
    const long: string[] = [];
    const json = JSON.stringify(line, (_key, value: unknown) =>
      typeof value === 'string' && value.length > SLICE ? `${this.#placeholder}${long.push(value) - 1}` : value,
    );
    for (const [index, part] of json.split(this.#placeholders).entries()) {
      if (index > 0) yield* sliceJson(long[index - 1] ?? '');
      yield inertJson(part);
    }
    yield '\n';
  }

  /** Reuses one buffer, since garbage of megabytes would not be collected at once. */
  #writeText(file: number, text: string): void {
    for (let rest = text; rest !== '';) {
      const { read, written } = this.#encoder.encodeInto(rest, this.#buffer);
      const plain = this.#buffer.subarray(0, written);
      const bytes = this.#path.endsWith('.gz') ? gzipSync(plain) : plain;
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      this.#hash.update(plain);
      rest = rest.slice(read);
    }
  }
}

function checkPlace(path: string, force: boolean): void {
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new UsageError(`--record names ${path}, which is a folder: name a file in it, such as run.ndjson.gz.`);
  }
  if (!force && existsSync(path)) throw existsError(path);
  try {
    makeFolder(dirname(path));
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw writeError(path, error);
  }
}

function existsError(path: string): UsageError {
  return usageError.FILE_EXISTS(`${path} already exists: choose another file with --record, or add --force.`);
}

function writeError(path: string, error: unknown): UsageError {
  return usageError.FILE_UNWRITABLE(`Cannot write ${path} (${codeOf(error)}): choose another file with --record.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

// Creates a folder and its parents.

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

// Identifies a recording by its lines. Compressing it, or not, changes nothing.

/**
 * SHA-256 over the uncompressed bytes. `shown`: the path as the user wrote it. `most`: how many of these bytes are read before
 * the file is refused. `onBroken`: the gzip data is damaged or cut off, so that the digest covers what comes before.
 */
export async function digestRecording(
  path: string,
  reading: { readonly shown?: string; readonly most?: number; readonly onBroken?: () => void } = {},
): Promise<string> {
  const { shown = path, most = Infinity, onBroken = () => undefined } = reading;
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of readBytes(path, onBroken)) {
    size += bytes.length;
    if (size > most) {
      const limit = `${Math.floor(most / 1024 ** 2)} MiB`;
      throw usageError.FILE_INVALID(`${shown} has more than ${limit}, uncompressed. Pass a smaller recording.`);
    }
    hash.update(bytes);
  }
  return hash.digest('hex');
}
