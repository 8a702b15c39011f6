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
  let text: TextSink | undefined;
  let read: ReturnType<typeof createTextReader> | undefined;
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
      text ??= sink();
      read ??= createTextReader(bytes, text);
      read(start, at);
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
    createTextReader(bytes, sink)(start, end);
    return;
  }
  for (let at = start; at < head; at++) sink.push(bytes[at]!, at, at + 1, 'none');
  // As in `readEscapedText`.
  sink.push(0, head, head, 'none');
  for (let at = tail; at < end; at++) sink.push(bytes[at]!, at, at + 1, 'none');
}

function isPlain(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (KINDS[bytes[at]!] !== PLAIN) return false;
  return true;
}

/** There is no escape at this place. */
const NONE = -1;

/** Makes what reads any part of these bytes, and hands it on. An escape is a number: there may be millions. */
function createTextReader(bytes: Buffer, sink: TextSink): (from: number, to: number) => void {
  let limit = 0;
  const found = (code: number, start: number, end: number, escape: Escape): number => {
    // That of a URL is a byte of UTF-8, any other a character.
    if (code >= 0x80 && escape !== 'url') {
      for (const byte of Buffer.from(String.fromCodePoint(code))) sink.push(byte, start, end, escape);
    } else if (KINDS[code] !== LEFT_OUT) sink.push(code, start, end, escape);
    return end;
  };

  /** -1 unless there are that many hexadecimal digits. */
  const hexAt = (from: number, length: number): number => {
    if (from + length > limit) return -1;
    let code = 0;
    for (let at = from; at < from + length; at++) {
      const digit = DIGITS[bytes[at]!]!;
      if (digit === NO_DIGIT) return -1;
      code = code * 16 + digit;
    }
    return code;
  };

  const readBackslash = (start: number): number => {
    let at = start + 1;
    while (at < limit && at - start < MAX_BACKSLASHES && bytes[at] === BACKSLASH) at++;
    if (at >= limit) return NONE;
    const code = bytes[at] === LOWER_U ? hexAt(at + 1, 4) : -1;
    if (code !== -1) return found(code, start, at + 5, 'json');
    const simple = AFTER_BACKSLASH[bytes[start + 1]!]!;
    return simple === 0 ? NONE : found(simple, start, start + 2, 'json');
  };

  const readNumber = (start: number, from: number, base: 10 | 16): number => {
    const most = Math.min(limit, from + MAX_DIGITS);
    let code = 0;
    let at = from;
    for (; at < most && DIGITS[bytes[at]!]! < base; at++) code = code * base + DIGITS[bytes[at]!]!;
    if (at === from || code > LAST_CODE_POINT) return NONE;
    // Browsers also read numeric references without their semicolon.
    return found(code, start, at < limit && bytes[at] === SEMICOLON ? at + 1 : at, 'html');
  };

  const readReference = (start: number): number => {
    if (bytes[start + 1] === HASH) {
      const isHex = start + 2 < limit && (bytes[start + 2]! | 0x20) === LOWER_X;
      return isHex ? readNumber(start, start + 3, 16) : readNumber(start, start + 2, 10);
    }
    if (start + 1 >= limit || INITIALS[bytes[start + 1]!] === 0) return NONE;
    const text = bytes.toString('latin1', start, Math.min(limit, start + MAX_REFERENCE_LENGTH));
    const [all = '', name = ''] = REFERENCE.exec(text) ?? [];
    return all === '' ? NONE : found(NAMED[name.toLowerCase()]!.charCodeAt(0), start, start + all.length, 'html');
  };

  /** Returns the place after the escape. */
  const readEscape = (at: number, kind: number): number => {
    if (kind === AMPERSAND) return readReference(at);
    if (kind === SLASHED) return readBackslash(at);
    const code = hexAt(at + 1, 2);
    return code === -1 ? NONE : found(code, at, at + 3, 'url');
  };

  return (from, to) => {
    limit = to;
    for (let at = from; at < to;) {
      const kind = KINDS[bytes[at]!]!;
      const end = kind === PLAIN || kind === LEFT_OUT ? NONE : readEscape(at, kind);
      if (end === NONE && kind !== LEFT_OUT) sink.push(bytes[at]!, at, at + 1, 'none');
      at = end === NONE ? at + 1 : end;
    }
  };
}
