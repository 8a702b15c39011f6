/** Keeps what the target sends, within limits: the headers and the bytes of an answer, and when they came. */
import type { NetworkRead, Header } from '../exchange.ts';

/** A little is always left, so that the answers of a target that once sent too much can still be judged. */
const LEAST = 16 * 1024;

/** What a run may still keep of all that it receives. Answers that come at the same time share it. */
export class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** For an answer that has taken so much already. */
  leftFor(taken: number): number {
    return Math.max(0, LEAST - taken, this.#left);
  }

  take(bytes: number): void {
    this.#left = Math.max(0, this.#left - bytes);
  }
}

/** Bytes are copied into segments: what the network hands over may be a small part of a large buffer. */
const SEGMENT = 64 * 1024;

/** A target that sends single bytes could otherwise make the record of arrivals many times larger than the body. */
const MOST_READS = 50_000;
const LEAST_READS = 500;
/** What one read takes in the record. */
const BYTES_OF_A_READ = 64;

/** Gathers the decoded bytes of one body and remembers when they came. */
export class Collector {
  readonly #segments: Uint8Array[] = [];
  /** Free bytes at the end of the last segment. */
  #free = 0;
  #length = 0;
  readonly #reads: { at: number; bytes: number }[] = [];
  readonly #mostReads: number;

  /** `room` for bytes and for what is recorded of their arrival. */
  constructor(room: number) {
    this.#mostReads = Math.min(MOST_READS, Math.max(LEAST_READS, Math.floor(room / BYTES_OF_A_READ)));
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes that all of it takes up in memory, roughly. */
  get weight(): number {
    return this.#length + this.#reads.length * BYTES_OF_A_READ;
  }

  append(chunk: Uint8Array, at: number): void {
    if (chunk.length === 0) return;
    for (let done = 0; done < chunk.length;) {
      if (this.#free === 0) this.#grow();
      const part = chunk.subarray(done, done + this.#free);
      this.#segments.at(-1)?.set(part, SEGMENT - this.#free);
      this.#free -= part.length;
      done += part.length;
    }
    this.#length += chunk.length;
    const last = this.#reads.at(-1);
    if (last && (last.at === at || this.#reads.length >= this.#mostReads)) last.bytes += chunk.length;
    else this.#reads.push({ at, bytes: chunk.length });
  }

  /** To be called once. */
  finish(): { readonly bytes: Uint8Array; readonly reads: readonly NetworkRead[] } {
    const bytes = new Uint8Array(this.#length);
    for (let at = 0; this.#segments.length > 0; at += SEGMENT) {
      bytes.set(this.#segments.shift()!.subarray(0, this.#length - at), at);
    }
    return { bytes, reads: this.#reads };
  }

  #grow(): void {
    this.#segments.push(new Uint8Array(SEGMENT));
    this.#free = SEGMENT;
  }
}

/** Of one answer. A thousand short headers take up far more than their bytes. */
const MOST_HEADERS = 500;

export function headerPairs(raw: readonly Buffer[]): Header[] {
  const pairs: Header[] = [];
  for (let at = 0; at + 1 < raw.length && pairs.length < MOST_HEADERS; at += 2) {
    pairs.push([raw[at]!.toString('latin1'), raw[at + 1]!.toString('latin1')]);
  }
  const left = (raw.length >> 1) - pairs.length;
  return left === 0 ? pairs : [...pairs, ['…', `${left} more headers`]];
}
