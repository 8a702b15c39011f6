/** Reads a file line by line, gzipped or not. The file is never in memory as a whole. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { cannotRead, UsageError } from '../usage-error.ts';

export interface FileLine {
  readonly number: number;
  readonly text: string;
  /** False for a last line without a line end. */
  readonly isComplete: boolean;
}

/** A line holds all attempts of one request, with bodies within the limits. A longer one is not ours. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** We write none, and editors add a few. A small file may unpack to millions. */
const MAX_BLANK_LINES = 1_000;
const LINE_END = 0x0a;
/** RFC 1952, 2.3.1. */
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** Calls `onBroken` for truncated or damaged gzip data, after yielding everything before it. */
export async function* readBytes(path: string, onBroken: () => void): AsyncGenerator<Buffer> {
  const isPacked = isGzip(path);
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const source: Readable = isPacked ? pipeline(file, createGunzip(), () => undefined) : file;
  try {
    for await (const bytes of source) yield bytes as Buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'Z_BUF_ERROR' && code !== 'Z_DATA_ERROR') throw cannotRead('the file', path, error);
    onBroken();
  }
}

export async function* readLines(path: string, onBroken: () => void): AsyncGenerator<FileLine> {
  let rest: Buffer[] = [];
  let held = 0;
  let number = 0;
  let blank = 0;
  for await (const bytes of readBytes(path, onBroken)) {
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const text = textOf(rest, bytes.subarray(start, end));
      rest = [];
      held = 0;
      start = end + 1;
      number += 1;
      if (text.trim() === '' && ++blank > MAX_BLANK_LINES)
        throw new UsageError('the file has too many blank lines for a recording. Pass a file written by --record.', {
          file: path,
        });
      yield { number, text, isComplete: true };
    }
    if (start === bytes.length) continue;
    rest.push(bytes.subarray(start));
    held += bytes.length - start;
    if (held > MAX_LINE_BYTES)
      throw new UsageError(`line ${number + 1} is too long for a recording. Pass a file written by --record.`, {
        file: path,
      });
  }
  if (held > 0) yield { number: number + 1, text: textOf(rest, Buffer.alloc(0)), isComplete: false };
}

function textOf(parts: readonly Buffer[], last: Buffer): string {
  return (parts.length === 0 ? last : Buffer.concat([...parts, last])).toString('utf8');
}

/** The first bytes tell, whatever the name of the file. */
function isGzip(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(GZIP_MAGIC.length);
      return readSync(file, start) === start.length && GZIP_MAGIC.every((byte, index) => start[index] === byte);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw cannotRead('the file', path, error);
  }
}
