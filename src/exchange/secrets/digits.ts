/** Reads the digits of a number in bytes. */

export interface DigitsRead {
  /** Undefined where there is no digit. */
  readonly value: number | undefined;
  readonly end: number;
}

export function digitsAt(bytes: Uint8Array, from: number, limit: number, base: 10 | 16): DigitsRead {
  let value = 0;
  let at = from;
  for (; at < limit; at++) {
    const digit = DIGIT_VALUES[bytes[at]!]!;
    if (digit >= base) break;
    value = value * base + digit;
  }
  return { value: at === from ? undefined : value, end: at };
}

/** So many hexadecimal digits, no fewer; -1 where they are not there. */
export function hexValue(bytes: Uint8Array, from: number, length: number, limit: number): number {
  if (from + length > limit) return -1;
  let value = 0;
  for (let at = from; at < from + length; at++) {
    const digit = DIGIT_VALUES[bytes[at]!]!;
    if (digit === NONE) return -1;
    value = value * 16 + digit;
  }
  return value;
}

export function isHexDigit(byte: number): boolean {
  return DIGIT_VALUES[byte] !== NONE;
}

const NONE = 255;
const DIGIT_VALUES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? NONE : digit;
});
