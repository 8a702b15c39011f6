/**
 * Text as it is shown: in lines, columns and tables, inert whoever wrote it, with durations and instants in words. Widths
 * are counted before any colour is added.
 */

const MIN_WIDTH = 40;
const MAX_WIDTH = 120;
/** The width for a file or a pipe. */
const UNKNOWN = 100;

export function clampWidth(columns: number | undefined): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns ?? UNKNOWN));
}

/** East Asian wide characters and emoji take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const MARK = /\p{M}/u;

export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : MARK.test(character) ? 0 : 1;
  return columns;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - columnsOf(text))) + text;
}

/** Breaks lines at spaces, and within words that are longer than a line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, columns);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  lines.push(line);
  return lines;
}

function breakWord(word: string, columns: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of word) {
    const width = columnsOf(character);
    if (used + width > columns) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += character;
    used += width;
  }
  return [...pieces, piece];
}

/** The narrowest column of text that is still readable beside a label. */
const MIN_TEXT_WIDTH = 24;

/** Text after a label or bullet, with a hanging indent. If there is no room beside the label, the text goes below it. */
export function hang(label: string, text: string, width: number): string[] {
  const indent = columnsOf(label);
  if (width - indent < MIN_TEXT_WIDTH) {
    const below = wrap(text, Math.max(MIN_TEXT_WIDTH, width - 4)).map((line) => `    ${line}`);
    return label.trim() === '' ? below : [label.trimEnd(), ...below];
  }
  return wrap(text, width - indent).map((line, index) => (index === 0 ? label : ' '.repeat(indent)) + line);
}

/** `left` and `right` at either end of a line, or on two lines if they do not fit. */
export function spread(left: string, right: string, width: number): string[] {
  const gap = width - columnsOf(left) - columnsOf(right);
  if (right === '') return [left];
  return gap >= 2 ? [left + ' '.repeat(gap) + right] : [left, padStart(right, width)];
}

/** Aligns the first column left and the others right. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, columnsOf(cell))));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? padEnd(cell, widths[at] ?? 0) : padStart(cell, widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** `1 case`, `2 cases`, `1,024 cases`. */
export function count(number: number, singular: string, many: string = `${singular}s`): string {
  return `${groupDigits(number)} ${number === 1 ? singular : many}`;
}

/** `1,024`. Without `toLocaleString`, whose first call in a process takes longer than rendering a page. */
export function groupDigits(number: number): string {
  if (!Number.isSafeInteger(number)) return number.toLocaleString('en');
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `a`, `a or b`, `a, b or c` */
export function listAlternatives(words: readonly string[]): string {
  return joinWords(words, 'or');
}

/** `a`, `a and b`, `a, b and c` */
export function listAll(words: readonly string[]): string {
  return joinWords(words, 'and');
}

function joinWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** `a, b and 3 more` */
export function listFirst(items: readonly string[], most: number): string {
  const shown = items.slice(0, most).join(', ');
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}

// Makes text from the target safe to display. A gateway may put escape sequences into an error message to repaint the
// terminal, or bidi overrides to reverse a line.
//
// `::error::` is left alone: it is a command only at the start of a line, and only a format knows where its lines start
// (`disarmLines`, and the character references of HTML). A model id such as `vendor::model` is unchanged.

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

/**
 * For lines that land in a log as they are: the runner reads `::command::` at the start of a line, behind any blanks, and
 * nowhere else.
 */
export function disarmLines(text: string): string {
  return disarm(text).replaceAll(/^([^\S\n]*:):/gm, String.raw`$1\u{3a}`);
}

/** Escapes invisible characters; the result parses to the same value. Line feeds between values are kept. */
export function inertJson(json: string): string {
  return json
    .replaceAll(UNSEEN_IN_JSON, (character) => (character === '\n' ? character : jsonEscape(character)))
    .replaceAll(COMMAND_IN_LINE, String.raw`#\u0023`);
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_none, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

// Durations and instants in words.

/** Milliseconds. Anything finer is noise. */
export function roundToTenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/** Formats milliseconds: `0.4 ms`, `35 ms`, `2.40 s`, `17.4 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${Number(milliseconds.toFixed(1))} ms`;
}

/** The day (UTC) of an instant in ISO 8601, such as `2030-12-31`. */
export function formatDay(instant: string): string {
  return instant.slice(0, 10);
}

/** An instant in ISO 8601, to the minute: `2030-12-31 23:59 UTC`. */
export function formatInstant(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
