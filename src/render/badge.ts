/** A badge: a picture if the file is one, otherwise the JSON that https://shields.io/badges/endpoint-badge reads. */
import type { Report } from '../report/report.ts';
import { columnsOf, count, inert } from '../text/layout.ts';
import { countWarnings } from './excused.ts';
import type { RenderOptions } from './format.ts';
import { html } from './html/markup.ts';
import { lookOf, LOOKS } from './looks.ts';
import { formatEdition } from './profile-text.ts';
import { countingClauses, verdictLine } from './verdict-line.ts';

export function badge(report: Report, { file = '' }: Pick<RenderOptions, 'file'>): string {
  const profile = report.profile && inert(report.profile.name ?? 'changed v1', MAX_NAME);
  const edition = formatEdition(report);
  const label = `wirecheck${edition ? ` ${edition}` : ''}${profile ? `, ${profile}` : ''}`;
  const message = formatMessage(report);
  const color = LOOKS[lookOf(report).shade].fill;
  if (!/\.svg$/i.test(file)) return `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`;
  const [left, right] = [label, message].map((text) => columnsOf(text) * COLUMN) as [number, number];
  const split = left + 2 * MARGIN;
  // Fonts differ: `textLength` makes each text as wide as the room for it.
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${split + right + 2 * MARGIN}" height="20" role="img">
    <title>wirecheck: ${verdictLine(report)}</title>
    <rect width="100%" height="20" rx="3" fill="${color}" />
    <rect width="${split}" height="20" rx="3" fill="#3d444d" />
    <g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
      <text x="${MARGIN}" y="14" textLength="${left}">${label}</text>
      <text x="${split + MARGIN}" y="14" textLength="${right}">${message}</text>
    </g>
  </svg>`.text.concat('\n');
}

/** Characters of a profile's name. */
const MAX_NAME = 24;

/** Pixels, of these fonts in this size. */
const COLUMN = 6.5;
const MARGIN = 6;

/** `conforms`, `6 warnings`, `3 broken`, `not judged` */
function formatMessage(report: Report): string {
  const { name } = report.outcome;
  const warnings = countWarnings(report).counting;
  if (name === 'does-not-conform') return `${countingClauses(report).length} broken`;
  return name === 'conforms' && warnings > 0 ? count(warnings, 'warning') : lookOf(report).word;
}
