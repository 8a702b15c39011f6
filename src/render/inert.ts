/**
 * Makes text that came from the target harmless to look at. A gateway may put escape sequences into an error message
 * to repaint the terminal, or bidi overrides to make a line read the other way round; neither may reach a reader.
 */

import { disarmed, disarmedJson } from './github/github-commands.ts';
import { grouped } from './layout.ts';

/**
 * What is not shown as it is: control characters (C0, DEL, C1), format characters (bidi, zero width, tags), line and
 * paragraph separators, lone surrogates, private and unassigned code points, every blank but the plain space, and
 * whatever else Unicode says to draw as nothing.
 */
const UNSEEN = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;
const UNSAFE = new RegExp(String.raw`[${UNSEEN}]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}`, 'gu');
/** In JSON a blank may stay: it cannot change how the rest of the file reads. */
const UNSEEN_IN_JSON = new RegExp(`[${UNSEEN}]`, 'u');
/** All that need be asked whether it is seen: few characters, where a report has thousands of lines. */
const NOT_ASCII = /[^\n -~]/gu;

const LONGEST = 200;

/** Few texts have any of it, and without it nothing can be unseen or begin a command: quicker to tell than by Unicode's properties. */
const SUSPICIOUS = /[^ -~]|##|::/;

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
  const visible = head.replaceAll(UNSAFE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  // Lines are wrapped later, so any place may become the start of one, where `::error::` would be obeyed.
  const shown = disarmed(visible).replaceAll(/::(?=[a-z])/gi, String.raw`:\u{3a}`);
  return head.length < text.length ? `${shown}… (${grouped(text.length)} characters)` : shown;
}

/** The same for a text that is JSON: escaped as JSON does it, so that it parses to what it was. Line ends between values stay. */
export function inertJson(json: string): string {
  const visible = json.replaceAll(NOT_ASCII, (character) =>
    UNSEEN_IN_JSON.test(character) ? jsonEscape(character) : character,
  );
  return disarmedJson(visible);
}

function jsonEscape(character: string): string {
  let escaped = '';
  for (let unit = 0; unit < character.length; unit += 1) {
    escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
