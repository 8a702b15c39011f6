/** Reads the character references of HTML and XML. Browsers read most of them without their semicolon as well. */
import { digitsAt } from './digits.ts';

const HASH = 0x23;
const SEMICOLON = 0x3b;
const LOWER_X = 0x78;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  percnt: '%',
  bsol: '\\',
  sol: '/',
  plus: '+',
  equals: '=',
  lowbar: '_',
  hyphen: '-',
  period: '.',
};
const NAME = new RegExp(`^&(${Object.keys(NAMED).join('|')});?`, 'i');
const LONGEST_NAME = 8;
/** More digits than any character needs are zeros in front of them. */
const MOST_DIGITS = 8;
const LAST_CHARACTER = 0x10ffff;

export interface Reference {
  readonly code: number;
  readonly end: number;
}

export function referenceAt(bytes: Buffer, at: number, limit: number): Reference | undefined {
  const next = bytes[at + 1]!;
  if (next === HASH) return numberAt(bytes, at + 2, limit);
  // Most ampersands begin no reference: that shows at once.
  if (at + 1 >= limit || !isLetter(next)) return undefined;
  const [all, name = ''] = NAME.exec(bytes.toString('latin1', at, Math.min(limit, at + 1 + LONGEST_NAME))) ?? [];
  const character = NAMED[name.toLowerCase()];
  return all === undefined || character === undefined
    ? undefined
    : { code: character.charCodeAt(0), end: at + all.length };
}

function numberAt(bytes: Buffer, at: number, limit: number): Reference | undefined {
  const isHex = at < limit && (bytes[at]! | 0x20) === LOWER_X;
  const { value, end } = digitsAt(bytes, isHex ? at + 1 : at, Math.min(limit, at + MOST_DIGITS), isHex ? 16 : 10);
  if (value === undefined || value > LAST_CHARACTER) return undefined;
  return { code: value, end: end < limit && bytes[end] === SEMICOLON ? end + 1 : end };
}

function isLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}
