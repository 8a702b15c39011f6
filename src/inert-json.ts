/** Makes JSON harmless to look at, whatever texts of a target stand in it. It parses to what it was. */

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

/** Line ends between values stay. */
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
