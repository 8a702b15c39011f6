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
  readonly #collector: Collector;
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
    this.#collector = new Collector(room.leftFor(0));
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
    if (this.#live && this.#collector.length === 0 && looksLikeDocument(chunk)) this.#isDocument = true;
    const own = this.maxBytes - this.#collector.length;
    const shared = this.#room.leftFor(this.#taken);
    const part = chunk.subarray(0, Math.min(own, shared));
    this.#collector.append(part, at);
    if (!this.#live) this.#commas += countCommas(part);
    const limit = this.#live?.look(part);
    this.#takeRoom();
    if (part.length < chunk.length) return shared < own ? 'max-total' : this.sizeLimit;
    // max-line applies to event streams only.
    if (limit !== undefined && !(this.#isDocument && limit === 'max-line')) return limit;
    this.hasText = this.#firstText?.look(part) ?? false;
    return undefined;
  }

  /** Call once. */
  finish(): ReturnType<Collector['finish']> {
    return this.#collector.finish();
  }

  #takeRoom(): void {
    const weight =
      this.#collector.weight + (this.#live?.lines ?? 0) * BYTES_OF_A_LINE + this.#commas * BYTES_OF_A_VALUE;
    this.#room.take(weight - this.#taken);
    this.#taken = weight;
  }
}

/** The most headers of an answer that are kept. A thousand short ones need far more memory than their bytes. */
const MAX_HEADERS = 500;

/** Bytes are copied into segments: a chunk from the network may be a small part of a large buffer. */
const MAX_SEGMENT = 64 * 1024;
/** Each segment is twice as large as the one before: most answers are short, and there may be thousands a second. */
const FIRST_SEGMENT = 2 * 1024;

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

class Collector {
  readonly #segments: Uint8Array[] = [];
  /** Free bytes at the end of the last segment. */
  #free = 0;
  #length = 0;
  readonly #reads: { at: number; bytes: number }[] = [];
  readonly #mostReads: number;

  /** `room`: bytes for the body and its list of reads. */
  constructor(room: number) {
    this.#mostReads = Math.min(MAX_READS, Math.max(MIN_READS, Math.floor(room / BYTES_OF_A_READ)));
  }

  get length(): number {
    return this.#length;
  }

  /** Approximate memory in bytes. */
  get weight(): number {
    return this.#length + this.#reads.length * BYTES_OF_A_READ;
  }

  append(chunk: Uint8Array, at: number): void {
    if (chunk.length === 0) return;
    for (let done = 0; done < chunk.length;) {
      if (this.#free === 0) this.#grow();
      const part = chunk.subarray(done, done + this.#free);
      const segment = this.#segments.at(-1)!;
      segment.set(part, segment.length - this.#free);
      this.#free -= part.length;
      done += part.length;
    }
    this.#length += chunk.length;
    const last = this.#reads.at(-1);
    if (last && (last.at === at || this.#reads.length >= this.#mostReads)) last.bytes += chunk.length;
    else this.#reads.push({ at, bytes: chunk.length });
  }

  /** Call once. */
  finish(): { readonly bytes: Uint8Array; readonly reads: readonly NetworkRead[] } {
    const bytes = new Uint8Array(this.#length);
    for (let at = 0; this.#segments.length > 0;) {
      const segment = this.#segments.shift()!;
      bytes.set(segment.subarray(0, this.#length - at), at);
      at += segment.length;
    }
    return { bytes, reads: this.#reads };
  }

  #grow(): void {
    const last = this.#segments.at(-1)?.length ?? FIRST_SEGMENT / 2;
    this.#free = Math.min(MAX_SEGMENT, 2 * last);
    this.#segments.push(new Uint8Array(this.#free));
  }
}
