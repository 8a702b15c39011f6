/** Parses a body as JSON, after checking its size and depth. */
import type { Json } from '../../json.ts';
import type { Body, BodyEnd } from '../exchange.ts';
import { BodyMemo } from './body-memo.ts';

export type JsonReading =
  | { readonly kind: 'json'; readonly value: Json; readonly notes: readonly JsonNote[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-json'; readonly detail: string }
  | { readonly kind: 'not-utf8' }
  /** Nested deeper than `max-depth`: not parsed, not judged. */
  | { readonly kind: 'too-deep' }
  /** Too many values: not parsed either. */
  | { readonly kind: 'too-many' };

/** RFC 8259 section 8.1: UTF-8, and a parser may ignore a byte order mark, which is kept here to be reported. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Memory of a parsed value, however short its text. */
const BYTES_OF_A_VALUE = 64;
const MAX_VALUES = 150_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = '\uFEFF';

const readings = new BodyMemo<JsonReading>();

/** Cached per body. */
export function readJson(body: Body): JsonReading {
  const known = readings.get(body) ?? readings.getEqual(body);
  if (known) return known;
  const reading = readJsonBytes(body);
  const weight = reading.kind === 'json' ? body.bytes.length + countCommas(body.bytes) * BYTES_OF_A_VALUE : 0;
  readings.set(body, reading, weight);
  return reading;
}

const COMPLETE: BodyEnd = { kind: 'complete' };

/** A JSON text is whole, even if its compressed data is cut off behind it: so is a stream with its end marker. */
export function endOfJson(body: Body): BodyEnd {
  const { end } = body;
  return end.kind === 'undecodable' && !end.raw && readJson(body).kind === 'json' ? COMPLETE : end;
}

/** Bytes. Enough for what the parser says of a body that does not begin like JSON, such as an event stream. */
const BEGINNING = 256;
/** White space, a byte order mark, and how a JSON text may begin. */
const MAY_BEGIN = new Set([...Buffer.from('\uFEFF \t\r\n{["-0123456789tfn')]);

function readJsonBytes({ bytes, maxDepth }: Body): JsonReading {
  let text: string;
  try {
    text = DECODER.decode(beginsLikeJson(bytes) ? bytes : beginningOf(bytes));
  } catch {
    return { kind: 'not-utf8' };
  }
  const marked = text.startsWith(BYTE_ORDER_MARK);
  if (marked) text = text.slice(1);
  if (/^[ \t\n\r]*$/.test(text)) return { kind: 'empty' };
  if (isDeeperThan(text, maxDepth)) return { kind: 'too-deep' };
  if (hasMoreValuesThan(text, MAX_VALUES)) return { kind: 'too-many' };
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { kind: 'not-json', detail: toOneLine((error as Error).message) };
  }
  return { kind: 'json', value, notes: [...(marked ? ['byte-order-mark' as const] : []), ...findOddities(text)] };
}

export function beginsLikeJson([first]: Uint8Array): boolean {
  return first === undefined || MAY_BEGIN.has(first);
}

/** No more than whole characters. */
export function beginningOf(bytes: Uint8Array): Uint8Array {
  let end = Math.min(bytes.length, BEGINNING);
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

/** Whether it is a later byte of a UTF-8 character. */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Counts commas, including those in strings: an array or object of many values has as many. */
export function hasMoreValuesThan(text: string, most: number): boolean {
  return text.length >= 2 * most && hasMoreThan(',', text, most - 1);
}

function hasMoreThan(character: string, text: string, most: number): boolean {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
    if (++found > most) return true;
  return false;
}

/** The number of values, less one for each array or object. */
export function countCommas(bytes: Uint8Array): number {
  let commas = 0;
  for (let at = bytes.indexOf(COMMA); at !== -1; at = bytes.indexOf(COMMA, at + 1)) commas++;
  return commas;
}

/** Counts brackets outside strings: right for valid JSON, harmless for anything else. */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  // Hardly any text has as many brackets, and the engine finds them faster than we do.
  if (!hasMoreThan('{', text, maxDepth / 2) && !hasMoreThan('[', text, maxDepth / 2)) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** The message of JSON.parse quotes the text, including line ends. */
function toOneLine(message: string): string {
  return message.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Harmless, but worth mentioning. */
type JsonNote =
  | 'byte-order-mark'
  | 'duplicate-member'
  /** Twice in one object with different values: not harmless, and judged. */
  | 'conflicting-member'
  | 'unsafe-number'
  | 'lone-surrogate'
  | 'proto-member';

/** Finds what JSON.parse silently accepts in valid JSON. Returns each oddity once, in order of appearance. */
function findOddities(text: string): readonly JsonNote[] {
  const notes = new Set<JsonNote>();
  const names: Set<string>[] = [];
  const hasEscapes = text.includes('\\');
  walkJson(text, {
    open: () => names.push(new Set()),
    close: () => names.pop(),
    name: (start, end) => {
      const name = unescape(text, start, end, notes);
      const seen = names.at(-1);
      if (seen?.has(name)) notes.add('duplicate-member');
      seen?.add(name);
      if (name === '__proto__') notes.add('proto-member');
    },
    ...(hasEscapes && { string: (start, end) => void unescape(text, start, end, notes) }),
    number: (start, end) => {
      if (!roundTrips(text.slice(start, end))) notes.add('unsafe-number');
    },
  });
  const hasConflicts = notes.has('duplicate-member') && hasConflict(text);
  return [...notes].map((note) => (hasConflicts && note === 'duplicate-member' ? 'conflicting-member' : note));
}

/** Whether a member of valid JSON stands twice in one object with different values. */
export function hasConflictingMember(text: string): boolean {
  return findOddities(text).includes('conflicting-member');
}

/** Whether a member of valid JSON stands twice in one object, with whatever values. */
export function hasRepeatedMember(text: string): boolean {
  const notes = findOddities(text);
  return notes.includes('duplicate-member') || notes.includes('conflicting-member');
}

/** Whether the values differ, for a text that has a member twice. A second walk, which hardly any text needs. */
function hasConflict(text: string): boolean {
  const objects: { readonly values: Map<string, string>; name: string; from: number }[] = [];
  let isFound = false;
  const endMember = (at: number): void => {
    const object = objects.at(-1);
    if (!object || object.from === 0) return;
    const value = text.slice(text.indexOf(':', object.from) + 1, at);
    const before = object.values.get(object.name);
    isFound ||= before !== undefined && !isSameValue(before, value);
    object.values.set(object.name, before ?? value);
    object.from = 0;
  };
  walkJson(text, {
    open: () => objects.push({ values: new Map(), name: '', from: 0 }),
    close: (at) => {
      endMember(at);
      objects.pop();
    },
    name: (start, end) => {
      endMember(start - 1);
      const object = objects.at(-1);
      if (object) Object.assign(object, { name: JSON.parse(text.slice(start - 1, end + 1)) as string, from: end });
    },
  });
  return isFound;
}

/** Compares two values as they are written, with a comma and white space around them. */
function isSameValue(first: string, second: string): boolean {
  const [a, b] = [first, second].map((text) =>
    JSON.stringify((JSON.parse(`[${text.trim().replace(/,$/, '')}]`) as Json[])[0]),
  );
  return a === b;
}

function unescape(text: string, start: number, end: number, notes: Set<JsonNote>): string {
  const raw = text.slice(start, end);
  if (!raw.includes('\\')) return raw;
  const value = JSON.parse(`"${raw}"`) as string;
  if (/\p{Surrogate}/u.test(value)) notes.add('lone-surrogate');
  return value;
}

/** RFC 8259 section 6: parsers differ on integers that a double cannot represent, and on numbers too large for one. */
function roundTrips(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text)) return true;
  return BigInt(text) === BigInt(value);
}

/** Walks over JSON text without parsing it, to see positions, repeated members and numbers as written. */

const MINUS = 0x2d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface JsonVisitor {
  /** The name of a member. Positions are those of its first character and after its last, without quotes. */
  name?(start: number, end: number): void;
  string?(start: number, end: number): void;
  number?(start: number, end: number): void;
  open?(kind: 'object' | 'array'): void;
  /** `at`: the position of the bracket. */
  close?(at: number): void;
  /** Between two elements of an array or two members of an object. */
  comma?(): void;
}

/** Right for valid text. For anything else it terminates and stays inside the text, but its reports mean nothing. */
// oxlint-disable-next-line complexity -- every character of every answer goes through it: a call for each would cost time
export function walkJson(text: string, visitor: JsonVisitor): void {
  const inObject: boolean[] = [];
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      if (expectsName) visitor.name?.(at + 1, end);
      else visitor.string?.(at + 1, end);
      expectsName = false;
      at = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      expectsName = code === OPEN_OBJECT;
      inObject.push(expectsName);
      visitor.open?.(expectsName ? 'object' : 'array');
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      inObject.pop();
      expectsName = false;
      visitor.close?.(at);
    } else if (code === COMMA) {
      expectsName = inObject.at(-1) ?? false;
      visitor.comma?.();
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at + 1);
      visitor.number?.(at, end);
      at = end - 1;
    }
  }
}

function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && (isDigit(text.charCodeAt(at)) || '.eE+-'.includes(text[at]!))) at++;
  return at;
}

export function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 0x30 && code <= 0x39;
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
