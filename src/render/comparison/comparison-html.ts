/** A comparison as one self-contained page, in the design of the report: both sides of every change, filters, colours. */

import { type ChangeSide, type Comparison, countedAs, type FoldedChange } from '../../report/comparison/comparison.ts';
import { formatDuration, inert } from '../../text/layout.ts';
import { fact } from '../document/document.ts';
import { factRows, renderFactList } from '../document/write-html.ts';
import { renderDocument } from '../html/document.ts';
import { html, type Markup, NOTHING, when } from '../html/markup.ts';
import { renderBanner, renderFilters } from '../html/overview.ts';
import { renderFacts, renderLink, renderSection, renderShellCommand, renderTags } from '../html/parts.ts';
import { SHADE_OF_EXIT } from '../looks.ts';
import { renderBodies } from './body-difference.ts';
import { SECTION_LOOKS, sectionsOf } from './comparison-sections.ts';
import {
  changeFacts,
  comparedRunFacts,
  contractRemarks,
  fingerprintsOf,
  formatEvidence,
  formatResult,
  formatScope,
  formatTitle,
  listRemarks,
  MAX_FINGERPRINTS,
} from './comparison-text.ts';

/** Entries whose answers are unfolded, the first of the page. */
const OPEN = 4;

const WAIVERS = { counts: 'not waived', waived: 'waived' };

export function comparisonHtml(comparison: Comparison): string {
  const { tool, exit } = comparison;
  const sections = sectionsOf(comparison);
  const entries = sections.flatMap((section) => section.entries);
  return renderDocument({
    title: formatResult(comparison),
    subtitle: 'comparison of two runs',
    version: tool.version,
    shade: SHADE_OF_EXIT[exit],
    styles: ['tables', 'comparison', 'narrow', 'print'],
    scripts: ['page'],
    sections: sections.map(({ name, look, entries: own }) => ({ id: name, title: look.title, count: own.length })),
    main: html`${renderBanner({
      shade: SHADE_OF_EXIT[exit],
      line: formatResult(comparison),
      about: html`${renderFactList(comparedRunFacts(comparison))}
        <p class="remark quiet">${formatScope(comparison)}</p>`,
      notices: [...contractRemarks(comparison), ...listRemarks(comparison)],
    })}
    ${renderFilters({
      name: 'Filter the comparison',
      picksName: 'Kind of change',
      picks: sections.map(({ name, look }) => ({ value: name, ...look, word: look.title.toLowerCase() })),
      areas: [...new Set(entries.map(areaOf))].toSorted(),
      levelsName: 'Waiver',
      levels: WAIVERS,
      example: 'case, field, code …',
    })}
    ${sections.map(({ name, look: { title, lead }, entries: own }) =>
      renderSection({
        id: name,
        title,
        items: own.length,
        lead,
        body:
          name === 'additive'
            ? html`<ul class="card rows">
                ${own.map((entry) => html`<li ${tagsOf(entry)}>${renderTitle(entry)}</li>`)}
              </ul>`
            : own.map((entry) => renderEntry(entry, entries.indexOf(entry) < OPEN)),
      }),
    )}`,
    footer: html`<p>Made by wirecheck ${inert(tool.version, 40)}.</p>
      <p class="on-paper">Printed without the bodies of the answers: the page has them.</p>`,
  });
}

/** The suite of the case, otherwise the endpoint. */
function areaOf({ change: { place, what } }: FoldedChange): string {
  const area = place.case?.split('/')[0] ?? place.endpoint ?? (what === 'time' ? 'times' : 'answers');
  return inert(area, 40).replaceAll(' ', '-');
}

function tagsOf(entry: FoldedChange): Markup {
  const { excused } = entry.change;
  return renderTags({
    shade: countedAs(entry.change),
    areas: [areaOf(entry)],
    levels: [excused ? 'waived' : 'counts'],
  });
}

function renderTitle(entry: FoldedChange): Markup {
  const { sign, shade } = SECTION_LOOKS[countedAs(entry.change)];
  return html`<span class="dot v-${shade}" aria-hidden="true">${sign}</span> ${inert(formatTitle(entry), 600)}`;
}

function renderEntry(entry: FoldedChange, isOpen: boolean): Markup {
  const { change } = entry;
  const { shade } = SECTION_LOOKS[countedAs(change)];
  // Never text of the target.
  const id = `change-${change.fingerprint}`;
  const sides = [
    ['Before', change.old],
    ['Now', change.new],
  ] as const;
  return html`<article
    id="${id}"
    class="finding v-${shade}"
    tabindex="-1"
    aria-labelledby="${id}-title"
    ${tagsOf(entry)}
  >
    <header>
      <h3 id="${id}-title">${renderTitle(entry)}</h3>
      ${when(change.excused, () => html`<p class="tags"><span class="tag loud">waived</span></p>`)} ${renderLink(id)}
    </header>
    <div class="sides">
      ${sides.map(
        ([name, side]) =>
          html`<div class="side">
            <p class="label">${name}</p>
            <p class="said">${formatEvidence(change, side)}</p>
          </div>`,
      )}
    </div>
    ${renderTimeStrip(change.old, change.new)} ${renderBodies(change.old.answer, change.new.answer, isOpen)}
    ${renderFacts([
      ...factRows([
        ...changeFacts(entry),
        ...fact('Repeat', change.repeat && inert(change.repeat, 4_000), { isCommand: true }),
        ...fact('Explain', change.explain && inert(change.explain, 4_000), { isCommand: true }),
      ]),
      ['Fingerprint', fingerprintsOf(entry).slice(0, MAX_FINGERPRINTS).map(renderFingerprint)],
    ])}
  </article>`;
}

function renderFingerprint({ id, covers }: ReturnType<typeof fingerprintsOf>[number]): Markup {
  return html`${renderShellCommand(id, 'the fingerprint for a waiver')}
  ${when(covers, (words) => html`<p class="note">${inert(words)}</p>`)}`;
}

// The times of two runs as two rows of dots with their medians, on one scale. The words above say the same.

/** Pixels. */
const ROW = 24;
const RADIUS = 4;
/** Per cent on the left for the names, and on the right so that no dot is cut. */
const NAMES = 14;
const MARGIN = 2;

export function renderTimeStrip(old: ChangeSide, fresh: ChangeSide): Markup {
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
