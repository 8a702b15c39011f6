/** An explanation, and the layout of its lines. */
import { hang, listFirst, padEnd, spread } from '../text/layout.ts';

const LABEL = 18;

/**
 * A label and its text. Without a text, there is no line. An empty label goes on with the one before. `list`: what the
 * text lists, in full, if it lists something.
 */
export type LabelledLine = readonly [label: string, text: string | undefined, list?: readonly string[]];

/** One line for each. */
export function listLine(label: string, list: readonly string[]): LabelledLine {
  return [label, list.join('\n'), list];
}

/** Names in one line, of which people see the first. */
export function namesLine(label: string, names: readonly string[]): LabelledLine {
  return [label, listFirst(names, MAX_NAMES), names];
}

const MAX_NAMES = 12;

/** What there is to say about a name. */
export interface ExplanationPage {
  readonly name: string;
  /** What it is, and where: `must · stated · part 7`. */
  readonly about: string;
  readonly lines: readonly LabelledLine[];
  /** Its parts, each with its title. */
  readonly items?: readonly (readonly [id: string, title: string])[];
  /** What `--json` prints in place of the lines. */
  readonly data?: object;
}

const MAX_ITEM = 44;

export function layOut({ name, about, lines, items = [] }: ExplanationPage, width: number): readonly string[] {
  const column = Math.min(MAX_ITEM, Math.max(0, ...items.map(([id]) => id.length))) + 4;
  return [
    ...spread(name, about, width),
    '',
    ...linesOf(lines, width),
    ...(items.length === 0 ? [] : ['']),
    ...items.flatMap(([id, title]) => hang(padEnd(`  ${id}  `, column), title, width)),
  ];
}

/** Labels of commands. People paste them, so each stays on one line. */
const COMMAND_LABELS: readonly string[] = ['See it', 'More', 'Run', 'Use'];

/** An example may have several lines, which are kept. */
export function linesOf(labelled: readonly LabelledLine[], width: number): string[] {
  return labelled.flatMap(([label, text = '']) => {
    const lines = text === '' ? [] : text.trimEnd().split('\n');
    const room = COMMAND_LABELS.includes(label) ? Infinity : width;
    return lines.flatMap((line, index) => hang(`  ${(index === 0 ? label : '').padEnd(LABEL)}`, line, room));
  });
}

/** What `--json` prints: every label with its texts, and lists as lists. */
export function toFacts({ name, about, lines, items, data }: ExplanationPage): object {
  if (data) return data;
  const facts: Record<string, string[]> = {};
  let current = '';
  for (const [label, text = '', list = [text.trimEnd()]] of lines) {
    if (text === '') continue;
    if (label !== '') current = label;
    (facts[current] ??= []).push(...list);
  }
  return { name, about, facts, ...(items && { items: items.map(([id, title]) => ({ id, title })) }) };
}
