/** Caches parsed bodies, since many checks need the same ones. The cache is limited: a parsed body takes many times its size. */
import type { Body } from '../exchange.ts';

/** The limit for each kind of reading. */
const MAX_BYTES = 16 * 1024 * 1024;

const MIN_BYTES_TO_COMPARE = 64 * 1024;

const caches: (() => void)[] = [];

/** Clears all caches, to free memory for other bodies. */
export function clearReadings(): void {
  for (const forget of caches) forget();
}

export class BodyMemo<Reading> {
  readonly #kept = new Map<Body, { readonly reading: Reading; readonly weight: number }>();
  /** Readings that take no memory to speak of, such as that a body is not JSON. They live as long as their bodies. */
  #light = new WeakMap<Body, { readonly reading: Reading }>();
  #weight = 0;

  constructor() {
    caches.push(() => {
      this.#kept.clear();
      this.#light = new WeakMap();
      this.#weight = 0;
    });
  }

  get(body: Body): Reading | undefined {
    return (this.#kept.get(body) ?? this.#light.get(body))?.reading;
  }

  /** The reading of another body with the same bytes and depth, for readings that depend on nothing else. Model lists are long and equal. */
  getEqual(body: Body): Reading | undefined {
    const { bytes, maxDepth } = body;
    if (bytes.length < MIN_BYTES_TO_COMPARE) return undefined;
    for (const [other, { reading }] of this.#kept) {
      const isAlike = other.maxDepth === maxDepth && other.bytes.length === bytes.length;
      if (isAlike && Buffer.compare(other.bytes, bytes) === 0) return reading;
    }
    return undefined;
  }

  /**
   * `weight`: approximate bytes besides those of the body. The newest reading is kept whatever its weight, since it is
   * about to be used again.
   */
  set(body: Body, reading: Reading, weight: number): void {
    this.#drop(body);
    if (weight === 0) {
      this.#light.set(body, { reading });
      return;
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#weight + weight <= MAX_BYTES) break;
      this.#drop(oldest);
    }
    this.#kept.set(body, { reading, weight });
    this.#weight += weight;
  }

  #drop(body: Body): void {
    this.#weight -= this.#kept.get(body)?.weight ?? 0;
    this.#kept.delete(body);
  }
}
