/** How verdicts look: never by colour alone, always with a sign, and with a word for screen readers. */
import { readAsset } from './assets.ts';
import { html, type Markup } from './markup.ts';
import { LOOKS, type Shade, wordOfClause } from '../looks.ts';

/** Of a clause. */
export function renderBadge(shade: Shade): Markup {
  return html`<span class="badge v-${shade}"
    ><span class="sign" aria-hidden="true">${LOOKS[shade].sign}</span>${wordOfClause(shade)}</span
  >`;
}

/** A sign, with its word for screen readers. */
export function renderSign(shade: Shade): Markup {
  return html`<span class="dot v-${shade}" role="img" aria-label="${LOOKS[shade].word}">${LOOKS[shade].sign}</span>`;
}

/** The verdict on the browser's tab, as an address that holds the image itself. */
export function tabIcon(shade: Shade): string {
  const { fill, sign } = LOOKS[shade];
  const svg = readAsset('icon.svg').replace('FILL', fill).replace('SIGN', sign);
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
