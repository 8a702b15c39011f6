/** Keeps what was read from bodies, since many checks ask for the same; only so much, since built, they take up many times their size. */
import type { Body } from '../exchange.ts';

/** Of each kind of reading. */
const MOST_BYTES = 16 * 1024 * 1024;

const LEAST_TO_COMPARE = 64 * 1024;

const memories: (() => void)[] = [];

/** Has something forgotten together with everything else that was read from bodies. */
export function onForgetting(forget: () => void): void {
  memories.push(forget);
}

/**
 * For whoever has read what it wanted and goes on to other bodies, which need the memory.
 */
export function forgetReadings(): void {
  for (const forget of memories) forget();
}

export class BodyMemo<Reading> {
  readonly #kept = new Map<Body, { readonly reading: Reading; readonly weight: number }>();
  #weight = 0;

  constructor() {
    onForgetting(() => {
      this.#kept.clear();
      this.#weight = 0;
    });
  }

  get(body: Body): Reading | undefined {
    return this.#kept.get(body)?.reading;
  }

  /** The reading of another body of the same bytes and depth; for readings that depend on nothing else. Lists are long, and alike. */
  getEqual(body: Body): Reading | undefined {
    const { bytes, maxDepth } = body;
    if (bytes.length < LEAST_TO_COMPARE) return undefined;
    for (const [other, { reading }] of this.#kept) {
      const isAlike = other.maxDepth === maxDepth && other.bytes.length === bytes.length;
      if (isAlike && Buffer.compare(other.bytes, bytes) === 0) return reading;
    }
    return undefined;
  }

  /** `weight`: bytes that the reading takes up, roughly. The newest one stays whatever it weighs: it is about to be asked for again. */
  set(body: Body, reading: Reading, weight: number): void {
    this.#drop(body);
    for (const oldest of this.#kept.keys()) {
      if (this.#weight + weight <= MOST_BYTES) break;
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
