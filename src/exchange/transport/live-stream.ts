/** Watches an event stream while it arrives, to know when to stop reading: at a limit, after `[DONE]`, or at its first text. */
import { createParser } from 'eventsource-parser';
import { parseJson } from '../../json.ts';
import type { Settings } from '../../settings.ts';
import type { LimitName } from '../exchange.ts';
import { partsOf } from '../reading/choices.ts';

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
