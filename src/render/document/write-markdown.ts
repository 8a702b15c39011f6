/** Lays out a document as Markdown for GitHub, such as a comment on a pull request, which has a maximum length. */
import { count } from '../../text/layout.ts';
import { code, prose } from '../markdown/markdown-text.ts';
import {
  type Block,
  type Document,
  type Fact,
  type List,
  spansOf,
  type Table,
  type MarkedText,
  type ListItem,
  listCodes,
} from './document.ts';

interface MarkdownOptions {
  /** Characters of the page, as far as lists can keep to it. */
  readonly most?: number;
  /** Where the rest of a list is: `see the full report`. */
  readonly readOn?: MarkedText;
}

export function writeMarkdown(document: Document, { most = Infinity, readOn = '' }: MarkdownOptions = {}): string {
  const blocks = document.flat();
  const parts = blocks.map((block) => (block.kind === 'list' ? '' : blockText(block)));
  let room = most - parts.join('').length;
  const texts = blocks.map((block, at) => {
    if (block.kind !== 'list') return parts[at] ?? '';
    const text = listText(block, room, readOn);
    room -= text.length;
    return text;
  });
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

function blockText(block: Exclude<Block, List>): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.mark === undefined ? '' : `${block.mark} `}${inline(block.text)}`;
    case 'paragraph':
      return `${inline(block.text)}${block.command === undefined ? '' : ` Try: ${code(block.command, Infinity)}`}`;
    case 'note':
      return block.lines.map((line) => `> ${prose(line, Infinity)}`).join('\n>\n');
    case 'facts': {
      const lines = block.facts.map((each) => `- ${factText(each)}`).join('\n');
      return block.heading === undefined ? lines : `${prose(block.heading)}:\n\n${lines}`;
    }
    case 'lines':
      return block.lines.map(({ lead, text }) => `- ${inline([lead, text].flat())}`).join('\n');
    case 'table':
      return tableText(block);
  }
}

function inline(text: MarkedText): string {
  return spansOf(text)
    .map((span) => (typeof span === 'string' ? proseBetween(span) : code(span.code, Infinity)))
    .join('');
}

/** Blanks at its ends, and marks that part it from what is before it, are kept as they are. */
function proseBetween(text: string): string {
  const [, before = '', own = '', after = ''] = /^([\s,.:;·")]*)(.*?)([\s"(]*)$/su.exec(text) ?? [];
  return `${before}${own === '' ? '' : prose(own, Infinity)}${after}`;
}

function factText({ label, text, aside, isCommand }: Fact): string {
  const shown = isCommand && typeof text === 'string' ? code(text, Infinity) : inline(text);
  return `${label === '' ? '' : `${prose(label)}: `}${shown}${aside === undefined || aside === '' ? '' : `, ${prose(aside, Infinity)}`}`;
}

function tableText({ columns, rows, isText }: Table): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(columns.map(({ head }) => head)),
    row(columns.map((_, at) => (at === 0 || isText ? '---' : '--:'))),
    // A bar ends the cell, even in code.
    ...rows.map((cells) => row(cells.map((cell) => inline(cell).replaceAll('|', String.raw`\|`)))),
  ].join('\n');
}

/** The list has as many items as there is room for. */
function listText(
  { heading, items, most = Infinity, mostIds = Infinity, isOpen, noun }: List,
  room: number,
  readOn: MarkedText,
): string {
  if (items.length === 0) return '';
  const shown: string[] = [];
  let used = 0;
  for (const item of items.slice(0, most)) {
    const text = itemText(item, mostIds);
    used += text.length;
    if (used > room) break;
    shown.push(text);
  }
  const more = items.length - shown.length;
  const where = inline(readOn);
  const list = [
    ...shown,
    ...(more > 0 ? [`- ${count(more, `more ${noun}`)} omitted${where === '' ? '' : `; ${where}`}.`] : []),
  ].join('\n');
  if (heading === '') return list;
  if (isOpen) return `### ${heading}\n\n${list}`;
  return `<details>\n<summary>${heading}</summary>\n\n${list}\n\n</details>`;
}

function itemText({ text, aside, count: counted, ids = [], facts = [] }: ListItem, mostIds: number): string {
  const cases = ids.length === 0 ? '' : `: ${inline(listCodes(ids, mostIds))}`;
  const name = aside === undefined ? inline(text) : `**${inline(text)}** ${inline(aside)}`;
  const title = `- ${name}${counted === undefined ? '' : ` (${counted}${cases})`}`;
  const lowered = facts.map((each) => ({ ...each, label: each.label.charAt(0).toLowerCase() + each.label.slice(1) }));
  return [title, ...lowered.map(factText)].join('\n  - ');
}
