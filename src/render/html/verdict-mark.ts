/** How verdicts look: never by colour alone, always with a sign, and with a word for screen readers. */
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
  none: 'not tested',
};

/** For the legend. */
export const MEANING: Record<Shade, string> = {
  fail: 'a broken must clause',
  warn: 'a broken should clause',
  inconclusive: 'no answer to judge it by',
  pass: 'every case passed',
  observed: 'recorded, not judged',
  skipped: 'its cases were skipped',
  none: 'no case of this run tests it',
};

export function renderBadge(shade: Shade): Markup {
  return html`<span class="badge v-${shade}"
    ><span class="sign" aria-hidden="true">${SIGN[shade]}</span>${WORD[shade]}</span
  >`;
}

/** A sign, with its word for screen readers. */
export function renderSign(shade: Shade): Markup {
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
