/** What the body of an answer holds, together with how it ended. */
import type { Answer, Body, LimitName } from '../../exchange/exchange.ts';
import { readJson, type JsonReading } from '../../exchange/reading/json-text.ts';
import { type Json, type JsonObject, isObject } from '../../json.ts';
import { MOST_SHOWN, cutText } from '../finding.ts';

export type BodyReading =
  | Exclude<JsonReading, { readonly kind: 'too-deep' | 'too-many' }>
  | { readonly kind: 'cut' | 'undecodable'; readonly detail: string }
  /** Not read to its end, or not built: this setting says how far. */
  | { readonly kind: 'limit'; readonly limit: LimitName }
  | { readonly kind: 'aborted'; readonly why: string };

/** The body as one JSON text. A body that did not come to its end is not one, whatever its first part holds. */
export function readBody({ body }: Answer): BodyReading {
  if (body.end.kind !== 'complete') return body.end;
  const reading = readJson(body);
  if (reading.kind === 'too-deep') return { kind: 'limit', limit: 'max-depth' };
  return reading.kind === 'too-many' ? { kind: 'limit', limit: 'max-body' } : reading;
}

export function jsonOf(answer: Answer): Json | undefined {
  const reading = readBody(answer);
  return reading.kind === 'json' ? reading.value : undefined;
}

export function objectOf(answer: Answer): JsonObject | undefined {
  const value = jsonOf(answer);
  return isObject(value) ? value : undefined;
}

/** Own members only, so that `__proto__` and `constructor` find nothing. */
export function memberOf(value: unknown, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function itemsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The beginning of a body as text, for showing. */
export function bodyStart(body: Body): string {
  // No character has more than four bytes, so this is never fewer characters than a finding shows.
  const text = new TextDecoder().decode(body.bytes.subarray(0, 4 * MOST_SHOWN));
  return cutText(text, MOST_SHOWN, `${body.bytes.length} bytes`);
}

/** Status, with code and message of the error where there are any: `503 (overloaded: Try again later)`. */
export function statusWords(answer: Answer): string {
  const error = memberOf(jsonOf(answer), 'error');
  const words = [memberOf(error, 'code'), memberOf(error, 'message')].filter((word) => typeof word === 'string');
  return words.length === 0 ? String(answer.status) : `${answer.status} (${cutText(words.join(': '))})`;
}

/** Class of a status, such as `5xx`: part of a fingerprint, where 502 and 503 are the same fault. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

export function headerOf(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

/** The media type in lower case and without parameters. */
export function mediaTypeOf(answer: Answer): string | undefined {
  return headerOf(answer, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}
