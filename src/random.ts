/** Numbers that look random and are the same for the same seed. */

import { createHash } from 'node:crypto';

/** FNV-1a, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return value;
}

/** Items in an order that looks random, and is always the same: nobody steers it but by the names. */
export function inOrderOfHash<Of>(items: readonly Of[], nameOf: (item: Of) => string): readonly Of[] {
  return items
    .map((item) => ({ item, hash: createHash('sha256').update(nameOf(item)).digest('hex') }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ item }) => item);
}

/** Mulberry32: numbers from 0 to 1, reproducible by seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
