/**
 * Text in a command for a POSIX shell. People paste commands from one line of a report, so characters that no report shows
 * unchanged (line breaks, bidi marks, …) are spelled in ASCII and become the same bytes in the shell.
 */
import { COMMAND_IN_LINE, UNSAFE } from './layout.ts';

/** Whether every report shows it unchanged. */
export function isPlain(text: string): boolean {
  return text.search(UNSAFE) < 0 && text.search(COMMAND_IN_LINE) < 0;
}

/** One argument, whatever the text holds. Only trailing line breaks are lost, which no shell can keep. */
export function argument(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  if (!isPlain(text) || (encoding === 'latin1' && /[^ -~]/.test(text))) return `"$(${formatPrintf(text, encoding)})"`;
  return /^[\w./:=@%+-]+$/.test(text) ? text : quoteWord(text);
}

/** A command that prints exactly these bytes. */
export function formatPrintf(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const format = Array.from(Buffer.from(text, encoding), spellByte).join('');
  // A leading hyphen would start an option, and `##` might start a command of a CI.
  return `printf ${quoteWord(format.replace(/^-/, String.raw`\055`).replaceAll('##', String.raw`#\043`))}`;
}

/** One byte in the format of printf: three octal digits unless it is printable ASCII. */
function spellByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '%' || character === '\\') return character + character;
  return byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, '0')}`;
}

function quoteWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
