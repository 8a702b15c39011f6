/** Finds what is packed by gzip or zlib anywhere in bytes. */
import { constants, gunzipSync, inflateRawSync, type ZlibOptions } from 'node:zlib';

/** At a time: more is not worth the memory that it takes. */
const MOST_UNPACKED = 64 * 1024;
/** Of all that is packed in one text, and as much again as the text has. */
const ROOM = 1024 * 1024;
/** Bytes that a try in vain counts for. */
const COST_OF_A_TRY = 8 * 1024;

/** Grows with the text, so that no text takes longer than in proportion to its length. */
export class UnpackingRoom {
  left: number;

  constructor(bytes: number) {
    this.left = ROOM + bytes;
  }
}

export interface Unpacked {
  /** Undefined where it is too much to look into. */
  readonly content: Buffer | undefined;
  /** Where it was packed. */
  readonly start: number;
  readonly end: number;
}

/**
 * What cannot be looked into, because it is large or because there is too much of it, is handed on without its content, so
 * that it can be blanked as a whole. In text only gzip is: two letters such as `x^` may mean zlib, and mostly do not.
 */
export function* unpackCompressed(bytes: Buffer, room: UnpackingRoom, isText: boolean): Generator<Unpacked> {
  let done = 0;
  for (const start of startsIn(bytes)) {
    if (start < done) continue;
    const unpacked = room.left > 0 ? unpack(bytes, start, Math.min(room.left, MOST_UNPACKED)) : TOO_MUCH;
    room.left -= COST_OF_A_TRY;
    if (unpacked === undefined || (unpacked === TOO_MUCH && isText && bytes[start] !== GZIP)) continue;
    if (unpacked === TOO_MUCH) {
      room.left -= MOST_UNPACKED;
      // Where it ends is not known. Elsewhere than in text all of what it stands in goes with its first byte.
      done = isText ? Math.min(bytes.length, start + MOST_UNPACKED) : start + 1;
      yield { content: undefined, start, end: done };
    } else {
      room.left -= unpacked.content.length;
      done = unpacked.end;
      yield unpacked;
    }
  }
}

const TOO_MUCH = 'too much';

const GZIP = 0x1f;
const ZLIB = 0x78;
const ZLIB_HEADER = 2;
/** The most that stands behind what is packed. */
const CHECKSUM = 8;

/** In order. */
function* startsIn(bytes: Buffer): Generator<number> {
  let gzip = bytes.indexOf(GZIP);
  let zlib = bytes.indexOf(ZLIB);
  while (gzip !== -1 || zlib !== -1) {
    if (zlib === -1 || (gzip !== -1 && gzip < zlib)) {
      if (isGzip(bytes, gzip)) yield gzip;
      gzip = bytes.indexOf(GZIP, gzip + 1);
    } else {
      if (isZlib(bytes, zlib)) yield zlib;
      zlib = bytes.indexOf(ZLIB, zlib + 1);
    }
  }
}

/** RFC 1952, 2.3: no flag is set that has no meaning. */
function isGzip(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === GZIP && bytes[at + 1] === 0x8b && bytes[at + 2] === 8 && (bytes[at + 3]! & 0xe0) === 0;
}

/** RFC 1950, 2.2: with the largest window, as everybody has it, and no dictionary; and a block that can be one (RFC 1951, 3.2.3). */
function isZlib(bytes: Uint8Array, at: number): boolean {
  const flags = bytes[at + 1] ?? 0;
  if (bytes[at] !== ZLIB || (ZLIB * 256 + flags) % 31 !== 0 || (flags & 0x20) !== 0 || at + 8 > bytes.length)
    return false;
  const first = bytes[at + 2]!;
  const kind = (first >> 1) & 3;
  if (kind === 0) return (bytes[at + 3]! ^ bytes[at + 5]!) === 0xff && (bytes[at + 4]! ^ bytes[at + 6]!) === 0xff;
  // Numbers of codes: at most 286 and 30.
  return kind === 1 || (kind === 2 && first >> 3 <= 29 && (bytes[at + 3]! & 0x1f) <= 29);
}

/**
 * Without its header, since only then what follows the end of the packed bytes does not matter. What was cut gives what
 * there is of it.
 */
function unpack(
  bytes: Buffer,
  start: number,
  most: number,
): (Unpacked & { readonly content: Buffer }) | typeof TOO_MUCH | undefined {
  const from = bytes[start] === GZIP ? endOfGzipHeader(bytes, start) : start + ZLIB_HEADER;
  const options: ZlibOptions = { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH, info: true };
  try {
    // The types do not know what `info` makes of the result.
    const { buffer, engine } = inflateRawSync(bytes.subarray(from), options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    const end = Math.min(bytes.length, from + engine.bytesWritten + CHECKSUM);
    return buffer.length === 0 ? undefined : { content: buffer, start, end };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? TOO_MUCH : undefined;
  }
}

/** RFC 1952, 2.3. */
function endOfGzipHeader(bytes: Buffer, start: number): number {
  const flags = bytes[start + 3]!;
  let at = start + 10;
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  // The name of a file, and a comment.
  for (const flag of [8, 16]) {
    const end = (flags & flag) === 0 ? at - 1 : bytes.indexOf(0, at);
    at = end === -1 ? bytes.length : end + 1;
  }
  return (flags & 2) === 0 ? at : at + 2;
}

/** All of it, where everything is packed. Undefined where it is not, or is too large. */
export function gunzip(bytes: Uint8Array, most: number): Buffer | undefined {
  if (!isGzip(bytes, 0)) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}
