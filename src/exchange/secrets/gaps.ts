/**
 * Reads bytes without what may stand between the characters of a secret and is hardly seen: blanks, characters without
 * width, the zero bytes of UTF-16, and what separates bytes that are written in hex.
 */
import { isHexDigit } from './digits.ts';
import type { Reading } from './reading.ts';

const KEPT = 0;
const GAP = 1;
/** As in `73:6b:2d`. */
const SEPARATOR = 2;
/** The first byte of characters of which some are a gap. */
const LEAD = 3;
const KINDS = new Uint8Array(256).fill(GAP, 0, 0x21);
KINDS[0x7f] = GAP;
for (const separator of ':-') KINDS[separator.charCodeAt(0)] = SEPARATOR;
for (const lead of [0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf3]) KINDS[lead] = LEAD;

/** Unicode's White_Space and Default_Ignorable_Code_Point beyond ASCII, from first to last. */
const UNSEEN: readonly (readonly [number, number])[] = [
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0xe0000, 0xe0fff],
];

/** Bytes without any gap mean themselves, and are not read. */
export function readWithoutGaps(bytes: Buffer, reading: Reading): void {
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = KINDS[bytes[at]!] === KEPT ? 0 : gapAt(bytes, at);
    if (length > 0) {
      reading.pushPlain(bytes, from, at);
      from = at + length;
    }
    at += Math.max(1, length);
  }
  if (from > 0) reading.pushPlain(bytes, from, bytes.length);
  reading.end();
}

/** Bytes of the gap. */
function gapAt(bytes: Buffer, at: number): number {
  const kind = KINDS[bytes[at]!];
  if (kind === GAP) return 1;
  return kind === SEPARATOR ? separatorAt(bytes, at) : characterAt(bytes, at);
}

function separatorAt(bytes: Buffer, at: number): number {
  return at > 0 && isHexDigit(bytes[at - 1]!) && isHexDigit(bytes[at + 1] ?? 0) ? 1 : 0;
}

function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let code = first & (0x7f >> length);
  for (let place = at + 1; place < at + length; place++) code = (code << 6) | ((bytes[place] ?? 0) & 0x3f);
  return UNSEEN.some(([from, to]) => from <= code && code <= to) ? length : 0;
}
