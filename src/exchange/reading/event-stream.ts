/** Reads a body as server-sent events, to the WHATWG grammar, with the arrival time of each event. */
import { createParser, type ParseError } from 'eventsource-parser';
import { copyString } from '../../text/copy-string.ts';
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
  /** Names of fields that the grammar does not have, in order of first sight. */
  readonly unknownFields: readonly string[];
  /** Data of a last event that its blank line never completed. Not an event; kept to recognise `[DONE]`. */
  readonly unterminated?: string;
  readonly byteOrderMark: boolean;
}

/** A body that is no event stream is all unknown fields: a few, and the beginning of each, tell enough. */
const MOST_UNKNOWN_FIELDS = 50;
const LONGEST_FIELD_NAME = 80;

/** What an event takes up besides its text. */
const BYTES_OF_AN_EVENT = 200;

const LF = 0x0a;
const CR = 0x0d;

const readings = new BodyMemo<StreamReading>();

/** Remembered: asking again for the same body costs nothing. */
export function readEvents(body: Body): StreamReading {
  const known = readings.get(body);
  if (known) return known;
  const reading = replay(body);
  readings.set(body, reading, weightOf(reading));
  return reading;
}

/** What is no event is not kept, however long it was. */
function weightOf({ events, comments, unterminated = '' }: StreamReading): number {
  const texts = [...events.map(({ data }) => data), ...comments.map(({ text }) => text), unterminated];
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
    // The body is bounded already; no text can be longer than its bytes.
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
      if (atEnd || error.type !== 'unknown-field' || unknownFields.size >= MOST_UNKNOWN_FIELDS) return;
      const { field = '' } = error;
      unknownFields.add(copyString(field.slice(0, LONGEST_FIELD_NAME), field));
    },
  });
  // The parser takes the three characters "ï»¿" at the start of its first input for a byte order mark.
  parser.feed('');

  const byteOrderMark = startsWithByteOrderMark(body.bytes);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const lineEnds = new LineEnds();
  const feed = (from: number, to: number, more = '') =>
    parser.feed(`${lineEnds.normalise(decoder.decode(body.bytes.subarray(from, to)))}${more}`);
  let fed = byteOrderMark ? 3 : 0;
  let position = 0;
  body.reads.forEach((one, index) => {
    const start = Math.max(fed, position);
    position += one.bytes;
    at = one.at;
    read = index;
    // Whole lines only: the parser would look through the beginning of a long one again with every read.
    const end = endOfLines(body.bytes, start, position);
    if (end === undefined) return;
    feed(fed, end);
    fed = end;
  });
  atEnd = true;
  feed(fed, position, '\n\n');

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
 * Turns CR and CR LF into LF. The parser holds a CR back at the end of its input, since LF may follow; then the last event
 * of a stream of lone CRs is never seen, and in such a stream it takes time that grows with the square of the input.
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

/** Behind the last line end between two places. No character of UTF-8 has such a byte in it. */
function endOfLines(bytes: Uint8Array, from: number, to: number): number | undefined {
  for (let at = to - 1; at >= from; at--) if (bytes[at] === LF || bytes[at] === CR) return at + 1;
  return undefined;
}

function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
