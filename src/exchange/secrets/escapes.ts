/** Unescapes bytes: JSON, URL, HTML and Markdown escapes are decoded, line breaks and NULs left out. */
import { WINDOW } from './pattern-table.ts';

export type Escape = 'none' | 'json' | 'url' | 'html';

/** Takes each byte of the text, with the place where it is written. */
export interface TextSink {
  push(byte: number, start: number, end: number, escape: Escape): void;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LOWER_X = 0x78;
const HASH = 0x23;
const SEMICOLON = 0x3b;

const PLAIN = 0;
/** Base64 is often wrapped, and UTF-16 has a NUL beside every ASCII character. */
const LEFT_OUT = 1;
const PERCENT = 2;
const AMPERSAND = 3;
const SLASHED = 4;
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  ['\r\n\0', LEFT_OUT],
  ['%', PERCENT],
  ['&', AMPERSAND],
  ['\\', SLASHED],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

/** A JSON text inside a JSON text has its backslashes doubled, and doubled again one level further in. */
const MAX_BACKSLASHES = 7;
const CONTROLS: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 };
/** Code by the character after a backslash; 0 if the two are not an escape. Markdown escapes any punctuation. */
const AFTER_BACKSLASH = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte);
  return CONTROLS[letter] ?? (/[!-/:-@[-`{-~]/.test(letter) ? byte : 0);
});

/** The named references that HTML and XML writers use. */
const REFERENCE = /^&(amp|lt|gt|quot|apos);/i;
const MAX_REFERENCE_LENGTH = 6;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Most ampersands begin no reference; a look at the next letter settles that cheaply. */
const INITIALS = Uint8Array.from({ length: 256 }, (_, byte) => Number(/[alqg]/i.test(String.fromCharCode(byte))));
/** Leading zeros allowed. */
const MAX_DIGITS = 8;
const LAST_CODE_POINT = 0x10ffff;

const NO_DIGIT = 255;
const DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? NO_DIGIT : digit;
});

/** How far from an escape or a gap anything can be found. */
export interface Bounds {
  /** Bytes of the longest pattern. */
  readonly longest: number;
  /** 1 for each byte across which nothing is found. Such a byte is never part of an escape. */
  readonly stops: Uint8Array;
}

/**
 * Reads only what lies near an escape or a line break, up to the next stop; elsewhere there is nothing to unescape.
 * `sink`: called if there is something to read.
 */
export function readEscapedText(bytes: Buffer, { longest, stops }: Bounds, sink: () => TextSink): void {
  let done = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (KINDS[bytes[at]!] === PLAIN) continue;
    let start = at;
    while (start > done && start > at - longest && stops[bytes[start - 1]!] === 0) start--;
    for (let end = at + longest; at < Math.min(end, bytes.length); at++) {
      if (KINDS[bytes[at]!] !== PLAIN) end = at + longest;
      else if (stops[bytes[at]!] === 1) break;
    }
    done = at;
    // An event stream has line breaks everywhere, but hardly a letter between them and the next stop.
    if (at - start >= WINDOW) {
      const text = sink();
      readText(bytes, start, at, text);
      // No text contains a NUL here, so that nothing is found across the gap.
      text.push(0, at, at, 'none');
    }
    // The byte here has not been looked at yet.
    at -= 1;
  }
}

/**
 * Reads a piece of a text without its middle, up to the first and from the last stop: what lies wholly inside one piece is
 * found without this. A piece with an escape near its end is read whole.
 */
export function readEnds(bytes: Buffer, piece: Place, { longest, stops }: Bounds, sink: TextSink): void {
  const { start, end } = piece;
  let head = start;
  while (head < end && head < start + longest && stops[bytes[head]!] === 0) head++;
  let tail = end;
  while (tail > start && tail > end - longest && stops[bytes[tail - 1]!] === 0) tail--;
  if (head >= tail || !isPlain(bytes, start, head) || !isPlain(bytes, tail, end)) {
    readText(bytes, start, end, sink);
    return;
  }
  readText(bytes, start, head, sink);
  // As in `readEscapedText`.
  sink.push(0, head, head, 'none');
  readText(bytes, tail, end, sink);
}

function isPlain(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (KINDS[bytes[at]!] !== PLAIN) return false;
  return true;
}

function readText(bytes: Buffer, from: number, to: number, sink: TextSink): void {
  const reader = new EscapeReader(bytes, to);
  for (let at = from; at < to;) {
    const kind = KINDS[bytes[at]!]!;
    if (kind === PLAIN || (kind !== LEFT_OUT && !reader.read(at, kind))) {
      sink.push(bytes[at]!, at, at + 1, 'none');
      at += 1;
    } else if (kind === LEFT_OUT) {
      at += 1;
    } else {
      reader.pushTo(sink, at);
      at = reader.end;
    }
  }
}

/** Holds the escape that it read last: there may be millions, too many for an object each. */
class EscapeReader {
  readonly #bytes: Buffer;
  readonly #limit: number;
  #code = 0;
  /** The code is a byte of UTF-8, not a character. */
  #isByte = false;
  #escape: Escape = 'none';
  end = 0;

  constructor(bytes: Buffer, limit: number) {
    this.#bytes = bytes;
    this.#limit = limit;
  }

  read(at: number, kind: number): boolean {
    if (kind === PERCENT) return this.#readPercent(at);
    return kind === AMPERSAND ? this.#readReference(at) : this.#readBackslash(at);
  }

  pushTo(sink: TextSink, start: number): void {
    if (this.#code < 0x80 || this.#isByte) {
      if (KINDS[this.#code] !== LEFT_OUT) sink.push(this.#code, start, this.end, this.#escape);
      return;
    }
    for (const byte of Buffer.from(String.fromCodePoint(this.#code))) sink.push(byte, start, this.end, this.#escape);
  }

  #found(code: number, end: number, escape: Escape, isByte = false): boolean {
    this.#code = code;
    this.#isByte = isByte;
    this.#escape = escape;
    this.end = end;
    return true;
  }

  #readPercent(at: number): boolean {
    const code = this.#hexAt(at + 1, 2);
    return code !== -1 && this.#found(code, at + 3, 'url', true);
  }

  #readBackslash(start: number): boolean {
    const bytes = this.#bytes;
    let at = start + 1;
    while (at < this.#limit && at - start < MAX_BACKSLASHES && bytes[at] === BACKSLASH) at++;
    if (at >= this.#limit) return false;
    const code = bytes[at] === LOWER_U ? this.#hexAt(at + 1, 4) : -1;
    if (code !== -1) return this.#found(code, at + 5, 'json');
    const simple = AFTER_BACKSLASH[bytes[start + 1]!]!;
    return simple !== 0 && this.#found(simple, start + 2, 'json');
  }

  /** Browsers also read numeric references without their semicolon. */
  #readReference(at: number): boolean {
    const bytes = this.#bytes;
    if (bytes[at + 1] === HASH) {
      const isHex = at + 2 < this.#limit && (bytes[at + 2]! | 0x20) === LOWER_X;
      return this.#readNumber(isHex ? at + 3 : at + 2, isHex ? 16 : 10);
    }
    if (at + 1 >= this.#limit || INITIALS[bytes[at + 1]!] === 0) return false;
    const text = bytes.toString('latin1', at, Math.min(this.#limit, at + MAX_REFERENCE_LENGTH));
    const [all = '', name = ''] = REFERENCE.exec(text) ?? [];
    return all !== '' && this.#found(NAMED[name.toLowerCase()]!.charCodeAt(0), at + all.length, 'html');
  }

  #readNumber(from: number, base: 10 | 16): boolean {
    const limit = Math.min(this.#limit, from + MAX_DIGITS);
    let code = 0;
    let at = from;
    for (; at < limit && DIGITS[this.#bytes[at]!]! < base; at++) code = code * base + DIGITS[this.#bytes[at]!]!;
    if (at === from || code > LAST_CODE_POINT) return false;
    return this.#found(code, at < this.#limit && this.#bytes[at] === SEMICOLON ? at + 1 : at, 'html');
  }

  /** -1 unless there are that many hexadecimal digits. */
  #hexAt(from: number, length: number): number {
    if (from + length > this.#limit) return -1;
    let code = 0;
    for (let at = from; at < from + length; at++) {
      const digit = DIGITS[this.#bytes[at]!]!;
      if (digit === NO_DIGIT) return -1;
      code = code * 16 + digit;
    }
    return code;
  }
}
