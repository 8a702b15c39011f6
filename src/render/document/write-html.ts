/** Lays out a document as a fragment of a page. Evidence, bodies and drawings are parts of the page's own. */
import { count } from '../../text/layout.ts';
import { html, join, type Markup, type HtmlPiece } from '../html/markup.ts';
import {
  keepFlags,
  numberCell,
  renderFacts,
  renderFold,
  renderItems,
  renderShellCommand,
  renderSign,
  renderTable,
} from '../html/parts.ts';
import type { Shade } from '../looks.ts';
import { type Block, type Document, type Fact, type List, plainText, spansOf, type MarkedText } from './document.ts';

export function writeHtml(document: Document): Markup {
  return html`${document.flat().map(renderBlock)}`;
}

/** Flags are never broken at their dashes; data is code. */
function renderText(text: MarkedText): Markup {
  return html`${spansOf(text).map((span) => (typeof span === 'string' ? keepFlags(span) : html`<code>${span.code}</code>`))}`;
}

function renderBlock(block: Block): HtmlPiece {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? html`<h2>${renderText(block.text)}</h2>` : html`<h3>${renderText(block.text)}</h3>`;
    case 'paragraph': {
      const { text, tone, command } = block;
      return html`<p ${tone === 'quiet' && html`class="quiet"`}>
        ${renderText(text)}${command !== undefined && html` Try: <code>${command}</code>`}
      </p>`;
    }
    case 'note':
      return html`<blockquote>${block.lines.map((line) => html`<p>${line}</p>`)}</blockquote>`;
    case 'facts':
      return html`${block.heading !== undefined && html`<h3>${block.heading}</h3>`}${renderFactList(block.facts)}`;
    case 'lines':
      return renderItems(
        'plain',
        block.lines.map(({ lead, text }) => html`${lead}${renderText(text)}`),
      );
    case 'table':
      return renderTable({
        name: block.columns[0]?.head ?? '',
        heads: block.columns.map(({ head, short = head }) => short),
        rows: block.rows.map((row) =>
          row.map((cell, at) => (at === 0 || block.isText ? renderText(cell) : numberCell(renderText(cell)))),
        ),
      });
    case 'list':
      return renderList(block);
  }
}

export function renderFactList(facts: readonly Fact[]): Markup {
  return renderFacts(factRows(facts));
}

/** A fact goes on with the one before if it has the same label, or none. */
export function factRows(facts: readonly Fact[]): readonly (readonly [string, HtmlPiece])[] {
  const rows: { readonly label: string; readonly pieces: Markup[] }[] = [];
  for (const each of facts) {
    const last = rows.at(-1);
    if (last && (each.label === '' || each.label === last.label)) last.pieces.push(renderFact(each));
    else rows.push({ label: each.label, pieces: [renderFact(each)] });
  }
  return rows.map(({ label, pieces }) => [
    label,
    pieces.length === 1 ? pieces : pieces.map((piece) => html`<p>${piece}</p>`),
  ]);
}

function renderFact({ label, text, aside, isTelling, isCommand }: Fact): Markup {
  if (isCommand) return renderShellCommand(plainText(text), `the command: ${label}`);
  const shown = isTelling ? html`<strong class="said">${plainText(text)}</strong>` : renderText(text);
  return html`${shown}${aside && html`, ${aside}`}`;
}

function renderList({ heading, items, most = Infinity, mostIds = Infinity, isOpen, noun }: List): HtmlPiece {
  if (items.length === 0) return undefined;
  const shown = items.slice(0, most);
  const more = items.length - shown.length;
  const hasFacts = items.some(({ facts }) => facts !== undefined);
  const rows = hasFacts ? [] : shown.map((item) => renderReason(item, mostIds));
  if (more > 0) rows.push(html`${count(more, `more ${noun}`)}`);
  const list = html`${hasFacts && shown.map(renderEntry)}${rows.length > 0 && renderItems('plain', rows)}`;
  if (heading === '') return list;
  return isOpen
    ? html`<h3>${heading}</h3>
        ${list}`
    : renderFold(heading, list);
}

/** The verdict whose colour it has. */
const SHADES: Readonly<Record<NonNullable<List['tone']>, Shade>> = {
  bad: 'fail',
  unsure: 'inconclusive',
  warn: 'warn',
  good: 'pass',
  quiet: 'skipped',
  strong: 'observed',
};

function renderEntry({ text, aside, tone = 'quiet', facts = [] }: List['items'][number]): Markup {
  const shade = SHADES[tone];
  return html`<article class="sentence v-${shade}">
    <h3>${renderSign(shade)} ${renderText(text)}</h3>
    ${aside !== undefined && html`<p class="quiet">${renderText(aside)}</p>`} ${renderFactList(facts)}
  </article>`;
}

function renderReason({ text, count: counted, ids = [] }: List['items'][number], mostIds: number): Markup {
  const shown = ids.slice(0, mostIds).map((id) => html`<code>${id}</code>`);
  const more = ids.length > shown.length ? ` and ${ids.length - shown.length} more` : '';
  const which = ids.length > 0 && html`: ${join(shown, html`, `)}${more}`;
  return html`${renderText(text)}${counted !== undefined && html` (${counted}${which})`}`;
}
