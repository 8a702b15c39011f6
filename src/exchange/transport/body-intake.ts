/** Keeps what is received, within limits on size, lines and memory: headers, the decoded body, and when each part arrived. */
import type { Settings } from '../../settings.ts';
import type { Header, LimitName, NetworkRead } from '../exchange.ts';
import { countCommas } from '../reading/json-text.ts';
import { FirstText, LiveStream, looksLikeDocument } from './live-stream.ts';

/** Memory per line of a stream, beyond its bytes, once it is parsed into an event, a chunk and choices. */
const BYTES_OF_A_LINE = 512;
/** Memory per value of a JSON text. Fewer bytes, since few parsed texts are in memory at a time. */
const BYTES_OF_A_VALUE = 16;

export class BodyIntake {
  readonly #limits: Settings['limits'];
  readonly #room: ByteAllowance;
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;
  readonly #reads: { at: number; bytes: number }[] = [];
  readonly #mostReads: number;
  readonly #live: LiveStream | undefined;
  readonly #firstText: FirstText | undefined;
  /** JSON or HTML came instead of a stream. */
  #isDocument = false;
  /** Whether an event with text or reasoning has arrived. */
  hasText = false;
  #commas = 0;
  /** Bytes taken from the room. */
  #taken = 0;

  constructor(limits: Settings['limits'], room: ByteAllowance, isStream: boolean) {
    this.#limits = limits;
    this.#room = room;
    this.#mostReads = Math.min(MAX_READS, Math.max(MIN_READS, Math.floor(room.leftFor(0) / BYTES_OF_A_READ)));
    if (!isStream) return;
    this.#live = new LiveStream(limits);
    this.#firstText = new FirstText();
  }

  get maxBytes(): number {
    return this.#isStream ? this.#limits.stream : this.#limits.body;
  }

  get sizeLimit(): LimitName {
    return this.#isStream ? 'max-stream' : 'max-body';
  }

  /** Events of a stream so far. */
  get events(): number {
    return this.#live?.events ?? 0;
  }

  /** Whether `[DONE]` was the last event. */
  get isDone(): boolean {
    return this.#isStream && this.#live?.done === true;
  }

  get #isStream(): boolean {
    return this.#live !== undefined && !this.#isDocument;
  }

  /** Returns the limit that these bytes pass. */
  accept(chunk: Uint8Array, at: number): LimitName | undefined {
    if (this.#live && this.#length === 0 && looksLikeDocument(chunk)) this.#isDocument = true;
    const own = this.maxBytes - this.#length;
    const shared = this.#room.leftFor(this.#taken);
    const part = chunk.subarray(0, Math.min(own, shared));
    this.#append(part, at);
    if (!this.#live) this.#commas += countCommas(part);
    const limit = this.#live?.look(part);
    this.#takeRoom();
    if (part.length < chunk.length) return shared < own ? 'max-total' : this.sizeLimit;
    // max-line applies to event streams only.
    if (limit !== undefined && !(this.#isDocument && limit === 'max-line')) return limit;
    this.hasText = this.#firstText?.look(part) ?? false;
    return undefined;
  }

  get received(): { readonly bytes: Uint8Array; readonly reads: readonly NetworkRead[] } {
    return { bytes: this.#bytes.slice(0, this.#length), reads: this.#reads };
  }

  /** A chunk is copied: it may be a small part of a large buffer of the network. */
  #append(chunk: Uint8Array, at: number): void {
    if (chunk.length === 0) return;
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, Math.min(this.maxBytes, 2 * this.#bytes.length)));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
    const last = this.#reads.at(-1);
    if (last && (last.at === at || this.#reads.length >= this.#mostReads)) last.bytes += chunk.length;
    else this.#reads.push({ at, bytes: chunk.length });
  }

  #takeRoom(): void {
    const values = (this.#live?.lines ?? 0) * BYTES_OF_A_LINE + this.#commas * BYTES_OF_A_VALUE;
    const weight = this.#length + this.#reads.length * BYTES_OF_A_READ + values;
    this.#room.take(weight - this.#taken);
    this.#taken = weight;
  }
}

/** The most headers of an answer that are kept. A thousand short ones need far more memory than their bytes. */
const MAX_HEADERS = 500;

/** Bytes, doubled whenever they are full: most answers are short, and there may be thousands a second. */
const FIRST_SIZE = 2 * 1024;

/** A target that sends single bytes could make the list of reads many times larger than the body. */
const MAX_READS = 50_000;
const MIN_READS = 500;
/** Memory for one entry in the list of reads. */
const BYTES_OF_A_READ = 64;

/** Bytes that stay available to each answer, so that a target that once sent too much can still be judged. */
const MIN_ROOM = 16 * 1024;

/** What a run may still keep of all that it receives. Answers that arrive at the same time share it. */
export class ByteAllowance {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** What is left for an answer that has already taken this many bytes. */
  leftFor(taken: number): number {
    return Math.max(0, MIN_ROOM - taken, this.#left);
  }

  take(bytes: number): void {
    this.#left = Math.max(0, this.#left - bytes);
  }
}

export function headerPairs(raw: readonly Buffer[]): Header[] {
  const pairs: Header[] = [];
  for (let at = 0; at + 1 < raw.length && pairs.length < MAX_HEADERS; at += 2) {
    pairs.push([raw[at]!.toString('latin1'), raw[at + 1]!.toString('latin1')]);
  }
  const left = (raw.length >> 1) - pairs.length;
  return left === 0 ? pairs : [...pairs, ['…', `${left} more headers`]];
}
