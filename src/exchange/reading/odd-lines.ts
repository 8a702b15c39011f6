/**
 * Finds lines that the event-stream grammar allows but stock clients do not expect: a CR as line end, blocks without
 * data, and data right after a byte order mark. A block is what stands between two blank lines.
 */
import { isUtf8 } from 'node:buffer';
import { type Quote, quoteBytes } from '../../text/quote.ts';
import { BodyMemo } from './body-memo.ts';
import type { Body } from '../exchange.ts';
import { startsWithByteOrderMark } from './event-stream.ts';

export interface OddLine {
  /** Number of events before it. */
  readonly events: number;
  readonly line: Quote;
}

export interface BlockWithoutData extends OddLine {
  /** The first field of the block; `unknown` if the grammar does not have it. */
  readonly field: BlockField | 'unknown';
}

export interface OddLines {
  /** Lines that end with CR alone. */
  readonly loneReturns: readonly OddLine[];
  /** Blocks of fields without data. */
  readonly withoutData: readonly BlockWithoutData[];
  /** Blocks of comments only, somewhere after an id field. */
  readonly commentsAfterId: readonly OddLine[];
  /** A byte order mark comes right before a data field, which is then part of the first event. */
  readonly hasMarkedData: boolean;
  /** Data fields behind a byte order mark that is not at the start of the stream. */
  readonly marked: readonly OddLine[];
  /** Lines that are meant as data, under a name that no client knows: `Data:`, ` data:`, `data=`. */
  readonly misspelt: readonly OddLine[];
  /** Lines other than data that are not UTF-8. */
  readonly undecodable: readonly OddLine[];
}

const BLOCK_FIELDS = ['event', 'id', 'retry'] as const;
type BlockField = (typeof BLOCK_FIELDS)[number];

/** Of each kind. A stream may have a million of them. */
const MAX_ODD_LINES = 100;
/** Memory of all odd lines of a body, at most. */
const WEIGHT = 6 * MAX_ODD_LINES * 300;

const LF = 0x0a;
const CR = 0x0d;

const readings = new BodyMemo<OddLines>();

export function readOddLines(body: Body): OddLines {
  const known = readings.get(body);
  if (known) return known;
  const reader = new OddLineReader(body.bytes);
  readLines(body, reader);
  readings.set(body, reader, WEIGHT);
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

class OddLineReader implements OddLines {
  readonly loneReturns: OddLine[] = [];
  readonly withoutData: BlockWithoutData[] = [];
  readonly commentsAfterId: OddLine[] = [];
  hasMarkedData = false;
  readonly marked: OddLine[] = [];
  readonly misspelt: OddLine[] = [];
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
    const beginning = BEGINNING.decode(this.#bytes.subarray(start, Math.min(end, start + MAX_BEGINNING)));
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
const BEGINNING = new TextDecoder('utf-8', { ignoreBOM: true });
const MARKED_DATA = /^\uFEFF+data(?::|$)/;
const MISSPELT_DATA = /^[ \t]*data[ \t]*[:=]/i;

const COLON = 0x3a;
const FIELDS = ['data', ...BLOCK_FIELDS].map((name) => ({ name, letters: Buffer.from(name) }));

/** Of the line between two positions. Empty for a comment, undefined for a field that is not in the grammar. */
export function fieldName(bytes: Uint8Array, start = 0, end = bytes.length): string | undefined {
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
