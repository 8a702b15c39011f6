/** Reads bytes with the escapes of JSON, Markdown, HTML and URLs undone, remembering where each byte stood. */
import type { Trail } from './gram-table.ts';
import { referenceAt } from './references.ts';

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
/** JSON within JSON within JSON. */
const MOST_BACKSLASHES = 7;
const SIMPLE: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9, '"': 0x22, '\\': 0x5c, '/': 0x2f };

/** Feeds a trail with the stretches around escapes only: where there are none, as in nearly every header, the plain search has been. */
export function followEscapes(bytes: Uint8Array, reach: number, makeTrail: () => Trail): void {
  const escapes = new EscapeFinder(bytes);
  if (escapes.next(0) >= bytes.length) return;
  const trail = makeTrail();
  let done = 0;
  for (let escape = escapes.next(0); escape < bytes.length; escape = escapes.next(done)) {
    trail.reset();
    done = followWhileEscaped(bytes, Math.max(done, escape - reach), escape + reach, reach, trail);
  }
}

/** Remembers the next of each kind, so that a text full of one is not searched for the other again and again. */
class EscapeFinder {
  readonly #bytes: Buffer;
  readonly #next = new Map([BACKSLASH, PERCENT, AMPERSAND].map((byte) => [byte, -1]));

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  next(from: number): number {
    for (const [byte, at] of this.#next) if (at < from) this.#next.set(byte, this.#find(byte, from));
    return Math.min(...this.#next.values());
  }

  #find(byte: number, from: number): number {
    const at = this.#bytes.indexOf(byte, from);
    return at === -1 ? this.#bytes.length : at;
  }
}

function followWhileEscaped(bytes: Uint8Array, start: number, until: number, reach: number, trail: Trail): number {
  let at = start;
  while (at < until && at < bytes.length) {
    const next = followOne(bytes, at, bytes.length, trail);
    if (next > at + 1) until = next + reach;
    at = next;
  }
  return at;
}

/** Everything from one position to another, as a single stretch. */
export function followRange(bytes: Uint8Array, from: number, to: number, trail: Trail): void {
  for (let at = from; at < to;) at = followOne(bytes, at, to, trail);
}

function followOne(bytes: Uint8Array, at: number, limit: number, trail: Trail): number {
  const byte = bytes[at]!;
  if (byte === PERCENT) {
    const value = hexValue(bytes, at + 1, 2, limit);
    if (value !== undefined) {
      trail.push(value, at, at + 3, 'url');
      return at + 3;
    }
  } else if (byte === AMPERSAND) {
    const reference = referenceAt(bytes, at, limit);
    if (reference !== undefined) {
      const end = at + reference.length;
      for (const one of Buffer.from(String.fromCharCode(reference.code))) trail.push(one, at, end, 'html');
      return end;
    }
  } else if (byte === BACKSLASH) {
    const end = followJsonEscape(bytes, at, limit, trail);
    if (end !== undefined) return end;
  }
  trail.push(byte, at, at + 1, 'none');
  return at + 1;
}

/** JSON inside a JSON string has its backslashes doubled, so several of them may stand before the letter. */
function followJsonEscape(bytes: Uint8Array, start: number, limit: number, trail: Trail): number | undefined {
  let at = start;
  while (at < limit && at - start < MOST_BACKSLASHES && bytes[at] === BACKSLASH) at++;
  if (at >= limit) return undefined;
  const letter = String.fromCharCode(bytes[at]!);
  const code = letter === 'u' ? hexValue(bytes, at + 1, 4, limit) : undefined;
  if (code !== undefined) {
    const end = at + 5;
    for (const byte of Buffer.from(String.fromCharCode(code))) trail.push(byte, start, end, 'json');
    return end;
  }
  if (at - start > 1) {
    // An escaped backslash of its own.
    trail.push(BACKSLASH, start, start + 2, 'json');
    return start + 2;
  }
  // Markdown has one before punctuation.
  const simple = SIMPLE[letter] ?? (/[!-/:-@[-`{-~]/.test(letter) ? bytes[at] : undefined);
  if (simple === undefined) return undefined;
  trail.push(simple, start, at + 1, 'json');
  return at + 1;
}

function hexValue(bytes: Uint8Array, from: number, length: number, limit: number): number | undefined {
  if (from + length > limit) return undefined;
  let value = 0;
  for (let at = from; at < from + length; at++) {
    const digit = hexDigit(bytes[at]!);
    if (digit === -1) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
