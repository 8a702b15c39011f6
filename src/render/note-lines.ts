/** The note for the reader, line by line and bounded: a stored report may hold anything. */
import type { Report } from '../report/report.ts';
import { inert } from '../text/inert.ts';

const MAX_LINES = 40;
const MAX_LINE_LENGTH = 2_000;

/** Without blank lines. */
export function noteLines({ note = '' }: Report): readonly string[] {
  const lines = note.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, MAX_LINES)
    .map((line) => inert(line, MAX_LINE_LENGTH));
}
