/** Answers that are not of this API: web pages, empty objects and lists, and the words that tell a person what is wrong. */
import { isObject, type Json, parseJson } from '../../json.ts';
import { type Answer, findHeader } from '../exchange.ts';
import { beginsLikeJson, readJson } from './json-text.ts';

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

/** Whether it is a page by its text as well as its label: a completion may be labelled as a page. */
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

/** Members that hold the words, or hold what holds them. The first that has any counts. */
const NAMES = ['message', 'msg', 'detail', 'error', 'errors', 'error_description', 'title', 'reason', 'description'];
const MAX_DEPTH = 4;

/** Undefined if there are none, as in an empty body. White space is one blank. */
export function readOwnWords({ body, headers }: Pick<Answer, 'body' | 'headers'>): string | undefined {
  const text = new TextDecoder().decode(body.bytes.subarray(0, MAX_BYTES));
  const json = parseJson(text);
  return json === undefined ? toOneLine(textIn(text, headers)) : wordsOf(json);
}

/** The words of an error that has been parsed already. */
export function wordsOf(value: Json): string | undefined {
  return toOneLine(wordsIn(value, 0));
}

function toOneLine(words: string | undefined): string | undefined {
  const short = words?.replaceAll(/\s+/g, ' ').trim();
  return short === '' ? undefined : short;
}

function wordsIn(value: Json | undefined, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return wordsIn((value as readonly Json[])[0], depth + 1);
  if (!isObject(value)) return undefined;
  for (const name of NAMES) {
    const words = wordsIn(value[name], depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** The title of a web page, or its first heading; any other text is its own words. */
function textIn(text: string, headers: Answer['headers']): string | undefined {
  if (!isPageText(text, headers)) return /[\p{Cc}\uFFFD]/u.test(text.replaceAll(/\s/g, '')) ? undefined : text;
  return /<title[^>]*>([^<]+)</i.exec(text)?.[1] ?? /<h1[^>]*>([^<]+)</i.exec(text)?.[1];
}

function isPageText(text: string, headers: Answer['headers']): boolean {
  return (
    /^text\/html\b/i.test(findHeader(headers, 'content-type') ?? '') || /^\s*<(?:!doctype html|html)\b/i.test(text)
  );
}

/** A web page, by its label or by how it begins. */
export function isWebPage({ body, headers }: Pick<Answer, 'body' | 'headers'>): boolean {
  return isPageText(new TextDecoder().decode(body.bytes.subarray(0, 200)), headers);
}
