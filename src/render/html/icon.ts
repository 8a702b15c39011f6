/** The picture on the browser's tab: the verdict at a glance, inside the file. */
import { SIGN } from './verdict-mark.ts';
import type { Shade } from './view.ts';

const FILL: Record<Shade, string> = {
  fail: '#c9352b',
  warn: '#b87400',
  inconclusive: '#7a4db3',
  pass: '#238553',
  observed: '#3f5f7d',
  skipped: '#5d6673',
  none: '#5d6673',
};

export function icon(shade: Shade): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="${FILL[shade]}"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="bold" text-anchor="middle" fill="#fff">${SIGN[shade]}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
