/** Tells the form of a body that was meant to be an event stream: by its content, never by its content type. */
import { parseJson } from '../../json.ts';
import type { Body } from '../exchange.ts';
import type { StreamReading } from './event-stream.ts';
import { beginningOf, beginsLikeJson, isDeeperThan, readJson } from './json-text.ts';
import { fieldName } from './odd-lines.ts';

/** `nothing`: no bytes, or only what the grammar skips. The last three are bodies without events. */
export const BODY_FORMS = ['events', 'nothing', 'json', 'json-lines', 'text'] as const;
export type BodyForm = (typeof BODY_FORMS)[number];

const LF = 0x0a;
const CR = 0x0d;

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** A line of the event-stream grammar behind a byte order mark. */
const MARKED_STREAM_LINE = /^\uFEFF(?:data|event|id|retry|)(?::|$)/;

export function formOf(body: Body, stream: StreamReading): BodyForm {
  if (stream.events.length > 0 || stream.unterminated !== undefined) return 'events';
  const whole = readJson(body).kind;
  if (whole === 'json' || whole === 'too-deep' || whole === 'too-many') return 'json';
  let hasStreamLines = true;
  let hasJsonLines = true;
  for (const line of linesIn(body.bytes)) {
    if (isBlank(line)) continue;
    hasStreamLines &&= isStreamLine(line);
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
  if (isBlackAscii(line[0]) || DECODER.decode(beginning).trim() !== '') return false;
  return beginning.length === line.length || DECODER.decode(line).trim() === '';
}

/** The usual first byte of a line, which needs no decoding. */
function isBlackAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x80;
}

function isStreamLine(line: Uint8Array): boolean {
  return fieldName(line) !== undefined || MARKED_STREAM_LINE.test(DECODER.decode(beginningOf(line)));
}

function isJsonLine(line: Uint8Array, maxDepth: number): boolean {
  if (!beginsLikeJson(line)) return false;
  const text = DECODER.decode(line);
  return !isDeeperThan(text, maxDepth) && parseJson(text) !== undefined;
}
