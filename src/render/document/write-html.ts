/** Lays out a document as a fragment of a page. Evidence, bodies and drawings are parts of the page's own. */
import { count } from '../../text/layout.ts';
import { html, join, type Markup, NOTHING, type Piece, when } from '../html/markup.ts';
import { keepFlags, renderFacts, renderShellCommand } from '../html/parts.ts';
import {
  type Block,
  type Document,
  type Fact,
  type Item,
  type List,
  plainText,
  spansOf,
  type Table,
  type Text,
} from './document.ts';

export function writeHtml(document: Document): Markup {
  return html`${document.flat().map(renderBlock)}`;
}

/** Flags are never broken at their dashes; data is code. */
export function renderText(text: Text): Markup {
  return html`${spansOf(text).map((span) => (typeof span === 'string' ? keepFlags(span) : html`<code>${span.code}</code>`))}`;
}

function renderBlock(block: Block): Markup {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? html`<h2>${renderText(block.text)}</h2>` : html`<h3>${renderText(block.text)}</h3>`;
    case 'paragraph': {
      const { text, tone, command } = block;
      return html`<p ${tone === 'quiet' ? html`class="quiet"` : NOTHING}>
        ${renderText(text)}${when(command, (own) => html` Try: <code>${own}</code>`)}
      </p>`;
    }
    case 'note':
      return html`<blockquote>${block.lines.map((line) => html`<p>${line}</p>`)}</blockquote>`;
    case 'facts':
      return html`${when(block.heading, (text) => html`<h3>${text}</h3>`)}${renderFactList(block.facts)}`;
    case 'lines':
      return html`<ul class="plain">
        ${block.lines.map(({ lead, text }) => html`<li>${lead}${renderText(text)}</li>`)}
      </ul>`;
    case 'table':
      return renderTable(block);
    case 'list':
      return renderList(block);
  }
}

export function renderFactList(facts: readonly Fact[], kind?: string): Markup {
  return renderFacts(
    facts.map(({ label, text, aside, isCommand }): readonly [string, Piece] => [
      label,
      isCommand
        ? renderShellCommand(plainText(text), 'the command')
        : html`${renderText(text)}${when(aside === '' ? undefined : aside, (words) => html`, ${words}`)}`,
    ]),
    kind,
  );
}

export function renderTable({ columns, rows, isText }: Table): Markup {
  const kind = isText ? NOTHING : html`class="number"`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${columns[0]?.head ?? ''}">
    <table class="numbers">
      <thead>
        <tr>
          ${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first = '', ...cells]) =>
            html`<tr>
              <th scope="row">${renderText(first)}</th>
              ${cells.map((cell) => html`<td ${kind}>${renderText(cell)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function renderList({ heading, items, most = Infinity, mostIds = Infinity, isOpen, noun }: List): Markup {
  if (items.length === 0) return NOTHING;
  const more = items.length - Math.min(items.length, most);
  const list = html`<ul class="plain">
    ${items.slice(0, most).map((item) => renderItem(item, mostIds))}
    ${more > 0 ? html`<li>${count(more, `more ${noun}`)}</li>` : NOTHING}
  </ul>`;
  if (heading === '') return list;
  if (isOpen)
    return html`<h3>${heading}</h3>
      ${list}`;
  return html`<details>
    <summary>${heading}</summary>
    ${list}
  </details>`;
}

function renderItem({ text, aside, count: counted, ids = [], facts = [] }: Item, mostIds: number): Markup {
  const shown = ids.slice(0, mostIds).map((id) => html`<code>${id}</code>`);
  const more = ids.length > shown.length ? ` and ${ids.length - shown.length} more` : '';
  return html`<li>
    ${renderText(text)}${when(aside, (words) => html`, ${renderText(words)}`)}${when(counted, (words) => html` (${words}${ids.length === 0 ? NOTHING : html`: ${join(shown, html`, `)}${more}`})`)}
    ${facts.length === 0 ? NOTHING : renderFactList(facts)}
  </li>`;
}
