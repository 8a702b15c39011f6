/** Reads a body as server-sent events (WHATWG grammar), with the arrival time of each event, and tells how it ended. */
import { isUtf8 } from 'node:buffer';
import { type ParseError, createParser } from 'eventsource-parser';
import { parseJson } from '../../json.ts';
import { type Quote, copyString, quoteBytes } from '../../text/quote.ts';
import type { Answer, Body, StreamEnd } from '../exchange.ts';
import { BodyMemo } from './body-memo.ts';
import { endsChoice, partsOf, sortChoices } from './choices.ts';
import { beginningOf, beginsLikeJson, isDeeperThan, readJson } from './json-text.ts';

export interface ServerEvent {
  /** Milliseconds from the request to the read that completed the event. */
  readonly at: number;
  /** Index of that read. */
  readonly read: number;
  /** Absent for an unnamed event. */
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

export interface StreamReading {
  readonly events: readonly ServerEvent[];
  readonly comments: readonly { readonly at: number; readonly text: string }[];
  readonly retries: readonly number[];
  /** Field names that are not in the grammar, in order of appearance. */
  readonly unknownFields: readonly string[];
  /** Data of a last event without its blank line. Not an event, but it may be `[DONE]`. */
  readonly unterminated?: string;
  /** The names of events that carry the reply; undefined for no name. */
  readonly names: ReadonlySet<string | undefined>;
  /** The first event with `[DONE]`, of those that may carry the reply. */
  readonly marker?: ServerEvent;
  readonly byteOrderMark: boolean;
}

/** A body that is not an event stream consists of unknown fields: the start of a few is enough. */
const MAX_UNKNOWN_FIELDS = 50;
const MAX_FIELD_NAME_LENGTH = 80;

/** Memory of an event besides its text. */
const BYTES_OF_AN_EVENT = 200;

/** Bytes of a last line without its end: enough to know the field, and `[DONE]`. The line itself may have megabytes. */
const MAX_OPEN_LINE = 64 * 1024;

const LF = 0x0a;
const CR = 0x0d;

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

const readings = new BodyMemo<StreamReading>();

/** Cached per body. */
export function readEvents(body: Body): StreamReading {
  const known = readings.get(body);
  if (known) return known;
  const reading = replay(body);
  readings.set(body, reading, weightOf(reading));
  return reading;
}

function weightOf({ events, comments, unterminated }: StreamReading): number {
  const open = unterminated === undefined ? [] : [unterminated];
  const texts = [...events.map(({ data }) => data), ...comments.map(({ text }) => text), ...open];
  return texts.reduce((sum, text) => sum + text.length + BYTES_OF_AN_EVENT, 0);
}

function replay(body: Body): StreamReading {
  const events: ServerEvent[] = [];
  const comments: { at: number; text: string }[] = [];
  const retries: number[] = [];
  const unknownFields = new Set<string>();
  let unterminated: string | undefined;
  let at = 0;
  let read = 0;
  let atEnd = false;

  const parser = createParser({
    // The body is already limited.
    maxBufferSize: body.bytes.length + 2,
    onEvent: ({ event, data, id }) => {
      if (!atEnd)
        events.push({ at, read, data, ...(event !== undefined && { event }), ...(id !== undefined && { id }) });
      else if (event === undefined) unterminated = data;
    },
    onComment: (text) => {
      if (!atEnd) comments.push({ at, text });
    },
    onRetry: (milliseconds) => {
      if (!atEnd) retries.push(milliseconds);
    },
    onError: (error: ParseError) => {
      if (atEnd || error.type !== 'unknown-field' || unknownFields.size >= MAX_UNKNOWN_FIELDS) return;
      const { field = '' } = error;
      unknownFields.add(copyString(field.slice(0, MAX_FIELD_NAME_LENGTH), field));
    },
  });
  // The parser takes the three characters "ï»¿" at the start of its first input for a byte order mark.
  parser.feed('');

  const byteOrderMark = startsWithByteOrderMark(body.bytes);
  const lineEnds = new LineEnds();
  const feed = (from: number, to: number, more = '') =>
    parser.feed(`${lineEnds.normalise(DECODER.decode(body.bytes.subarray(from, to)))}${more}`);
  let fed = byteOrderMark ? 3 : 0;
  let position = 0;
  body.reads.forEach((networkRead, index) => {
    const start = Math.max(fed, position);
    position += networkRead.bytes;
    at = networkRead.at;
    read = index;
    // Whole lines only, since the parser scans an incomplete line again with every read.
    const end = endOfLines(body.bytes, start, position);
    if (end === undefined) return;
    feed(fed, end);
    fed = end;
  });
  atEnd = true;
  feed(fed, Math.min(position, fed + MAX_OPEN_LINE), '\n\n');

  const names = findReplyNames(events);
  const marker = events.find(({ event, data }) => names.has(event) && isDone(data));
  return {
    events,
    comments,
    retries,
    unknownFields: [...unknownFields],
    ...(unterminated !== undefined && { unterminated }),
    names,
    ...(marker && { marker }),
    byteOrderMark,
  };
}

/**
 * Turns CR and CR LF into LF. The parser holds back a CR at the end of its input, since LF may follow: it would miss the
 * last event of a stream with lone CRs, and take quadratic time for it.
 */
class LineEnds {
  #afterReturn = false;

