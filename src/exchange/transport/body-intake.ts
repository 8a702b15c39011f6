/** Keeps what is received, within limits on size, lines and memory: headers, the decoded body, and when each part arrived. */
import { createParser } from 'eventsource-parser';
import { parseJson } from '../../json.ts';
import type { Settings } from '../../settings.ts';
import type { Header, LimitName, NetworkRead } from '../exchange.ts';
import { partsOf } from '../reading/choices.ts';
import { countCommas } from '../reading/json-text.ts';

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

  /** Gives the room to grow back: an idle connection may hold on to its last answer for long. */
  finish(): { readonly bytes: Uint8Array; readonly reads: readonly NetworkRead[] } {
    this.#bytes = this.#bytes.slice(0, this.#length);
    return { bytes: this.#bytes, reads: this.#reads };
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

/** Watches an event stream while it arrives, to know when to stop reading: at a limit, after `[DONE]`, or at its first text. */

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');
/** Bytes; enough for `data: [DONE]` with white space around it. */
const LINE_START = 64;

/** Comments, names and ids are fine; a stream of nothing else, or an event of thousands of lines, is not. */
const LINES_PER_EVENT = 4;
const MIN_LINES = 1_000;

/**
 * A rough reading of lines. The exact one is made of the whole body later (`event-stream.ts`); a difference between the
 * two can only end a stream a little sooner or later.
 */
export class LiveStream {
  readonly #limits: Pick<Settings['limits'], 'line' | 'events'>;
  readonly #mostLines: number;
  readonly #start = new Uint8Array(LINE_START);
  #lineLength = 0;
  events = 0;
  /** The lines so far, without empty ones. */
  lines = 0;
  #hasData = false;
  #isNamed = false;
  #afterReturn = false;
  #done = false;

  constructor(limits: Pick<Settings['limits'], 'line' | 'events'>) {
    this.#limits = limits;
    this.#mostLines = Math.max(MIN_LINES, LINES_PER_EVENT * limits.events);
  }

  /** True once `[DONE]` has arrived, even if its line or event is still open. */
  get done(): boolean {
    return this.#done || this.#isDoneLine();
  }

  look(chunk: Uint8Array): LimitName | undefined {
    for (let at = 0; at < chunk.length;) {
      const byte = chunk[at]!;
      if (byte === LF && this.#afterReturn) {
        this.#afterReturn = false;
        at++;
        continue;
      }
      this.#afterReturn = false;
      const end = endOfLine(chunk, at);
      this.#extend(chunk, at, end);
      if (this.#lineLength > this.#limits.line) return 'max-line';
      if (end === chunk.length) return undefined;
      this.#endLine();
      if (this.events > this.#limits.events || this.lines > this.#mostLines) return 'max-events';
      this.#afterReturn = chunk[end] === CR;
      at = end + 1;
    }
    return undefined;
  }

  #extend(chunk: Uint8Array, from: number, to: number): void {
    if (this.#lineLength < LINE_START) {
      this.#start.set(chunk.subarray(from, Math.min(to, from + LINE_START - this.#lineLength)), this.#lineLength);
    }
    this.#lineLength += to - from;
  }

  #endLine(): void {
    if (this.#lineLength === 0) {
      if (this.#hasData) this.events++;
      this.#hasData = false;
      this.#isNamed = false;
      return;
    }
    this.lines++;
    if (this.#isDoneLine()) this.#done = true;
    if (this.#isField(DATA)) this.#hasData = true;
    else if (this.#isField(EVENT)) this.#isNamed = true;
    this.#lineLength = 0;
  }

  #isField(name: Uint8Array): boolean {
    if (this.#lineLength < name.length) return false;
    for (let at = 0; at < name.length; at++) if (this.#start[at] !== name[at]) return false;
    return this.#lineLength === name.length || this.#start[name.length] === COLON;
  }

  #isDoneLine(): boolean {
    if (this.#isNamed || this.#lineLength < 11 || this.#lineLength > LINE_START) return false;
    return /^data:\s*\[DONE\]\s*$/.test(Buffer.from(this.#start.subarray(0, this.#lineLength)).toString('latin1'));
  }
}

function endOfLine(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at++) if (chunk[at] === LF || chunk[at] === CR) return at;
  return chunk.length;
}

/** The first byte after white space or a byte order mark tells JSON and HTML from an event stream. */
export function looksLikeDocument(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  return first === 0x7b || first === 0x5b || first === 0x3c;
}

/** Bytes. Few events come before the first text, and the parser is slow with a long line in small reads. */
const MOST_READ = 64 * 1024;

/** A character that is split between reads is damaged here, but it is text all the same. One decoder serves all streams. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export class FirstText {
  readonly #parser = createParser({
    maxBufferSize: 2 * MOST_READ,
    onEvent: ({ data }) => {
      this.#isFound ||= partsOf(parseJson(data), 0, 0).some(({ text, reasoning }) => text !== '' || reasoning !== '');
    },
  });
  #left = MOST_READ;
  #isFound = false;

  /** True once an event with text or reasoning is complete. */
  look(chunk: Uint8Array): boolean {
    if (this.#isFound) return true;
    const part = chunk.subarray(0, this.#left);
    this.#left -= part.length;
    this.#parser.feed(DECODER.decode(part));
    return this.#isFound;
  }
}
