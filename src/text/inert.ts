/**
 * Makes text from the target safe to display. A gateway may put escape sequences into an error message to repaint the
 * terminal, or bidi overrides to reverse a line.
 *
 * `::error::` is left alone: it is a command only at the start of a line, and only a format knows where its lines start
 * (`disarmLines`, and the character references of HTML). A model id such as `vendor::model` is unchanged.
 */

import { groupDigits } from './layout.ts';

/**
 * Escaped everywhere: control characters (C0, DEL, C1), format characters (bidi, zero width, tags), line and paragraph
 * separators, lone surrogates, private and unassigned code points, and everything that Unicode renders as nothing.
 */
const UNSEEN = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;
/** Escaped in a line of text: also every space but U+0020, and the fourth combining mark in a row. */
export const UNSAFE = new RegExp(String.raw`[${UNSEEN}]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}`, 'gu');
/** Unusual spaces are kept in JSON: they cannot change how the rest of the file reads. */
const UNSEEN_IN_JSON = new RegExp(`[${UNSEEN}]`, 'gu');
/** GitHub's runner reads `##[command]` anywhere in a line, and Azure's agent `##vso[command]`. */
export const COMMAND_IN_LINE = /##(?=\[|vso\[)/g;

/** Escapes with a name, as in JSON. */
const BY_NAME: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const MAX_LENGTH = 200;

/** A quick test that spares most texts the slow Unicode properties. */
const SUSPICIOUS = /[^ -~]|##/;

/** One line of visible characters. A text longer than `most` characters is cut and followed by its length. */
export function inert(text: string, most: number = MAX_LENGTH): string {
  if (text.length <= most && !SUSPICIOUS.test(text)) return text;
  // Cut first, so that a body of many megabytes costs no more than a short one.
  const head =
    text.length > most
      ? Array.from(text.slice(0, most * 2))
          .slice(0, most)
          .join('')
      : text;
  const visible = head.replaceAll(
    UNSAFE,
    (character) => BY_NAME[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  const shown = disarm(visible);
  return head.length < text.length ? `${shown}… (${groupDigits(text.length)} characters)` : shown;
}

/** Escapes the second # of a CI command. */
export function disarm(text: string): string {
  return text.replaceAll(COMMAND_IN_LINE, String.raw`#\u{23}`);
}

/** Escapes invisible characters; the result parses to the same value. Line feeds between values are kept. */
export function inertJson(json: string): string {
  return json
    .replaceAll(UNSEEN_IN_JSON, (character) => (character === '\n' ? character : jsonEscape(character)))
    .replaceAll(COMMAND_IN_LINE, String.raw`#\u0023`);
}

function jsonEscape(character: string): string {
  let escaped = '';
  for (let unit = 0; unit < character.length; unit += 1) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
