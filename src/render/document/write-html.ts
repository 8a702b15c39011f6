/** Lays out a document as a fragment of a page. Evidence, bodies and drawings are parts of the page's own. */
import { html, type Markup, type HtmlPiece } from '../html/markup.ts';
import { keepWhole, renderFacts, renderItems, renderShellCommand, renderSign, renderTable } from '../html/parts.ts';
import { type Fact, plainText, spansOf, type MarkedText, type ListItem, type PageBlock } from './document.ts';
import { SHADES, LOOKS } from '../looks.ts';

export function writeHtml(blocks: readonly PageBlock[]): Markup {
  return html`${blocks.map(renderBlock)}`;
}

/** Flags are never broken at their dashes; data is code. */
export function renderText(text: MarkedText): Markup {
  return html`${spansOf(text).map((span) => (typeof span === 'string' ? keepWhole(span) : html`<code>${span.code}</code>`))}`;
}

function renderBlock(block: PageBlock): HtmlPiece {
  switch (block.kind) {
    case 'paragraph':
      return html`<p ${block.tone === 'quiet' && html`class="quiet"`}>${renderText(block.text)}</p>`;
    case 'facts':
      return renderFactList(block.facts);
    case 'lines':
      return renderItems(
        'plain',
        block.lines.map(({ lead, text }) => html`${lead}${renderText(text)}`),
      );
    case 'table':
      return renderTable({
        name: block.columns[0]?.head ?? '',
        heads: block.columns.map(({ head, short = head }) => short),
        rows: block.rows.map((row) => row.map(renderText)),
        numbers: [...block.columns.keys()],
      });
    case 'list':
      return block.items.map(renderEntry);
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

/** It has the colour of the verdict with its tone. */
function renderEntry({ text, aside, tone, facts = [] }: ListItem): Markup {
  const shade = SHADES.find((each) => LOOKS[each].tone === tone) ?? 'none';
  return html`<article class="sentence v-${shade}">
    <h3>${renderSign(shade)} ${renderText(text)}</h3>
    ${aside !== undefined && html`<p class="quiet">${renderText(aside)}</p>`} ${renderFactList(facts)}
  </article>`;
}
