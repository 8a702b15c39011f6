/**
 * A text of the target's, marked as quoted where it enters. Reasons, findings and observations hold quotes, never
 * sentences with such a text baked in, so that nobody has to guess later whose words they are.
 */
import { isObject } from '../json.ts';
import { count } from './layout.ts';
import { isStandardName } from './standard-names.ts';
import type { Count } from '../scalars.ts';

export interface Quote {
  /** The beginning of the text, or all of it; null where `--no-bodies` left it out. */
  readonly quote: string | null;
  /** Size of the whole: characters, unless `unit` says otherwise. */
  readonly length: Count;
  readonly unit?: 'byte' | 'item' | 'field';
  /** Only the beginning is quoted. */
  readonly isCut?: true;
}

/** A JSON value of the target's. Strings, arrays and objects are quoted; what is absent is not a value. */
export type QuotedValue = null | boolean | number | Quote;

/** Characters that a quote shows. Enough to recognise a text; the evidence has the rest. */
export const MAX_QUOTE_LENGTH = 120;

export function quoteText(text: string, longest: number = MAX_QUOTE_LENGTH): Quote {
  const start = cutText(text, longest);
  return { quote: start, length: text.length, ...(start.length < text.length && { isCut: true }) };
}

/** The beginning of a body. Decodes no more of it than is shown. */
export function quoteBytes(bytes: Uint8Array): Quote {
  // No character has more than four bytes.
  const start = bytes.subarray(0, 4 * MAX_QUOTE_LENGTH);
  const text = new TextDecoder().decode(start);
  const shown = cutText(text, MAX_QUOTE_LENGTH);
  const isCut = shown.length < text.length || start.length < bytes.length;
  return { quote: shown, length: bytes.length, unit: 'byte', ...(isCut && { isCut }) };
}

export function quoteValue(value: unknown): QuotedValue {
  if (value === null || typeof value === 'boolean') return value;
  // JSON has no way to write an infinite number, which is how one that is too large is read.
  if (typeof value === 'number') return Number.isFinite(value) ? value : Math.sign(value) * Number.MAX_VALUE;
  if (typeof value === 'string') return quoteText(value);
  const json = shortJson(value, MAX_QUOTE_LENGTH);
  const isCut = json.endsWith('…');
  const [length, unit] = Array.isArray(value)
    ? ([value.length, 'item'] as const)
    : ([Object.keys(value as object).length, 'field'] as const);
  return { quote: isCut ? json.slice(0, -1) : json, length, unit, ...(isCut && { isCut }) };
}

export function isQuote(value: unknown): value is Quote {
  return isObject(value) && Object.hasOwn(value, 'quote') && typeof value['length'] === 'number';
}

/** `Try again later`, `Try again … (4,096 characters)` or, without the text, `text of 4,096 characters`. `name`: what it is the text of. */
export function formatQuote({ quote, length, unit, isCut }: Quote, name = 'text'): string {
  const size = count(length, unit ?? 'character');
  if (quote === null) return `${name} of ${size}`;
  return isCut ? `${quote}… (${size})` : quote;
}

/** A value as JSON writes it: a string in quotation marks. */
export function formatValue(value: QuotedValue): string {
  if (!isQuote(value)) return JSON.stringify(value);
  const { quote, length, unit, isCut } = value;
  if (quote === null && unit !== undefined) return `${unit === 'item' ? 'array' : 'object'} of ${count(length, unit)}`;
  if (quote === null || unit !== undefined) return formatQuote(value);
  const text = JSON.stringify(quote);
  return isCut ? `${text.slice(0, -1)}…" (${count(length, 'character')})` : text;
}

/** A part of a text that starts at a character: `"Grüße"`, or `"…Grüße" from character 20`. */
export function formatExcerpt(excerpt: Quote, from: number): string {
  return from === 0 ? formatValue(excerpt) : `${formatValue(excerpt)} from character ${from + 1}`;
}

/** The same data without the texts; their lengths and standard names stay. */
export function dropQuotes<Data>(data: Data): Data {
  if (isQuote(data)) return isStandardName(data.quote ?? '') && !data.isCut ? data : { ...data, quote: null };
  if (Array.isArray(data)) return data.map(dropQuotes) as Data;
  if (!isObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, dropQuotes(value)])) as Data;
}

/** Never half of a surrogate pair: a lone half would turn into U+FFFD in every report. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
  return copyString(text.slice(0, end), text);
}

/** The beginning of a text, in a line without room for all of it. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most - 1)}…`;
}

/**
 * A part of a long text, on its own. The engine keeps the whole of a text for as long as anybody has a part of it, so
 * that a hundred characters in a report would hold on to the megabytes they came from.
 */
export function copyString(part: string, whole: string): string {
  return part.length * 4 > whole.length ? part : Buffer.from(part, 'utf16le').toString('utf16le');
}

/** The first characters of a value as JSON. The value may be megabytes long, so it is never written out in full. */
export function shortJson(value: unknown, longest = MAX_QUOTE_LENGTH): string {
  const text = write(value, longest + 1);
  return text.length <= longest ? text : `${cutText(text, longest - 1)}…`;
}

/** Stops soon after `room` characters. */
function write(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > room ? value.slice(0, room) : value);
  if (Array.isArray(value)) {
    let text = '[';
    for (const [index, item] of value.entries()) {
      if (text.length >= room) return text;
      text += (index > 0 ? ',' : '') + write(item, room - text.length);
    }
    return `${text}]`;
  }
  if (isObject(value)) {
    let text = '{';
    for (const name in value) {
      if (text.length >= room) return text;
      if (!Object.hasOwn(value, name)) continue;
      text += `${text.length > 1 ? ',' : ''}${write(name, room)}:`;
      text += write(value[name], Math.max(1, room - text.length));
    }
    return `${text}}`;
  }
  return value === undefined ? '' : JSON.stringify(value);
}