  normalise(text: string): string {
    if (text === '') return text;
    const rest = this.#afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replaceAll(/\r\n?/g, '\n') : rest;
  }
}

/** The position after the last line end in a range. No multi-byte UTF-8 character contains such a byte. */
function endOfLines(bytes: Uint8Array, from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at--) if (bytes[at] === LF || bytes[at] === CR) return at + 1;
  return undefined;
}

export function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

// Lines that the grammar allows but stock clients do not expect: a CR as line end, blocks without data, and data right
// after a byte order mark. A block is what stands between two blank lines.

export interface OddLine {
  /** Number of events before it. */
  readonly events: number;
  readonly line: Quote;
}

interface BlockWithoutData extends OddLine {
  /** The first field of the block; `unknown` if the grammar does not have it. */
  readonly field: BlockField | 'unknown';
}

const BLOCK_FIELDS = ['event', 'id', 'retry'] as const;
type BlockField = (typeof BLOCK_FIELDS)[number];

/** The most lines of each kind that are kept. A stream may have a million of them. */
const MAX_ODD_LINES = 100;
/** Memory of all odd lines of a body, at most. */
const WEIGHT = 6 * MAX_ODD_LINES * 300;

const oddLines = new BodyMemo<OddLineReader>();

export function readOddLines(body: Body): Omit<OddLineReader, 'read'> {
  const known = oddLines.get(body);
  if (known) return known;
  const reader = new OddLineReader(body.bytes);
  readLines(body, reader);
  oddLines.set(body, reader, WEIGHT);
  return reader;
}

/** Reads do not matter here, so a CR LF that the network split is whole. A last line without its end is left out. */
function readLines({ bytes, end }: Body, reader: OddLineReader): void {
  let start = startsWithByteOrderMark(bytes) ? 3 : 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== LF && byte !== CR) continue;
    const isPair = byte === CR && bytes[at + 1] === LF;
    // LF may have been about to follow the last byte, unless the body is complete.
    const isUnclear = at + 1 === bytes.length && end.kind !== 'complete';
    reader.read({ start, end: at }, byte === CR && !isPair && !isUnclear);
    if (isPair) at++;
    start = at + 1;
  }
}

/** A line is where its bytes are, without its end: hardly any is odd, so hardly any has to be cut out. */
interface Line {
  readonly start: number;
  readonly end: number;
}

