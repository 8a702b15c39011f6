/** Takes in the decoded bytes of one body, within limits on size, lines and memory. */
import type { Settings } from '../../settings.ts';
import type { LimitName } from '../exchange.ts';
import { countCommas } from '../reading/json-text.ts';
import { Collector, type ByteAllowance } from './collector.ts';
import { FirstText } from './first-text.ts';
import { LiveStream, looksLikeDocument } from './live-stream.ts';

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
  #hasText = false;
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

  /** Whether an event with text or reasoning has arrived. */
  get hasText(): boolean {
    return this.#hasText;
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
    this.#hasText = this.#firstText?.look(part) ?? false;
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
