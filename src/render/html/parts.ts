/** Pieces that several sections share: sections, ids, facts, tables, folds. Verdicts never look different by colour alone. */
import { groupBy } from '../../report/counts.ts';
import type { CaseReport } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { count, groupDigits, inert } from '../../text/layout.ts';
import { LOOKS, SHADES, type Shade, formatWords, wordWithReason } from '../looks.ts';
import { type Markup, type HtmlPiece, element, html, joinLines } from './markup.ts';
import { type View, findArea } from './view.ts';

/** The filters match against these. An item may belong to several areas and levels. */
interface Tags {
  /** A verdict, or the kind of a change. */
  readonly shade: string;
  readonly areas: readonly string[];
  readonly levels: readonly string[];
}

/** Attributes of an element that the filters show and hide. */
export function renderTags({ shade, areas, levels }: Tags): Markup {
  return html`data-verdict="${shade}" data-area="${[...new Set(areas)].join(' ')}"
  data-level="${[...new Set(levels)].join(' ')}"`;
}

/** A case is of all areas and levels that it judges. */
export function tagCase({ verdict, expectations }: Partial<CaseReport> = {}): Tags {
  const areas = expectations?.map(({ clause }) => findArea(clause)) ?? [];
  return { shade: verdict ?? 'none', areas, levels: expectations?.map(({ level }) => level) ?? [] };
}

export function tagClause(shade: Shade, clause: string, level: string): Tags {
  return { shade, areas: [findArea(clause)], levels: [level] };
}

export interface SectionParts {
  readonly id: string;
  readonly title: string;
  /** How many entries the filters apply to; absent for a section that is never filtered. */
  readonly items?: number;
  /** How many entries the contents say that it has, if it is never filtered. */
  readonly count?: number;
  readonly lead?: HtmlPiece;
  readonly body: HtmlPiece;
}

export function renderSection({ id, title, items, lead, body }: SectionParts): Markup {
  const number = items !== undefined && html` <span class="count" data-count>${groupDigits(items)}</span>`;
  const empty = items !== undefined && html`<p class="nothing" hidden>Nothing in this section matches the filter.</p>`;
  return html`<section id="${id}" aria-labelledby="${id}-title" ${items !== undefined && 'data-filtered'}>
    <h2 id="${id}-title" tabindex="-1">${title}${number}</h2>
    ${lead !== undefined && html`<p class="lead">${lead}</p>`}${empty} ${body}
  </section>`;
}

/** A command with a button that copies it. The script shows the button, so that it never appears without one. */
export function renderShellCommand(text: string, name: string): Markup {
  return html`<div class="command">
    <code>${keepWhole(text)}</code
    ><button type="button" class="copy" data-copy hidden aria-label="Copy ${name}">Copy</button>
  </div>`;
}

/** A button that copies the address of a place. Hidden like the others until the script shows it. */
export function renderLink(anchor: string): Markup {
  return html`<button type="button" class="copy" data-link="${anchor}" hidden aria-label="Copy link to ${anchor}">
    Copy link
  </button>`;
}

export function linkCase({ caseAnchor }: View, id: string): Markup {
  return linkId(caseAnchor(id), id);
}

/** The case that sent a request, or the id of the request. */
export function linkSender(view: View, exchange: string): Markup {
  const sender = view.sender(exchange);
  return sender ? linkCase(view, sender.id) : renderId(exchange);
}

/** Cases, folded if they are more than a few. */
export function listCases(view: View, ids: readonly string[], few: number): Markup {
  const cases = ids.map((id) => linkCase(view, id));
  const list = renderItems('ids', cases);
  return ids.length <= few ? list : renderFold(count(ids.length, traitsOf(view.report).caseWord), list);
}

export function linkClause({ clauseAnchor }: View, id: string): Markup {
  return linkId(clauseAnchor(id), id);
}

/** Longer than any built-in id. */
const MAX_ID_LENGTH = 120;

