/** Reads a body as server-sent events, to the WHATWG grammar, with the arrival time of each event. */
import { createParser, type ParseError } from 'eventsource-parser';
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

const readings = new BodyMemo<StreamReading>();

/** Remembered: asking again for the same body costs nothing. */
export function readEvents(body: Body): StreamReading {
  const known = readings.get(body);
  if (known) return known;
  const reading = replay(body);
  const { events, comments } = reading;
  readings.set(body, reading, body.bytes.length + (events.length + comments.length) * BYTES_OF_AN_EVENT);
  return reading;
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
      unknownFields.add((error.field ?? '').slice(0, LONGEST_FIELD_NAME));
    },
  });
  // The parser takes the three characters "ï»¿" at the start of its first input for a byte order mark.
  parser.feed('');

  const byteOrderMark = startsWithByteOrderMark(body.bytes);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const lineEnds = new LineEnds();
  const lines = new CompleteLines();
  let position = 0;
  body.reads.forEach((one, index) => {
    const start = byteOrderMark ? Math.max(position, 3) : position;
    position += one.bytes;
    at = one.at;
    read = index;
    if (position > start) {
      const text = decoder.decode(body.bytes.subarray(start, position), { stream: true });
      parser.feed(lines.complete(lineEnds.normalise(text)));
    }
  });
  atEnd = true;
  parser.feed(lines.complete(`${lineEnds.normalise(decoder.decode())}\n\n`));

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

/** Hands on whole lines only: the parser would look through the beginning of a long one again with every read. */
class CompleteLines {
  #held: string[] = [];

  complete(text: string): string {
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) {
      if (text !== '') this.#held.push(text);
      return '';
    }
    const whole = [...this.#held, text.slice(0, end)].join('');
    this.#held = end === text.length ? [] : [text.slice(end)];
    return whole;
  }
}

function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
