/** Gathers the decoded bytes of one body and remembers when they came, within a limit. */
import type { NetworkRead } from './exchange.ts';

const FIRST_SIZE = 4096;

/** A target that sends single bytes could otherwise make the record of arrivals many times larger than the body. */
const MOST_READS = 50_000;

export class Collector {
  #bytes = new Uint8Array(0);
  #length = 0;
  readonly #reads: { at: number; bytes: number }[] = [];

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array, at: number): void {
    if (chunk.length === 0) return;
    this.#grow(this.#length + chunk.length);
    this.#bytes.set(chunk, this.#length);
    this.#length += chunk.length;
    const last = this.#reads.at(-1);
    if (last && (last.at === at || this.#reads.length >= MOST_READS)) last.bytes += chunk.length;
    else this.#reads.push({ at, bytes: chunk.length });
  }

  finish(): { readonly bytes: Uint8Array; readonly reads: readonly NetworkRead[] } {
    return { bytes: this.#bytes.slice(0, this.#length), reads: this.#reads };
  }

  #grow(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(FIRST_SIZE, needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
