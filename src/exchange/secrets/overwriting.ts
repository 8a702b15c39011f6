/** Overwrites a range of a body. Its length stays the same, text stays text, and JSON stays JSON. */

const STAR = 0x2a;
const ONE = 0x31;
const BACKSLASH = 0x5c;
const MAX_ESCAPE_LENGTH = 6;

export function overwrite(bytes: Uint8Array, start: number, end: number): void {
  const [first, last] = widen(bytes, start, end);
  // Asterisks inside a JSON number would make the whole text unreadable.
  bytes.fill(isWithinNumber(bytes, first, last) ? ONE : STAR, first, last);
}

/** To whole UTF-8 characters and whole JSON escapes. */
function widen(bytes: Uint8Array, start: number, end: number): readonly [start: number, end: number] {
  let first = start;
  let last = end;
  while (first > 0 && isContinuation(bytes[first])) first--;
  while (isContinuation(bytes[last])) last++;
  first = escapeAround(bytes, first) ?? first;
  for (let at = first; at < last;) {
    at += bytes[at] === BACKSLASH ? escapeLength(bytes, at) : 1;
    if (at > last) last = Math.min(at, bytes.length);
  }
  return [first, last];
}

/** Second or later byte of a UTF-8 character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Start of the JSON escape around this position. */
function escapeAround(bytes: Uint8Array, position: number): number | undefined {
  for (let at = position - 1; at >= Math.max(0, position - MAX_ESCAPE_LENGTH + 1); at--) {
    if (bytes[at] !== BACKSLASH) continue;
    let first = at;
    while (first > 0 && bytes[first - 1] === BACKSLASH) first--;
    const isEscape = (at - first) % 2 === 0;
    return isEscape && at + escapeLength(bytes, at) > position ? at : undefined;
  }
  return undefined;
}

function escapeLength(bytes: Uint8Array, at: number): number {
  return bytes[at + 1] === 0x75 ? MAX_ESCAPE_LENGTH : 2;
}

function isWithinNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(bytes[at])) return false;
  let before = start - 1;
  while (isNumeric(bytes[before])) before--;
  while (isSpace(bytes[before])) before--;
  let after = end;
  while (isNumeric(bytes[after])) after++;
  while (isSpace(bytes[after])) after++;
  return isOneOf(bytes[before], ':,[') && isOneOf(bytes[after], ',]}');
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isNumeric(byte: number | undefined): boolean {
  return isDigit(byte) || isOneOf(byte, '+-.eE');
}

function isSpace(byte: number | undefined): boolean {
  return isOneOf(byte, ' \t\n\r');
}

function isOneOf(byte: number | undefined, characters: string): boolean {
  return byte !== undefined && characters.includes(String.fromCharCode(byte));
}
