/** Reads a body as server-sent events (WHATWG grammar), with the arrival time of each event. */
import { createParser, type ParseError } from 'eventsource-parser';
import { copyString } from '../../text/quote.ts';
import { BodyMemo } from './body-memo.ts';
import type { Body } from '../exchange.ts';

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

  return {
    events,
    comments,
    retries,
    unknownFields: [...unknownFields],
    ...(unterminated !== undefined && { unterminated }),
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
