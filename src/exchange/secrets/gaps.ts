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
for (const lead of [0xc2, 0xe2, 0xef]) KINDS[lead] = LEAD;

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

/** A character that is not seen: U+00A0, U+00AD, U+200B to U+200F, U+2028 to U+202F, U+2060 to U+2064, U+FEFF. */
function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at];
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  if (first === 0xc2) return second === 0xa0 || second === 0xad ? 2 : 0;
  if (first === 0xef) return second === 0xbb && third === 0xbf ? 3 : 0;
  const isGap =
    (second === 0x80 && ((third >= 0x8b && third <= 0x8f) || (third >= 0xa8 && third <= 0xaf))) ||
    (second === 0x81 && third >= 0xa0 && third <= 0xa4);
  return isGap ? 3 : 0;
}
