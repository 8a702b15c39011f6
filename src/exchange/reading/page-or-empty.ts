/** A 200 that took no model: a web page, such as a login, or an empty object or list. */
import { isObject } from '../../json.ts';
import type { Answer } from '../exchange.ts';
import { beginsLikeJson, readJson } from './json-text.ts';
import { isWebPage } from './own-words.ts';

export function isPageOrEmpty(answer: Answer): boolean {
  return isEmpty(valueIn(answer)) || startsAsPage(answer);
}

export function isEmpty(value: unknown): boolean {
  return emptyTextOf(value) !== undefined;
}

/** An empty object or list as it is written; undefined for any other value. */
export function emptyTextOf(value: unknown): '{}' | '[]' | undefined {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : undefined;
  return isObject(value) && Object.keys(value).length === 0 ? '{}' : undefined;
}

/** By its text as well as its label: a completion may be labelled as a page. */
export function startsAsPage(answer: Answer): boolean {
  return isWebPage(answer) && /^\s*</.test(new TextDecoder().decode(answer.body.bytes.subarray(0, 200)));
}

/** Bytes to look at. */
const MAX_BYTES = 64 * 1024;

/** A web page with a field for a password, or with a title that asks to log in. */
export function isLoginPage(answer: Answer): boolean {
  if (!isWebPage(answer)) return false;
  const text = new TextDecoder().decode(answer.body.bytes.subarray(0, MAX_BYTES));
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? '';
  return /<input[^>]*\btype\s*=\s*["']?password\b/i.test(text) || /\b(?:sign|log)[ -]?(?:in|on)\b/i.test(title);
}

/** The JSON value of the body, if it is one. */
export function valueIn({ body }: Pick<Answer, 'body'>): unknown {
  // To learn that an event stream is not JSON costs an exception.
  if (!beginsLikeJson(body.bytes)) return undefined;
  const reading = readJson(body);
  return reading.kind === 'json' ? reading.value : undefined;
}
