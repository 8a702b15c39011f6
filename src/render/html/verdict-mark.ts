/** How verdicts look: never by colour alone, always with a sign and, for those who do not see it, a word. */
import { readAsset } from './assets.ts';
import { html, type Markup } from './markup.ts';
import type { Shade } from './view.ts';

export const SIGN: Record<Shade, string> = {
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  pass: '✓',
  observed: '·',
  skipped: '–',
  none: '○',
};

export const WORD: Record<Shade, string> = {
  fail: 'fail',
  warn: 'warn',
  inconclusive: 'inconclusive',
  pass: 'pass',
  observed: 'observed',
  skipped: 'skipped',
  none: 'not asked',
};

/** What each verdict means, for the legend. */
export const MEANING: Record<Shade, string> = {
  fail: 'a must that does not hold',
  warn: 'a should that does not hold',
  inconclusive: 'could not be asked',
  pass: 'holds',
  observed: 'recorded, never judged',
  skipped: 'needs something that was not given',
  none: 'no case of this run speaks of it',
};

/** Sign and word. */
export function badge(shade: Shade): Markup {
  return html`<span class="badge v-${shade}"
    ><span class="sign" aria-hidden="true">${SIGN[shade]}</span>${WORD[shade]}</span
  >`;
}

/** The sign to the eye; the word to a screen reader. */
export function sign(shade: Shade): Markup {
  return html`<span class="dot v-${shade}" role="img" aria-label="${WORD[shade]}">${SIGN[shade]}</span>`;
}

const ICON_FILL: Record<Shade, string> = {
  fail: '#c9352b',
  warn: '#b87400',
  inconclusive: '#7a4db3',
  pass: '#238553',
  observed: '#3f5f7d',
  skipped: '#5d6673',
  none: '#5d6673',
};

/** The verdict on the browser's tab, as an address that holds the image itself. */
export function tabIcon(shade: Shade): string {
  const svg = readAsset('icon.svg').replace('FILL', ICON_FILL[shade]).replace('SIGN', SIGN[shade]);
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
