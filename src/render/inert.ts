/**
 * Makes text that came from the target harmless to look at. A gateway may put escape sequences into an error message
 * to repaint the terminal, or bidi overrides to make a line read the other way round; neither may reach a reader.
 *
 * `::error::` is left as it is: it is a command only at the start of a line, and where lines start is for each format to
 * say (`disarmedLines`, and the character references of HTML). A model id such as `vendor::model` stays itself.
 */

import { UNSAFE } from '../inert-json.ts';
import { disarmed } from './github/github-commands.ts';
import { grouped } from './layout.ts';

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