/** An id as it is shown everywhere: on one line, or broken at its signs where there is no room. */
export function renderId(id: string): Markup {
  const [first, ...labels] = inert(id, MAX_ID_LENGTH).split(/(?=\[)/);
  return html`<code class="id">${first}${labels.map((label) => html`<wbr />${label}`)}</code>`;
}

function linkId(anchor: string | undefined, id: string): Markup {
  return anchor === undefined ? renderId(id) : html`<a href="#${anchor}">${renderId(id)}</a>`;
}

export function renderItems(kind: string, items: readonly HtmlPiece[]): Markup {
  return html`<ul class="${kind}">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

/** A list of terms; those without a value are left out. */
export function renderFacts(rows: readonly (readonly [term: string, value: HtmlPiece])[], kind = 'facts'): Markup {
  const given = rows.filter(([, value]) => value !== undefined && value !== false);
  return html`<dl class="${kind}">
    ${given.map(
      ([term, value]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A flag is never broken at its dashes, nor `10 %` before its sign: two halves of one read like something else. */
export function keepWhole(text: string): Markup {
  const parts = text.split(/((?<![\w-])--[a-z][a-z-]*|[\d.]+ %)/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<span class="whole">${part}</span>`))}`;
}

/** A remark in small type. */
export function renderNote(words: HtmlPiece): Markup {
  return html`<p class="note">${words}</p>`;
}

export function renderFold(
  summary: HtmlPiece,
  body: HtmlPiece,
  { kind, isOpen }: { kind?: string; isOpen?: boolean } = {},
): Markup {
  return html`<details ${kind !== undefined && html`class="${kind}"`} ${isOpen && 'open'}>
    <summary>${summary}</summary>
    ${body}
  </details>`;
}

export interface Row {
  readonly kind?: string | undefined;
  readonly cells: readonly HtmlPiece[];
}

interface TableParts {
  /** Screen readers say it; a captioned table also shows it above. */
  readonly name: string;
  readonly isCaptioned?: boolean;
  readonly kind?: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly HtmlPiece[] | Row)[];
  /** The columns with numbers. */
  readonly numbers?: readonly number[];
}

/** A broken clause, or a change, with its evidence. `id`: its anchor, never text of the target. */
export function renderFinding(
  id: string,
  shade: Shade,
  tags: Tags,
  { title, labels, body }: Readonly<Record<'title' | 'labels' | 'body', HtmlPiece>>,
): Markup {
  return html`<article
    id="${id}"
    class="finding v-${shade}"
    tabindex="-1"
    aria-labelledby="${id}-title"
    ${renderTags(tags)}
  >
    <header>
      <h3 id="${id}-title">${title}</h3>
      ${labels && html`<p class="tags">${labels}</p>`} ${renderLink(id)}
    </header>
    ${body}
  </article>`;
}

/** A box with a title above what it holds. */
export function renderCard(title: HtmlPiece, body: HtmlPiece, kind = 'card'): Markup {
  return html`<div class="${kind}">
    <h3>${title}</h3>
    ${body}
  </div>`;
}

/** A box with a label above what it holds. */
export function renderBox(kind: string, label: HtmlPiece, body: HtmlPiece): Markup {
  return html`<div class="${kind}">
    <p class="label">${label}</p>
    ${body}
  </div>`;
}

/** Focusable, so that a long text can be scrolled by keyboard. Screen readers say the name. */
export function renderPre(lines: readonly HtmlPiece[], name: string): Markup {
  return html`<pre tabindex="0" role="group" aria-label="${name}"><code>${joinLines(lines)}</code></pre>`;
}

/** Text of the target's. */
export function renderLines(lines: readonly string[]): Markup {
  return joinLines(lines.map((line) => inert(line, 400)));
}

/** What the signs or words of a table mean. */
export function renderLegend(rows: readonly (readonly [sign: string, meaning: string])[]): Markup {
  const items = rows.map(([sign, meaning]) => html`<strong>${sign}</strong> ${meaning}`);
  return renderItems('legend', items);
}

/** The first cell of a row names it. A wide table scrolls, also by keyboard. */
export function renderTable({ name, isCaptioned, kind = 'numbers', heads, rows, numbers = [] }: TableParts): Markup {
  const role = isCaptioned ? 'region' : 'group';
  const renderRow = ({ kind: own, cells }: Row): Markup =>
    html`<tr ${own !== undefined && html`class="${own}"`}>
      ${cells.map((cell, at) =>
        at === 0
          ? element('th', { scope: 'row' }, cell)
          : element('td', { class: numbers.includes(at) ? 'number' : undefined }, cell),
      )}
    </tr>`;
  return html`<div class="scroll" tabindex="0" role="${role}" aria-label="${name}">
    <table class="${kind}">
      ${
        isCaptioned &&
        html`<caption>
          ${name}
        </caption>`
      }
      <thead>
        <tr>
          ${heads.map((head) => element('th', { scope: 'col' }, head))}
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => renderRow('cells' in row ? row : { cells: row }))}
      </tbody>
    </table>
  </div>`;
}

/** Parts of a whole as one bar, with the widths in per cent. A list beside it has the numbers as text. */
export function renderStripe(height: number, parts: readonly (readonly [kind: string, width: number])[]): Markup {
  let from = 0;
  return html`<svg class="stripe" width="100%" height="${height}" aria-hidden="true">
    ${parts.map(([kind, width]) => {
      const x = `${from.toFixed(2)}%`;
      from += width;
      return element('rect', { class: kind, x, width: `${width.toFixed(2)}%`, height });
    })}
  </svg>`;
}

export function renderBadge(shade: Shade): Markup {
  return renderOwnBadge(`badge v-${shade}`, LOOKS[shade].sign, wordWithReason(shade));
}

export function renderOwnBadge(kind: string, sign: string, word: string): Markup {
  return html`<span class="${kind}"><span class="sign" aria-hidden="true">${sign}</span>${word}</span>`;
}

/** A sign beside words that say the same. */
export function renderDot(shade: Shade, sign = LOOKS[shade].sign): Markup {
  return html`<span class="dot v-${shade}" aria-hidden="true">${sign}</span>`;
}

/** A sign, with its word for screen readers. */
export function renderSign(shade: Shade): Markup {
  return html`<span class="dot v-${shade}" role="img" aria-label="${LOOKS[shade].word}">${LOOKS[shade].sign}</span>`;
}

/** A section with no more entries than this is unfolded. */
const FEW = 12;

interface Folding<Item> {
  /** The word for an item, such as `clause`. */
  readonly noun: string;
  readonly areaOf: (item: Item) => string;
  /** Absent where all are the same. */
  readonly shadeOf?: (item: Item) => Shade;
  /** Absent: if the items are few. */
  readonly isOpen?: boolean;
  readonly render: (items: readonly Item[], area: string) => HtmlPiece;
}

/** The entries of a section by area, each area behind a line that counts them: hundreds of entries stay a short page. */
export function foldByArea<Item>(
  items: readonly Item[],
  { noun, areaOf, shadeOf, isOpen = items.length <= FEW, render }: Folding<Item>,
): readonly Markup[] {
  return [...groupBy(items, areaOf)].map(
    ([area, own]) =>
      html`<details class="fold" data-group data-fold ${isOpen && 'open'}>
        <summary>
          <strong>${area}</strong>
          <span class="quiet">${count(own.length, noun)}${shadeOf && `: ${formatShades(own.map(shadeOf))}`}</span>
        </summary>
        ${render(own, area)}
      </details>`,
  );
}

/** Those that there are, in display order. */
export function countShades(shades: readonly Shade[]): readonly (readonly [shade: Shade, number: number])[] {
  return SHADES.map((shade) => [shade, shades.filter((own) => own === shade).length] as const).filter(
    ([, number]) => number > 0,
  );
}

/** `12 pass, 1 broken` */
export function formatShades(shades: readonly Shade[]): string {
  return formatWords(Object.fromEntries(countShades(shades)));
}
