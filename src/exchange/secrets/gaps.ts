/**
 * Reads bytes without what may stand between the characters of a secret and is hardly seen: blanks, characters without
 * width, the zero bytes of UTF-16, and what separates bytes that are written in hex.
 */
import { isHexDigit } from './digits.ts';
import type { StretchReader } from './stretches.ts';

const GAP = 1;
/** As in `73:6b:2d`. */
const SEPARATOR = 2;
/** The first byte of characters of which some are a gap. */
const LEAD = 3;
const KINDS = new Uint8Array(256).fill(GAP, 0, 0x21);
KINDS[0x7f] = GAP;
for (const separator of ':-') KINDS[separator.charCodeAt(0)] = SEPARATOR;
for (const lead of [0xc2, 0xe2, 0xef]) KINDS[lead] = LEAD;

export class GapReader implements StretchReader {
  readonly bytes: Buffer;
  readonly suspects = KINDS;
  end = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  read(at: number): boolean {
    const kind = KINDS[this.bytes[at]!];
    const length = kind === GAP ? 1 : kind === SEPARATOR ? this.#separatorAt(at) : this.#characterAt(at);
    this.end = at + length;
    return length > 0;
  }

  /** A gap means nothing. */
  pushTo(): void {}

  #separatorAt(at: number): number {
    const isBetween = at > 0 && isHexDigit(this.bytes[at - 1]!) && isHexDigit(this.bytes[at + 1] ?? 0);
    return isBetween ? 1 : 0;
  }

  /** Bytes of a character that is not seen: U+00A0, U+00AD, U+200B to U+200F, U+2028 to U+202F, U+2060 to U+2064, U+FEFF. */
  #characterAt(at: number): number {
    const { bytes } = this;
    const [first, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    if (first === 0xc2) return second === 0xa0 || second === 0xad ? 2 : 0;
    if (first === 0xef) return second === 0xbb && third === 0xbf ? 3 : 0;
    const isGap =
      (second === 0x80 && ((third >= 0x8b && third <= 0x8f) || (third >= 0xa8 && third <= 0xaf))) ||
      (second === 0x81 && third >= 0xa0 && third <= 0xa4);
    return isGap ? 3 : 0;
  }
}
