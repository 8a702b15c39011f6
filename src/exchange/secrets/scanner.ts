/** The last look at what a run leaves behind: whether a secret stands in it, in whatever it may be packed. */
import { gunzipSync } from 'node:zlib';
import type { Keys, Settings } from '../../settings.ts';
import type { Gram } from './secret-forms.ts';
import { createSearch } from './secret-search.ts';
import { collectSecrets } from './secrets.ts';

/** What was found. The numbers stand for pieces of secrets and tell nothing about them. */
export interface Found {
  readonly pieces: ReadonlySet<number>;
  /** All of a secret, or nearly so, not just a run of eight characters. */
  readonly whole: boolean;
}

export interface Scanner {
  scan(content: Uint8Array | string): Found;
  /** The text with every secret blanked. */
  clean(text: string): string;
}

/** Packed things within packed things; nobody does more by accident. */
const MOST_LAYERS = 4;
const MOST_UNPACKED = 256 * 1024 * 1024;
/** Shorter runs hold no secret of eight characters, packed or not, that the plain search would not have found. */
const SHORTEST_BASE64 = 24;

export function createScanner(settings: Settings, keys: Keys): Scanner {
  const search = createSearch(collectSecrets(settings, keys).secrets);
  const numbers = new Map<Gram, number>();
  const numberOf = (gram: Gram): number => {
    const number = numbers.get(gram) ?? numbers.size;
    numbers.set(gram, number);
    return number;
  };
  return {
    scan(content) {
      const pieces = new Set<number>();
      let whole = false;
      for (const layer of layersOf(bytesOf(content), MOST_LAYERS)) {
        const marks = search(layer, true);
        for (const gram of marks?.grams ?? []) pieces.add(numberOf(gram));
        whole ||= marks?.seen.some((one) => one.whole) ?? false;
      }
      return { pieces, whole };
    },
    clean(text) {
      const bytes = Buffer.from(text);
      search(bytes, false)?.blank(bytes);
      return bytes.toString();
    },
  };
}

function bytesOf(content: Uint8Array | string): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}

/** The bytes themselves, what is packed in them, and how they read where a format has put escapes between their characters. */
function* layersOf(bytes: Buffer, depth: number): Generator<Buffer> {
  if (isGzip(bytes)) {
    const unpacked = depth > 0 ? gunzip(bytes) : undefined;
    if (unpacked) yield* layersOf(unpacked, depth - 1);
    return;
  }
  yield bytes;
  if (depth === MOST_LAYERS) yield withoutEscapes(bytes);
  if (depth === 0) return;
  for (const run of base64Runs(bytes)) yield* layersOf(run, depth - 1);
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function gunzip(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED });
  } catch {
    return undefined;
  }
}

const IS_BASE64 = new Uint8Array(256);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
  IS_BASE64[letter.charCodeAt(0)] = 1;
}

/** Whatever could be base64, decoded; what stands there several times, once. */
function* base64Runs(bytes: Buffer): Generator<Buffer> {
  const known = new Set<string>();
  for (let start = 0; start + SHORTEST_BASE64 <= bytes.length;) {
    // Backwards from where the shortest one would end: most places are given up after one look.
    let at = start + SHORTEST_BASE64 - 1;
    while (at >= start && IS_BASE64[bytes[at]!] === 1) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + SHORTEST_BASE64;
    while (end < bytes.length && IS_BASE64[bytes[end]!] === 1) end++;
    const run = bytes.toString('latin1', start, end);
    if (!known.has(run)) yield Buffer.from(run, 'base64');
    known.add(run);
    start = end + 1;
  }
}

const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const ESCAPE = /\\([!-/:-@[-`{-~])|&(?:#x([0-9a-f]{1,4})|#([0-9]{1,4})|([a-z]{2,4}));/gi;
const LONGEST_ESCAPE = 8;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Bytes that are a text at a time: a text takes up as much again. */
const SLICE = 1024 * 1024;

/** The references of HTML and XML undone, and the backslashes that Markdown has before punctuation. */
function withoutEscapes(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let start = 0; start < bytes.length;) {
    const end = endOfSlice(bytes, start);
    length += plain.write(bytes.toString('latin1', start, end).replaceAll(ESCAPE, unescaped), length, 'latin1');
    start = end;
  }
  return plain.subarray(0, length);
}

/** Not within an escape. */
function endOfSlice(bytes: Buffer, start: number): number {
  const most = start + SLICE;
  if (most >= bytes.length) return bytes.length;
  for (let at = most - LONGEST_ESCAPE; at < most; at++)
    if (bytes[at] === AMPERSAND || bytes[at] === BACKSLASH) return at;
  return most;
}

/** A character beyond one byte is no part of any key: what comes of it does not matter. */
function unescaped(all: string, sign?: string, hex?: string, decimal?: string, name = ''): string {
  if (sign !== undefined) return sign;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return NAMED[name.toLowerCase()] ?? all;
}
