/** The words of an answer, whatever its shape, that tell a person what is wrong. */
import { isObject, type Json, parseJson } from '../../json.ts';
import { type Answer, findHeader } from '../exchange.ts';

/** Bytes to look at: words come early. */
const MAX_BYTES = 64 * 1024;
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

/** Of a web page, its title or its first heading. */
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
