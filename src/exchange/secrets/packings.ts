/** Finds what may be packed in bytes: base64 and hex, and gzip within them. */
import { gunzipSync } from 'node:zlib';

export type Packing = 'base64' | 'hex';

/** A shorter run holds no packed secret of eight characters that the plain search would not find. */
const SHORTEST: Readonly<Record<Packing, number>> = { base64: 24, hex: 32 };
const DIGITS: Readonly<Record<Packing, Uint8Array>> = {
  base64: setOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'),
  hex: setOf('0123456789abcdefABCDEF'),
};
/** Keeps what was in one run apart from what was in the next. */
const BETWEEN = 0x0a;
/** Digits to unpack at a time, and how many of them again with the next: whole groups of either packing. */
const PIECE = 64 * 1024;
const OVERLAP = 4 * 1024;
/** Of all that is packed by gzip in one text: more is not worth the time and memory that it takes. */
const MOST_UNPACKED = 1024 * 1024;
const MOST_PACKED = 1024 * 1024;

/** Memory to unpack into. */
export const LAYER_SIZE = 4 * PIECE;

/** What was packed in some bytes, one after the other. */
export interface Layer {
  readonly content: Buffer;
  readonly runs: readonly Run[];
}

export interface Run {
  /** Where it stands in the bytes. */
  readonly start: number;
  readonly end: number;
  /** Where what was in it begins in the content of the layer. */
  readonly at: number;
}

/**
 * What is in every run of such digits. What stands right before them may look like some of them, so each run is read
 * once for every number of digits to skip. A layer is to be looked at before the next one is asked for: it stands in the
 * same memory, since a body may hold nothing but digits.
 */
export function* unpackLayers(
  bytes: Buffer,
  packing: Packing,
  skips: readonly number[],
  memory: Buffer,
): Generator<Layer> {
  let runs: Run[] = [];
  let length = 0;
  let room = MOST_UNPACKED;
  for (const [start, end] of runsOf(bytes, DIGITS[packing], SHORTEST[packing])) {
    for (const skip of skips) {
      for (const [from, to] of piecesOf(start + skip, end)) {
        if (memory.length - length <= PIECE) {
          yield { content: memory.subarray(0, length), runs };
          [runs, length] = [[], 0];
        }
        runs.push({ start: from, end: to, at: length });
        length += memory.write(bytes.toString('latin1', from, to), length, packing);
        memory[length++] = BETWEEN;
      }
      const content = unzipped(bytes, packing, start + skip, end, room);
      if (content === undefined) continue;
      room -= content.length;
      yield { content, runs: [{ start, end, at: 0 }] };
    }
  }
  if (length > 0) yield { content: memory.subarray(0, length), runs };
}

function* piecesOf(start: number, end: number): Generator<readonly [from: number, to: number]> {
  for (let from = start; from < end; from += PIECE - OVERLAP) {
    const to = Math.min(end, from + PIECE);
    yield [from, to];
    if (to === end) return;
  }
}

function unzipped(bytes: Buffer, packing: Packing, start: number, end: number, room: number): Buffer | undefined {
  if (end - start > MOST_PACKED) return undefined;
  const head = Buffer.from(bytes.toString('latin1', start, Math.min(end, start + 8)), packing);
  return isGzip(head) ? gunzip(Buffer.from(bytes.toString('latin1', start, end), packing), room) : undefined;
}

/** The run that this place of the layer came from. */
export function runAt({ runs }: Layer, place: number): Run {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (runs[middle]!.at > place) high = middle - 1;
    else low = middle;
  }
  return runs[low]!;
}

function* runsOf(
  bytes: Buffer,
  digits: Uint8Array,
  shortest: number,
): Generator<readonly [start: number, end: number]> {
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && digits[bytes[at]!] === 1) continue;
    if (at - start >= shortest) yield [start, at];
    start = at + 1;
  }
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** Undefined where it cannot be unpacked, or would be too large. */
export function gunzip(bytes: Uint8Array, most: number): Buffer | undefined {
  if (most <= 0) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}

/** Indexed by byte. */
function setOf(letters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const letter of letters) set[letter.charCodeAt(0)] = 1;
  return set;
}
