/** Reads bytes with the escapes of JSON strings and of URLs undone, remembering where each byte stood. */
import type { Trail } from './gram-table.ts';

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const SIMPLE: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9, '"': 0x22, '\\': 0x5c, '/': 0x2f };

/** Feeds the trail with the stretches around escapes only: where there are none, the plain search has been. */
export function followEscapes(bytes: Uint8Array, reach: number, trail: Trail): void {
  let done = 0;
  for (let escape = nextEscape(bytes, 0); escape < bytes.length; escape = nextEscape(bytes, done)) {
    trail.reset();
    const start = Math.max(done, escape - reach);
    done = followWhileEscaped(bytes, start, escape + reach, reach, trail);
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
  for (let at = from; at < to; ) at = followOne(bytes, at, to, trail);
}

function followOne(bytes: Uint8Array, at: number, limit: number, trail: Trail): number {
  const byte = bytes[at]!;
  if (byte === PERCENT) {
    const value = hexValue(bytes, at + 1, 2, limit);
    if (value !== undefined) {
      trail.push(value, at, at + 3, 'url');
      return at + 3;
    }
  } else if (byte === BACKSLASH) {
    const end = followJsonEscape(bytes, at, limit, trail);
    if (end !== undefined) return end;
  }
  trail.push(byte, at, at + 1, 'none');
  return at + 1;
}

/** JSON inside a JSON string has its backslashes doubled, so any number of them may stand before the letter. */
function followJsonEscape(bytes: Uint8Array, start: number, limit: number, trail: Trail): number | undefined {
  let at = start;
  while (at < limit && bytes[at] === BACKSLASH) at++;
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
  const simple = SIMPLE[letter];
  if (simple === undefined) return undefined;
  trail.push(simple, start, at + 1, 'json');
  return at + 1;
}

function nextEscape(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if (bytes[at] === BACKSLASH || bytes[at] === PERCENT) return at;
  return bytes.length;
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
