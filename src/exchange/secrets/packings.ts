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
const BETWEEN = Buffer.from('\n');
/** Of all that is packed by gzip in one text: more is not worth the time and memory that it takes. */
const MOST_UNPACKED = 1024 * 1024;

/** Bytes to look at together. */
const ENOUGH = 256 * 1024;

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

/** What is in every run of such digits, a good deal of it at a time; with `skip`, the first ones are taken for something else. */
export function* unpackLayers(bytes: Buffer, packing: Packing, skip: number): Generator<Layer> {
  let runs: Run[] = [];
  let pieces: Buffer[] = [];
  let length = 0;
  let room = MOST_UNPACKED;
  const layer = () => ({ content: Buffer.concat(pieces, length), runs });
  for (const [start, end] of runsOf(bytes, DIGITS[packing], SHORTEST[packing] + skip)) {
    const decoded = Buffer.from(bytes.toString('latin1', start + skip, end), packing);
    const content = isGzip(decoded) ? gunzip(decoded, room) : decoded;
    if (content === undefined) continue;
    if (content !== decoded) room -= content.length;
    runs.push({ start, end, at: length });
    pieces.push(content, BETWEEN);
    length += content.length + BETWEEN.length;
    if (length < ENOUGH) continue;
    yield layer();
    [runs, pieces, length] = [[], [], 0];
  }
  if (length > 0) yield layer();
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
