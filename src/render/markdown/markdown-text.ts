/**
 * Text of others inside Markdown. GitHub turns @names, #numbers and addresses into links wherever they stand, escaped or
 * not, except in code: so whatever is not plainly a word goes there.
 */
import { disarm, inert } from '../../text/layout.ts';

/** The fence is longer than any run of backticks inside (CommonMark 6.1), so nothing inside can end it. */
export function code(text: string, most?: number): string {
  const shown = disarm(inert(text, most));
  if (shown.trim() === '') return '(empty)';
  const runs = shown.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  // A space next to the fence is taken away, and keeps a backtick from joining it.
  const pad = /^[ `]|[ `]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** In a table a bar ends the cell, even in code. */
export function cell(text: string, most = 40): string {
  return code(text, most).replaceAll('|', String.raw`\|`);
}

/** Letters and digits with the marks of a sentence around and between them; a colon only at the end. */
const WORD = /^["'“‘(]*[\p{L}\p{N}][\p{L}\p{N}\p{M}/'’.,;%…–-]*["'”’).,;:!?…]*$/u;
/** Words that GitHub would make links of. */
const NOT_A_WORD = /^["'“‘(]*(?:www\.|GH-\d|(?=[a-f]*\d)[\da-f]{7,40}\b)/iu;
/** Signs that stand alone in a sentence or a cell of ours. */
const SIGN = /^(?:–|·|\p{Emoji_Presentation}|%[).,;:]*)$/u;
/** A first word like this would begin a list. */
const LIST_NUMBER = /^\d+[.)]$/;

/** Brackets around it, one without its partner, and the mark at its end belong to the sentence; those of `f(x)` do not. */
function codeInSentence(text: string): string {
  const mark = /[^.,;:!?]([.,;:!?])$/.exec(text)?.[1] ?? '';
  const own = text.slice(0, text.length - mark.length);
  const surplus = own.split('(').length - own.split(')').length;
  const open = own.startsWith('(') && (surplus > 0 || !own.slice(0, -1).includes(')')) ? '(' : '';
  const close = own.endsWith(')') && (surplus < 0 || !own.slice(1).includes('(')) ? ')' : '';
  const middle = own.slice(open.length, own.length - close.length);
  return middle === '' ? code(text, Infinity) : `${open}${code(middle, Infinity)}${close}${mark}`;
}

/** A flag whose value may follow. */
const FLAG = /^\(?--[a-z][a-z-]*$/;

/** A word, or several that the sentence itself has as code, with the marks of the sentence around them. */
const PIECE = /(?<=^| )\(?`[^`]+`[).,;:!?]*(?= |$)|[^ ]+/g;
const OWN_CODE = /^(\(?)`([^`]+)`([).,;:!?]*)$/;

/** A plain word is neither a link nor, at the beginning, a list. */
function isPlain(word: string, index: number): boolean {
  if (SIGN.test(word)) return true;
  return WORD.test(word) && !NOT_A_WORD.test(word) && !(index === 0 && LIST_NUMBER.test(word));
}

function ownCode(word: string): string | undefined {
  const [, open = '', own, close = ''] = OWN_CODE.exec(word) ?? [];
  return own === undefined ? undefined : `${open}${code(own, Infinity)}${close}`;
}

/** A sentence: its words as they are, anything else as code. */
export function prose(text: string, most = 600): string {
  const pieces: string[] = [];
  let foreign: string[] = [];
  const flush = () => {
    if (foreign.length > 0) pieces.push(codeInSentence(foreign.join(' ')));
    foreign = [];
  };
  for (const [index, word] of (inert(text, most).match(PIECE) ?? []).entries()) {
    const isValue = FLAG.test(foreign.at(-1) ?? '') && /^\d/.test(word);
    const whole = ownCode(word) ?? (!isValue && isPlain(word, index) ? word : undefined);
    // A path, and a place in its body, are two things. So are a flag, and the profile that a verdict ends with.
    const isApart = word.startsWith('[profile') || (word.startsWith('/') && foreign.at(-1)?.endsWith(','));
    if (whole !== undefined || isApart) flush();
    if (whole === undefined) foreign.push(word);
    else pieces.push(whole);
  }
  flush();
  return pieces.join(' ');
}
