/** An explanation, and the layout of its lines. */
import { groupBy } from '../report/counts.ts';
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

/** What cases of different clauses have nothing in common in: `More` leads there. */
const OF_CLAUSE: readonly string[] = ['How it is judged', 'Who is hurt', 'Passes', 'Fails', 'Fault'];

/** The cases of one name as one page: what differs is said of each label. */
export function joinLabelled(stem: string, pages: readonly ExplanationPage[]): readonly ExplanationPage[] {
  const kindOf = ({ name, lines }: ExplanationPage): string =>
    name.startsWith(`${stem}[`) ? lines.map(([label]) => label).join() : name;
  return [...groupBy(pages, kindOf).values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length === 1) return group;
    const labels = group.map(({ name }) => name.slice(stem.length + 1, -1));
    const lines = first.lines.map(([label], at): LabelledLine => {
      const said = group.map(({ lines: own }, index) => {
        const text = own[at]?.[1]?.replace(` (${labels[index]})`, '').replace(`'${first.name}'`, `'${stem}[*]'`);
        return [labels[index] ?? '', text] as const;
      });
      const texts = groupBy(said, ([, text]) => text ?? '');
      if (label === 'Run' || texts.size === 1) return [label, said[0]?.[1]];
      if (COMMAND_LABELS.includes(label)) return listLine(label, [...texts.keys()]);
      const told = [...texts].map(([text, of]) => `${of.map(([own]) => own).join(', ')}: ${text}`);
      return [label, OF_CLAUSE.includes(label) ? undefined : told.join('\n')];
    });
    return [{ ...first, name: stem, lines: [['Labels', labels.join(', ')], ...lines] }];
  });
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
