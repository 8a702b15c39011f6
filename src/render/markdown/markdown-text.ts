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

/** What a sentence has as code or in square brackets, a flag with the name of its value, or a word, with the marks of the sentence around it. */
const PIECE = /^(["'“‘(]*)(`[^`]+`|.*?)(["'”’).,;:!?…]*)$/su;
const PIECES = /(?<=^| )["'“‘(]*(?:`[^`]+`|--[a-z-]+ [A-Z][A-Z=]+|\[[^\][`]+\])["'”’).,;:!?…]*(?= |$)|[^ ]+/g;
/** Letters and digits with the marks of a sentence between them. */
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}/'’.,;%…–-]*$/u;
/** Words that GitHub would make links of. */
const NOT_A_WORD = /^(?:www\.|GH-\d|(?=[a-f]*\d)[\da-f]{7,40}\b)/iu;
/** Signs that stand alone in a sentence or a cell of ours. */
const SIGN = /^(?:–|·|→|\p{Emoji_Presentation}|%[).,;:]*)$/u;
/** A first word like this would begin a list. */
const LIST_NUMBER = /^\d+[.)]$/;

/** A sentence: its words as they are, and anything else as code, since GitHub would make something of it. */
export function prose(text: string, most = 600): string {
  const pieces = inert(text, most).match(PIECES) ?? [];
  return pieces.map((piece, index) => (isPlain(piece, index) ? piece : codeInSentence(piece))).join(' ');
}

/** A plain word is neither a link nor, at the beginning, a list. */
function isPlain(piece: string, index: number): boolean {
  const [, , word = ''] = PIECE.exec(piece) ?? [];
  if (SIGN.test(piece)) return true;
  return WORD.test(word) && !NOT_A_WORD.test(word) && !(index === 0 && LIST_NUMBER.test(piece));
}

/** The marks around it belong to the sentence, but the brackets of `f(x)` do not. */
function codeInSentence(piece: string): string {
  const [, open = '', own = '', close = ''] = PIECE.exec(piece) ?? [];
  if (own === '') return code(piece, Infinity);
  const isOwn = close.startsWith(')') && own.split('(').length > own.split(')').length;
  const [word, marks] = isOwn ? [`${own})`, close.slice(1)] : [own, close];
  const [, quoted] = /^`([^`]+)`$/.exec(word) ?? [];
  return `${open}${code(quoted ?? word, Infinity)}${marks}`;
}
