/** Lays out a document for a terminal, at a width, with or without colour. */
import { columnsOf, disarmLines, hang, inert, listFirst, spread, table, wrap } from '../../text/layout.ts';
import {
  type Block,
  type Document,
  type Fact,
  type ListItem,
  type List,
  plainText,
  type Table,
  type MarkedText,
  type Tone,
} from './document.ts';

type Paint = (tone: Tone, text: string) => string;

/** SGR codes. `util.styleText` is not used: whether it looks at NO_COLOR differs between the Node versions we run on. */
const SGR: Record<Tone, number> = { bad: 31, unsure: 35, warn: 33, good: 32, quiet: 2, strong: 1 };

interface Screen {
  readonly width: number;
  readonly paint: Paint;
}

/** Columns of labels: of the facts of a run, and of those of an item. */
const LABEL = 12;
const ITEM_LABEL = 13;
const INDENT = '  ';

/** Parts are apart by an empty line. */
export function writeTerminal(document: Document, { width, colour }: { width: number; colour: boolean }): string {
  const paint: Paint = (tone, text) => (colour ? `\u001b[${SGR[tone]}m${text}\u001b[0m` : text);
  const parts = document.map((part) => part.flatMap((block) => blockLines({ width, paint }, block)));
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => `${lines.join('\n')}\n`);
  // After wrapping, because only now is it known where lines start.
  return disarmLines(shown.join('\n'));
}

function blockLines(screen: Screen, block: Block): readonly string[] {
  const { width, paint } = screen;
  switch (block.kind) {
    case 'heading':
      return [paintStrong(paint, block.tone, plain(block.text))];
    case 'paragraph': {
      const lines = [
        ...wrap(plain(block.text), width),
        // A command to paste is a line of its own, however long.
        ...(block.command === undefined ? [] : [`Try: ${inert(block.command, Infinity)}`]),
      ];
      return lines.map((line) => (block.tone ? paint(block.tone, line) : line));
    }
    case 'note':
      return block.lines.flatMap((line) => wrap(inert(line, Infinity), width));
    case 'facts':
      return block.heading === undefined
        ? block.facts.flatMap(({ label, text, isCommand }) => {
            const lead = (label === '' ? '' : `${label}: `).padEnd(LABEL);
            return isCommand ? [lead + plain(text)] : hang(lead, plain(text), screen.width);
          })
        : namedFacts(screen, block.heading, block.facts);
    case 'lines':
      return block.lines.flatMap(({ lead, text, tone }) => {
        const [first = '', ...rest] = hang(lead, plain(text), width);
        return [first, ...rest].map((line) => (tone ? paint(tone, line) : line));
      });
    case 'table':
      return tableLines(screen, block);
    case 'list':
      return listLines(screen, block);
  }
}

function plain(text: MarkedText): string {
  return inert(plainText(text), Infinity);
}

function paintStrong(paint: Paint, tone: Tone | undefined, text: string): string {
  const strong = paint('strong', text);
  return tone === undefined ? strong : paint(tone, strong);
}

function namedFacts({ width, paint }: Screen, heading: string, facts: readonly Fact[]): readonly string[] {
  const label = Math.max(...facts.map((each) => columnsOf(each.label))) + 2;
  return [
    ...wrap(heading, width).map((line) => paint('strong', line)),
    ...facts.flatMap((each) =>
      hang(INDENT + each.label + ' '.repeat(label - columnsOf(each.label)), plain(each.text), width),
    ),
  ];
}

/** A table that is too wide has short heads and lacks the optional columns. */
function tableLines({ width, paint }: Screen, { columns, rows, hasTotal }: Table): readonly string[] {
  const cells = rows.map((row) => row.map(plain));
  const whole = table([columns.map(({ head }) => head), ...cells]);
  const isKept = (_: unknown, at: number): boolean => columns[at]?.isOptional !== true;
  const heads = columns.map(({ head, short = head }) => short);
  const fits = Math.max(...whole.map(columnsOf)) <= width;
  const [head = '', ...lines] = fits ? whole : table([heads, ...cells].map((row) => row.filter(isKept)));
  const last = hasTotal ? lines.pop() : undefined;
  return [paint('strong', head), ...lines, ...(last === undefined ? [] : [paint('strong', last)])];
}

function listLines(screen: Screen, { heading, tone, items, mostIds = Infinity }: List): readonly string[] {
  const { width, paint } = screen;
  if (items.length === 0) return [];
  const hasFacts = items.some(({ facts }) => facts !== undefined);
  return [
    ...wrap(heading, width).map((line) => paintStrong(paint, tone, line)),
    ...items.flatMap((item) => (hasFacts ? ['', ...entryLines(screen, item)] : reasonLines(item, mostIds, width))),
  ];
}

/** `  ? the status was not 200 (3 cases)`, and which below it. */
function reasonLines(
  { sign = '-', text, count, ids = [] }: ListItem,
  mostIds: number,
  width: number,
): readonly string[] {
  const counted = count === undefined ? '' : ` (${count})`;
  const lead = `${INDENT}${sign} `;
  const lines = hang(lead, `${plain(text)}${counted}`, width);
  const shown = ids.map((id) => inert(id));
  return ids.length === 0 || mostIds === 0
    ? lines
    : [...lines, ...hang(' '.repeat(columnsOf(lead)), listFirst(shown, mostIds), width)];
}

function entryLines(
  { width, paint }: Screen,
  { sign = '-', text, aside, tone, facts = [] }: ListItem,
): readonly string[] {
  const [first = '', ...rest] =
    aside === undefined ? hang(`${sign} `, plain(text), width) : spread(`${sign} ${plain(text)}`, plain(aside), width);
  return [tone ? paint(tone, first) : first, ...rest, ...facts.flatMap((each) => itemFactLines(each, width))];
}

function itemFactLines({ label, text, aside = '', isCommand }: Fact, width: number): readonly string[] {
  const lead = `${INDENT}${label.padEnd(ITEM_LABEL)}`;
  if (isCommand) return [lead + plain(text)];
  const lines = hang(lead, plain(text), width);
  if (aside === '') return lines;
  // At the right end, or below if it is too long for one line beside the labels.
  const isLong = columnsOf(aside) > width - columnsOf(lead);
  const last = lines.at(-1) ?? '';
  return [
    ...lines.slice(0, -1),
    ...(isLong ? [last, ...hang(`${INDENT}${' '.repeat(ITEM_LABEL)}`, aside, width)] : spread(last, aside, width)),
  ];
}
