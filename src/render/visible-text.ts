/** Texts in which everything can be seen: what looks like nothing, or like something else, is escaped. */

/** What looks like nothing, or like something else: marks, joiners, and spaces but the usual one. */
const UNSEEN = /[\p{M}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
/** In a line of text, a second space is lost too. */
export const UNSEEN_IN_LINE = new RegExp(`${UNSEEN.source}|(?<= ) `, 'gu');
export const BEYOND_ASCII_IN_LINE = /[^ -~]|(?<= ) /gu;

/** Every match is escaped as in JSON. */
export function escapeAll(text: string, pattern: RegExp): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll(pattern, (character) => character.split('').map(escaped).join(''));
}

/** The JSON of a body, in which everything can be seen. It still parses to the same value. */
export function visibleJson(json: string): string {
  return escapeAll(json, UNSEEN);
}

/**
 * Whether both are the same letters, once composed or compatible forms are taken apart and marks left out. `isCut`: only the
 * beginnings are known.
 */
export function looksAlike(failing = '', passing = '', isCut = false): boolean {
  const [first = '', second = ''] = [failing, passing].map((text) => text.normalize('NFKD').replaceAll(UNSEEN, ''));
  const most = isCut ? Math.min(first.length, second.length) : Infinity;
  return failing !== passing && first.slice(0, most) === second.slice(0, most);
}
