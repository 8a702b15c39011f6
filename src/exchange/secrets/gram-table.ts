/** Finds any of many byte sequences in one pass: a rolling hash of eight bytes, a bitmap, and only then the exact look. */
import type { Gram } from './secret-forms.ts';

/** Bytes that the hash covers; no gram is shorter. */
const WINDOW = 8;
const BASE = 0x01000193;
const BASE_TO_WINDOW = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);
/** 2^20 bits: a few thousand grams leave well under one byte in a hundred to look at twice. */
const HASH_SHIFT = 12;

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
      const name = Buffer.from(gram.bytes).toString('latin1');
      if (known.has(name)) continue;
      known.add(name);
      longest = Math.max(longest, gram.bytes.length);
      this.#add(gram);
    }
    this.longest = longest;
  }

  #add(gram: Gram): void {
    let hash = 0;
    for (const byte of gram.bytes.subarray(-WINDOW)) hash = (Math.imul(hash, BASE) + byte) | 0;
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
    for (let at = 0; at < WINDOW - 1 && at < length; at++) hash = (Math.imul(hash, BASE) + bytes[at]!) | 0;
    let gone = 0;
    for (let at = WINDOW - 1; at < length; at++) {
      hash = (Math.imul(hash, BASE) + bytes[at]! - Math.imul(gone, BASE_TO_WINDOW)) | 0;
      gone = bytes[at + 1 - WINDOW]!;
      const slot = hash >>> HASH_SHIFT;
      if ((bitmap[slot >>> 3]! & (1 << (slot & 7))) !== 0) this.#compare(bytes, at + 1, hash, hit);
    }
  }

  #compare(bytes: Uint8Array, end: number, hash: number, hit: (gram: Gram, start: number, end: number) => void): void {
    for (const gram of this.#grams.get(hash) ?? []) {
      const start = end - gram.bytes.length;
      if (start >= 0 && equals(gram.bytes, (index) => bytes[start + index])) hit(gram, start, end);
    }
  }

  /** The same search over bytes that come one by one from places that need not be neighbours. */
  follow(finder: Finder): Trail {
    const find = (hash: number) => {
      const slot = hash >>> HASH_SHIFT;
      return (this.#bitmap[slot >>> 3]! & (1 << (slot & 7))) === 0 ? undefined : this.#grams.get(hash);
    };
    return new Trail(this.longest, find, finder);
  }
}

const ESCAPES = ['none', 'json', 'url', 'html'] as const;
export type Escape = (typeof ESCAPES)[number];

export interface Finder {
  /** A gram was found; `escape` says how any of its bytes was written. */
  found(gram: Gram, escape: Escape): void;
  /** Called for the place of each of its bytes, in order, unless an earlier gram reported it. */
  at(start: number, end: number): void;
}

export class Trail {
  readonly #find: (hash: number) => readonly Gram[] | undefined;
  readonly #finder: Finder;
  readonly #size: number;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #escapes: Uint8Array;
  #count = 0;
  #hash = 0;
  #reportedFrom = 0;
  #reportedTo = 0;

  constructor(longest: number, find: (hash: number) => readonly Gram[] | undefined, finder: Finder) {
    this.#find = find;
    this.#finder = finder;
    this.#size = Math.max(longest, WINDOW) + 1;
    this.#bytes = new Uint8Array(this.#size);
    this.#starts = new Uint32Array(this.#size);
    this.#ends = new Uint32Array(this.#size);
    this.#escapes = new Uint8Array(this.#size);
  }

  reset(): void {
    this.#count = 0;
    this.#hash = 0;
    this.#reportedFrom = 0;
    this.#reportedTo = 0;
  }

  push(byte: number, start: number, end: number, escape: Escape): void {
    const at = this.#count % this.#size;
    this.#bytes[at] = byte;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#escapes[at] = ESCAPES.indexOf(escape);
    this.#hash = (Math.imul(this.#hash, BASE) + byte) | 0;
    if (this.#count >= WINDOW) {
      const gone = this.#bytes[(this.#count - WINDOW) % this.#size]!;
      this.#hash = (this.#hash - Math.imul(gone, BASE_TO_WINDOW)) | 0;
    }
    this.#count++;
    const grams = this.#find(this.#hash);
    if (grams !== undefined) for (const gram of grams) this.#compare(gram);
  }

  #compare(gram: Gram): void {
    const first = this.#count - gram.bytes.length;
    if (first < 0 || !equals(gram.bytes, (index) => this.#bytes[(first + index) % this.#size])) return;
    let escape = 0;
    for (let index = first; index < this.#count; index++) escape ||= this.#escapes[index % this.#size]!;
    this.#finder.found(gram, ESCAPES[escape] ?? 'none');
    // Grams of one secret overlap; each place is reported once.
    const overlaps = first <= this.#reportedTo;
    for (let index = first; index < this.#count; index++) {
      if (overlaps && index >= this.#reportedFrom && index < this.#reportedTo) continue;
      this.#finder.at(this.#starts[index % this.#size]!, this.#ends[index % this.#size]!);
    }
    this.#reportedFrom = overlaps ? Math.min(this.#reportedFrom, first) : first;
    this.#reportedTo = this.#count;
  }
}

function equals(bytes: Uint8Array, other: (index: number) => number | undefined): boolean {
  for (let index = 0; index < bytes.length; index++) if (bytes[index] !== other(index)) return false;
  return true;
}
