/** The entries of a section by area, each area behind a line that counts them: hundreds of entries stay a short page. */
import { groupBy } from '../../report/counts.ts';
import { count } from '../../text/layout.ts';
import { LOOKS, type Shade, SHADES } from '../looks.ts';
import { html, type Markup, type Piece } from './markup.ts';

/** A section with no more entries than this is unfolded. */
const FEW = 12;

interface Folding<Item> {
  /** For an item, such as `clause`. */
  readonly noun: string;
  readonly areaOf: (item: Item) => string;
  /** Absent where all are the same. */
  readonly shadeOf?: (item: Item) => Shade;
  readonly wordOf?: (shade: Shade) => string;
  readonly render: (items: readonly Item[], area: string) => Piece;
}

export function foldByArea<Item>(
  items: readonly Item[],
  { noun, areaOf, shadeOf, wordOf = (shade) => LOOKS[shade].word, render }: Folding<Item>,
): readonly Markup[] {
  const isOpen = items.length <= FEW;
  return [...groupBy(items, areaOf)].map(
    ([area, own]) =>
      html`<details class="fold" data-group data-fold ${isOpen ? html`open` : ''}>
        <summary>
          <strong>${area}</strong>
          <span class="quiet">${count(own.length, noun)}${shadeOf ? formatShades(own.map(shadeOf), wordOf) : ''}</span>
        </summary>
        ${render(own, area)}
      </details>`,
  );
}

/** `: 1 fail, 12 pass` */
function formatShades(shades: readonly Shade[], wordOf: (shade: Shade) => string): string {
  const words = SHADES.map((shade) => [shades.filter((own) => own === shade).length, wordOf(shade)] as const);
  return `: ${words
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ')}`;
}
