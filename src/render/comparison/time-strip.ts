/** The times of two runs as two rows of dots with their medians, on one scale. The words above say the same. */
import type { Side } from '../../report/comparison/comparison.ts';
import { formatDuration } from '../../text/duration.ts';
import { html, type Markup, NOTHING } from '../html/markup.ts';

/** Pixels. */
const ROW = 24;
const RADIUS = 4;
/** Per cent on the left for the names, and on the right so that no dot is cut. */
const NAMES = 14;
const MARGIN = 2;

export function renderTimeStrip(old: Side, fresh: Side): Markup {
  const rows = [
    ['before', old],
    ['now', fresh],
  ] as const;
  const longest = Math.max(...rows.flatMap(([, { times = [] }]) => times));
  if (rows.some(([, { times = [] }]) => times.length === 0) || longest <= 0) return NOTHING;
  const place = (time: number): string => `${(NAMES + (time / longest) * (100 - NAMES - MARGIN)).toFixed(2)}%`;
  const height = rows.length * ROW;
  return html`<figure class="strip">
    <svg width="100%" height="${height + 18}" aria-hidden="true">
      ${rows.map(([name, { times = [], median = 0 }], at) => {
        const y = at * ROW + ROW / 2;
        return html`<text x="0" y="${y + 4}">${name}</text>
          <line class="axis" x1="${place(0)}" x2="${place(longest)}" y1="${y}" y2="${y}" />
          ${times.map((time) => html`<circle class="time ${name}" cx="${place(time)}" cy="${y}" r="${RADIUS}" />`)}
          <line class="median" x1="${place(median)}" x2="${place(median)}" y1="${y - 10}" y2="${y + 10}" />`;
      })}
      <text x="${place(0)}" y="${height + 12}">0</text>
      <text x="${place(longest)}" y="${height + 12}" text-anchor="end">${formatDuration(longest)}</text>
    </svg>
    <figcaption>One dot per answer; the line is the median.</figcaption>
  </figure>`;
}
