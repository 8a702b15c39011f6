/** Reads bytes with the escapes of JSON, scripts, Markdown, HTML and URLs undone. */
import { digitsAt, hexValue } from './digits.ts';
import type { Escape, Reading } from './reading.ts';
import { referenceAt } from './references.ts';
import type { StretchReader } from './stretches.ts';

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SUSPECTS = new Uint8Array(256);
for (const byte of [BACKSLASH, PERCENT, AMPERSAND]) SUSPECTS[byte] = 1;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const MOST_BRACED_DIGITS = 6;
/** JSON within JSON within JSON. */
const MOST_BACKSLASHES = 7;
const SIMPLE: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 };
const PUNCTUATION = /[!-/:-@[-`{-~]/;
/** By the byte that a backslash stands before; 0 where it stands for itself. */
const AFTER_BACKSLASH = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  return SIMPLE[letter] ?? (PUNCTUATION.test(letter) ? byte : 0);
});

/**
 * Holds the escape that it read last, since there may be millions of them. What one stands for may be the beginning of
 * another: what was read is to be read again.
 */
export class EscapeReader implements StretchReader {
  readonly bytes: Buffer;
  readonly suspects = SUSPECTS;
  readonly #limit: number;
  #code = 0;
  #isByte = false;
  #escape: Escape = 'none';
  end = 0;

  constructor(bytes: Buffer, limit = bytes.length) {
    this.bytes = bytes;
    this.#limit = limit;
  }

  read(at: number): boolean {
    const byte = this.bytes[at];
    if (byte === PERCENT) return this.#readPercent(at);
    if (byte === AMPERSAND) return this.#readReference(at);
    return byte === BACKSLASH && this.#readBackslash(at);
  }

  pushTo(reading: Reading, start: number): void {
    if (this.#isByte || this.#code < 0x80) reading.push(this.#code, start, this.end, this.#escape);
    else
      for (const byte of Buffer.from(String.fromCodePoint(this.#code)))
        reading.push(byte, start, this.end, this.#escape);
  }

  /** It stands for a character; or for a byte, of which a character may take several. */
  #found(code: number, end: number, escape: Escape, isByte = false): boolean {
    this.#code = code;
    this.#isByte = isByte;
    this.#escape = escape;
    this.end = end;
    return true;
  }

  #readPercent(at: number): boolean {
    const value = hexValue(this.bytes, at + 1, 2, this.#limit);
    return value !== -1 && this.#found(value, at + 3, 'url', true);
  }

  #readReference(at: number): boolean {
    const reference = referenceAt(this.bytes, at, this.#limit);
    return reference !== undefined && this.#found(reference.code, reference.end, 'html');
  }

  /** JSON inside a JSON string has its backslashes doubled, so several of them may stand before the letter. */
  #readBackslash(start: number): boolean {
    const { bytes } = this;
    let at = start + 1;
    while (at < this.#limit && at - start < MOST_BACKSLASHES && bytes[at] === BACKSLASH) at++;
    if (at >= this.#limit) return false;
    if (bytes[at] === LOWER_U && this.#readUnicode(at + 1)) return true;
    if (bytes[at] === LOWER_X) {
      const value = hexValue(bytes, at + 1, 2, this.#limit);
      if (value !== -1) return this.#found(value, at + 3, 'json', true);
    }
    // An escaped backslash of its own, or a character that Markdown has one before.
    const meant = AFTER_BACKSLASH[bytes[start + 1]!]!;
    return meant !== 0 && this.#found(meant, start + 2, 'json');
  }

  #readUnicode(at: number): boolean {
    const value = hexValue(this.bytes, at, 4, this.#limit);
    if (value !== -1) return this.#found(value, at + 4, 'json');
    if (at >= this.#limit || this.bytes[at] !== OPEN) return false;
    const braced = digitsAt(this.bytes, at + 1, Math.min(this.#limit, at + 1 + MOST_BRACED_DIGITS), 16);
    if (braced.value === undefined || braced.value > 0x10ffff || this.bytes[braced.end] !== CLOSE) return false;
    return this.#found(braced.value, braced.end + 1, 'json');
  }
}