class OddLineReader {
  /** Lines that end with CR alone. */
  readonly loneReturns: OddLine[] = [];
  /** Blocks of fields without data. */
  readonly withoutData: BlockWithoutData[] = [];
  /** Blocks of comments only, somewhere after an id field. */
  readonly commentsAfterId: OddLine[] = [];
  /** A byte order mark comes right before a data field, which is then part of the first event. */
  hasMarkedData = false;
  /** Data fields behind a byte order mark that is not at the start of the stream. */
  readonly marked: OddLine[] = [];
  /** Lines that are meant as data, under a name that no client knows: `Data:`, ` data:`, `data=`. */
  readonly misspelt: OddLine[] = [];
  /** Lines other than data that are not UTF-8. */
  readonly undecodable: OddLine[] = [];
  readonly #bytes: Uint8Array;
  #isMarked: boolean;
  #events = 0;
  #hasId = false;
  #hasData = false;
  #comment: Line | undefined;
  #field: { readonly field: BlockWithoutData['field']; readonly line: Line } | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#isMarked = startsWithByteOrderMark(bytes);
  }

  /** `isLone`: it ends with CR alone. */
  read(line: Line, isLone: boolean): void {
    const name = fieldName(this.#bytes, line.start, line.end);
    this.hasMarkedData ||= this.#isMarked && name === 'data';
    this.#isMarked = false;
    if (isLone) this.#keep(this.loneReturns, line);
    if (line.start === line.end) return this.#endBlock();
    if (name === 'data') {
      this.#hasData = true;
      return;
    }
    if (!isUtf8(this.#bytes.subarray(line.start, line.end))) this.#keep(this.undecodable, line);
    if (name === undefined) this.#readUnknown(line);
    else if (name === '') this.#comment ??= line;
    else if (isBlockField(name)) this.#field ??= { field: name, line };
    if (name === 'id') this.#hasId = true;
  }

  /** Data under a wrong name is odd by itself, so that its block is not odd as well. */
  #readUnknown(line: Line): void {
    const { start, end } = line;
    const beginning = DECODER.decode(this.#bytes.subarray(start, Math.min(end, start + MAX_BEGINNING)));
    if (MARKED_DATA.test(beginning)) this.#keep(this.marked, line);
    else if (MISSPELT_DATA.test(beginning)) this.#keep(this.misspelt, line);
    else this.#field ??= { field: 'unknown', line };
  }

  #endBlock(): void {
    if (this.#hasData) this.#events++;
    else if (this.#field) this.#keep(this.withoutData, this.#field.line, { field: this.#field.field });
    else if (this.#comment && this.#hasId) this.#keep(this.commentsAfterId, this.#comment);
    this.#hasData = false;
    this.#comment = undefined;
    this.#field = undefined;
  }

  #keep<Kept extends OddLine>(list: Kept[], { start, end }: Line, rest?: Omit<Kept, keyof OddLine>): void {
    if (list.length >= MAX_ODD_LINES) return;
    list.push({ events: this.#events, line: quoteBytes(this.#bytes.subarray(start, end)), ...rest } as Kept);
  }
}

/** Bytes: enough for a name. */
const MAX_BEGINNING = 16;
const MARKED_DATA = /^\uFEFF+data(?::|$)/;
const MISSPELT_DATA = /^[ \t]*data[ \t]*[:=]/i;

const COLON = 0x3a;
const FIELDS = ['data', ...BLOCK_FIELDS].map((name) => ({ name, letters: Buffer.from(name) }));

/** Names the field of the line between two positions: empty for a comment, undefined if the grammar does not have it. */
function fieldName(bytes: Uint8Array, start = 0, end = bytes.length): string | undefined {
  if (start === end || bytes[start] === COLON) return '';
  for (const { name, letters } of FIELDS) {
    const after = start + letters.length;
    if (
      (after === end || (after < end && bytes[after] === COLON)) &&
      letters.every((byte, at) => bytes[start + at] === byte)
    )
      return name;
  }
  return undefined;
}

function isBlockField(name: string | undefined): name is BlockField {
  return (BLOCK_FIELDS as readonly (string | undefined)[]).includes(name);
}

// The form of a body that was meant to be an event stream: by its content, never by its content type.

/** `nothing`: no bytes, or only what the grammar skips. The last three are bodies without events. */
export type StreamForm = 'events' | 'nothing' | 'json' | 'json-lines' | 'text';

/** A line of the event-stream grammar behind a byte order mark. */
const MARKED_STREAM_LINE = /^\uFEFF(?:data|event|id|retry|)(?::|$)/;

export function formOf(body: Body, stream: StreamReading): StreamForm {
  if (stream.events.length > 0 || stream.unterminated !== undefined) return 'events';
  const whole = readJson(body).kind;
  if (whole === 'json' || whole === 'too-deep' || whole === 'too-many') return 'json';
  let hasStreamLines = true;
  let hasJsonLines = true;
  for (const line of linesIn(body.bytes)) {
    if (isBlank(line)) continue;
    hasStreamLines &&= fieldName(line) !== undefined || MARKED_STREAM_LINE.test(DECODER.decode(beginningOf(line)));
    hasJsonLines &&= isJsonLine(line, body.maxDepth);
    if (!hasStreamLines && !hasJsonLines) return 'text';
  }
  return hasStreamLines ? 'nothing' : 'json-lines';
}

/** Lines are decoded one by one and only as far as needed: a single one may have megabytes. */
function* linesIn(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== LF && bytes[at] !== CR) continue;
    if (at > start) yield bytes.subarray(start, at);
    start = at + 1;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}

function isBlank(line: Uint8Array): boolean {
  const beginning = beginningOf(line);
  const [first = 0] = line;
  // The usual first byte of a line needs no decoding.
  if ((first > 0x20 && first < 0x80) || DECODER.decode(beginning).trim() !== '') return false;
  return beginning.length === line.length || DECODER.decode(line).trim() === '';
}

function isJsonLine(line: Uint8Array, maxDepth: number): boolean {
  if (!beginsLikeJson(line)) return false;
  const text = DECODER.decode(line);
  return !isDeeperThan(text, maxDepth) && parseJson(text) !== undefined;
}

/** No target takes longer from the last chunk to `[DONE]`. Milliseconds. */
const MAX_PAUSE_BEFORE_DONE = 1_000;

/** An end marker counts anywhere, even without the blank line after it. */
export function streamEnd(answer: Answer): StreamEnd {
  const { body } = answer;
  const reading = readEvents(body);
  if (reading.marker || isDone(reading.unterminated)) return 'done';
  switch (body.end.kind) {
    case 'complete':
      return 'closed';
    case 'cut':
    case 'undecodable':
      return 'cut';
    case 'aborted':
      return 'aborted';
    case 'limit':
      if (body.end.limit === 'idle-timeout') return isEveryChoiceFinished(reading.events) ? 'held-open' : 'stalled';
      return body.end.limit === 'timeout' && wasKeptAlive(answer, reading.events) ? 'held-open' : 'limit';
  }
}

/** A response that is still open this long after `[DONE]` was left open. Milliseconds. */
export const MAX_WAIT_FOR_CLOSE = 1_000;

/** `unknown`: reading ended too early, or the times of a foreign recording do not tell. */
export type Closing = 'closed' | 'open' | 'unknown';

/** Whether the response ended soon after `[DONE]`; undefined without `[DONE]`. */
export function closingOf({ body, endAt }: Answer): Closing | undefined {
  const { marker, unterminated } = readEvents(body);
  const doneAt = marker?.at ?? (isDone(unterminated) ? body.reads.at(-1)?.at : undefined);
  if (doneAt === undefined) return undefined;
  const { kind } = body.end;
  if (kind === 'limit' || kind === 'aborted') return endAt - doneAt >= MAX_WAIT_FOR_CLOSE ? 'open' : 'unknown';
  // A response that was received here ends a little later than its last bytes arrive.
  return endAt > doneAt ? 'closed' : 'unknown';
}

/** `message` is the default name. */
const USUAL_NAMES: StreamReading['names'] = new Set([undefined, 'message']);

/**
 * If no usual event has a choice, events of another name that have one carry the reply: stock clients read them, and the
 * name is a finding of its own.
 */
function findReplyNames(events: readonly ServerEvent[]): StreamReading['names'] {
  if (events.every(({ event }) => USUAL_NAMES.has(event))) return USUAL_NAMES;
  const hasChoice = ({ data, at }: ServerEvent): boolean => partsOf(parseJson(data), 0, at).length > 0;
  if (events.some((event) => USUAL_NAMES.has(event.event) && hasChoice(event))) return USUAL_NAMES;
  const others = events.filter(({ event }) => event !== undefined && event !== 'error');
  return new Set([...USUAL_NAMES, ...others.filter(hasChoice).map(({ event }) => event)]);
}

export function isDone(data: string | undefined): boolean {
  return data?.trim() === '[DONE]';
}

/** Comments reset the idle timeout, so only the timeout of the attempt ends a finished stream that keeps sending them. */
function wasKeptAlive({ endAt }: Answer, events: readonly ServerEvent[]): boolean {
  const last = events.at(-1);
  return last !== undefined && endAt - last.at > MAX_PAUSE_BEFORE_DONE && isEveryChoiceFinished(events);
}

function isEveryChoiceFinished(events: readonly ServerEvent[]): boolean {
  const parts = events.flatMap(({ data, at }, index) => partsOf(parseJson(data), index, at));
  const { choices } = sortChoices(parts);
  return choices.length > 0 && choices.every((choice) => choice.parts.some(endsChoice));
}
