/** Finds any of many byte sequences in one pass: a rolling hash of eight bytes, a bitmap, and only then the exact look. */
import type { Gram } from './secret-forms.ts';

/** Bytes that the hash covers; no gram is shorter. */
const WINDOW = 8;
const BASE = 0x01000193;
const BASE_TO_WINDOW = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);
/** 2^20 bits: a few thousand grams leave well under one byte in a hundred to look at twice. */
const HASH_SHIFT = 12;

/** Letters of ASCII in either case are the same: names of headers and hosts are written in another one than was sent. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte));

/** What a byte adds to the hash when it leaves the window. */
const LEAVING = Int32Array.from(FOLDED, (byte) => -Math.imul(byte, BASE_TO_WINDOW));

export class GramTable {
  readonly #bitmap = new Uint8Array(1 << (32 - HASH_SHIFT - 3));
  readonly #grams = new Map<number, Gram[]>();
  /** Length of the longest gram. */
  readonly longest: number;

  constructor(grams: readonly Gram[]) {
    const known = new Set<string>();
    let longest = 0;
    for (const gram of grams) {
      // The first role that has a sequence keeps it: near misses of a key share almost all of theirs with it.
      const name = Buffer.from(gram.bytes.map((byte) => FOLDED[byte]!)).toString('latin1');
      if (known.has(name)) continue;
      known.add(name);
      longest = Math.max(longest, gram.bytes.length);
      this.#add(gram);
    }
    this.longest = longest;
  }

  #add(gram: Gram): void {
    let hash = 0;
    for (const byte of gram.bytes.subarray(-WINDOW)) hash = (Math.imul(hash, BASE) + FOLDED[byte]!) | 0;
    const slot = hash >>> HASH_SHIFT;
    this.#bitmap[slot >>> 3]! |= 1 << (slot & 7);
    const others = this.#grams.get(hash);
    if (others) others.push(gram);
    else this.#grams.set(hash, [gram]);
  }

  /** Reports each gram in the bytes, in the order of their ends. */
  scan(bytes: Uint8Array, hit: (gram: Gram, start: number, end: number) => void): void {
    const bitmap = this.#bitmap;
    const { length } = bytes;
    let hash = 0;
    for (let at = 0; at < WINDOW - 1 && at < length; at++) hash = (Math.imul(hash, BASE) + FOLDED[bytes[at]!]!) | 0;
    let leaving = 0;
    for (let at = WINDOW - 1; at < length; at++) {
      hash = (Math.imul(hash, BASE) + FOLDED[bytes[at]!]! + leaving) | 0;
      leaving = LEAVING[bytes[at + 1 - WINDOW]!]!;
      const slot = hash >>> HASH_SHIFT;
      if ((bitmap[slot >>> 3]! & (1 << (slot & 7))) !== 0) this.#compare(bytes, at + 1, hash, hit);
    }
  }

  #compare(bytes: Uint8Array, end: number, hash: number, hit: (gram: Gram, start: number, end: number) => void): void {
    for (const gram of this.#grams.get(hash) ?? []) {
      const start = end - gram.bytes.length;
      if (start >= 0 && isAt(gram.bytes, bytes, start)) hit(gram, start, end);
    }
  }
}

function isAt(gram: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < gram.length; index++)
    if (FOLDED[gram[index]!] !== FOLDED[bytes[start + index]!]) return false;
  return true;
}
