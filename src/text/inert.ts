/**
 * Makes text that came from the target harmless to look at. A gateway may put escape sequences into an error message
 * to repaint the terminal, or bidi overrides to make a line read the other way round; neither may reach a reader.
 *
 * `::error::` is left as it is: it is a command only at the start of a line, and where lines start is for each format to
 * say (`disarmedLines`, and the character references of HTML). A model id such as `vendor::model` stays itself.
 */

import { grouped } from './layout.ts';

/**
 * What is not shown as it is: control characters (C0, DEL, C1), format characters (bidi, zero width, tags), line and
 * paragraph separators, lone surrogates, private and unassigned code points, and whatever else Unicode says to draw as
 * nothing.
 */
const UNSEEN = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;
/** What no line of text shows as it is: every blank but the plain space goes too, and marks that pile up. */
export const UNSAFE = new RegExp(String.raw`[${UNSEEN}]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}`, 'gu');
/** A blank may stay: it cannot change how the rest of the file reads. */
const UNSEEN_IN_JSON = new RegExp(`[${UNSEEN}]`, 'gu');
/** GitHub's runner reads `##[command]` anywhere in a line, and Azure's agent `##vso[command]`. */
export const COMMAND_IN_LINE = /##(?=\[|vso\[)/g;

/** As JSON has them. */
const BY_NAME: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const LONGEST = 200;

/** Few texts have any of it, and without it nothing can be unseen or begin a command: quicker to tell than by Unicode's properties. */
const SUSPICIOUS = /[^ -~]|##/;

/** One line of visible characters, at most `most` of them; a longer text is cut and says how long it was. */
export function inert(text: string, most: number = LONGEST): string {
  if (text.length <= most && !SUSPICIOUS.test(text)) return text;
  // Cut before looking closer, so that a body of many megabytes costs no more than a short one.
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
  const shown = disarmed(visible);
  return head.length < text.length ? `${shown}… (${grouped(text.length)} characters)` : shown;
}

/** The second # shown by its number, as `inert` shows what is not shown as it is. */
export function disarmed(text: string): string {
  return text.replaceAll(COMMAND_IN_LINE, String.raw`#\u{23}`);
}

/** JSON with nothing in it that a reader does not see. It parses to what it was. Line ends between values stay. */
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
