/** A comparison as one self-contained page, in the design of the report: both sides of every change, filters, colours. */

import type { ComparedRun, Comparison, FoldedChange } from '../../report/comparison/comparison.ts';
import { inert } from '../../text/inert.ts';
import { renderDocument } from '../html/document.ts';
import { renderFilters } from '../html/filters.ts';
import { html, type Markup, when } from '../html/markup.ts';
import { renderBanner } from '../html/overview.ts';
import { renderFacts, renderLink, renderSection, renderShellCommand, renderTags } from '../html/parts.ts';
import { SHADE_OF_EXIT } from '../looks.ts';
import { renderBodies } from './body-difference.ts';
import { formatTitle } from './change-titles.ts';
import {
  factsOf,
  fingerprintsOf,
  formatEvidence,
  formatResult,
  formatScope,
  MAX_FINGERPRINTS,
} from './comparison-text.ts';
import { contractRemarks, listRemarks } from './notice-text.ts';
import { SECTION_LOOKS, type SectionName } from './section-looks.ts';
import { sectionOf, sectionsOf } from './sections.ts';
import { renderTimeStrip } from './time-strip.ts';

/** Entries whose answers are unfolded, the first of the page. */
const OPEN = 4;

/** Below the title of a section. */
const LEADS: Readonly<Record<SectionName, string>> = {
  breaking: 'Clients that relied on it stop working. One entry per cause.',
  warning: 'Clients may notice. One entry per cause.',
  additive: 'Allowed at any time.',
  drift: 'Times that moved beyond noise.',
  waived: 'Accepted by the waiver file, so they do not fail the comparison. One entry per cause.',
};

const WAIVERS = { counts: 'not waived', waived: 'waived' };

export function comparisonHtml(comparison: Comparison): string {
  const { old, new: now, tool, exit } = comparison;
  const sections = sectionsOf(comparison);
  const entries = sections.flatMap((section) => section.entries);
  return renderDocument({
    title: formatResult(comparison),
    subtitle: 'comparison of two runs',
    version: tool.version,
    shade: SHADE_OF_EXIT[exit],
    styles: ['tables', 'comparison', 'narrow', 'print'],
    scripts: ['page'],
    sections: sections.map(({ name, title, entries: own }) => ({ id: name, title, count: own.length })),
    main: html`${renderBanner({
      shade: SHADE_OF_EXIT[exit],
      line: formatResult(comparison),
      about: html`${renderFacts([
          ['Old', describeRun(old)],
          ['New', describeRun(now)],
        ])}
        <p class="remark quiet">${formatScope(comparison)}</p>`,
      notices: [...contractRemarks(comparison), ...listRemarks(comparison)],
    })}
    ${renderFilters({
      name: 'Filter the comparison',
      picksName: 'Kind of change',
      picks: sections.map(({ name, title }) => ({ value: name, ...SECTION_LOOKS[name], word: title.toLowerCase() })),
      areas: [...new Set(entries.map(areaOf))].toSorted(),
      levelsName: 'Waiver',
      levels: WAIVERS,
      example: 'case, field, code …',
    })}
    ${sections.map(({ name, title, entries: own }) =>
      renderSection({
        id: name,
        title,
        items: own.length,
        lead: LEADS[name],
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

function describeRun({ source, baseUrl, model, startedAt }: ComparedRun): string {
  const facts = [
    source,
    baseUrl,
    ...(model === undefined ? [] : [`model ${model}`]),
    `${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return facts.map((fact) => inert(fact)).join(', ');
}

/** The suite of the case, otherwise the endpoint. */
function areaOf({ change: { place, what } }: FoldedChange): string {
  const area = place.case?.split('/')[0] ?? place.endpoint ?? (what === 'time' ? 'times' : 'answers');
  return inert(area, 40).replaceAll(' ', '-');
}

function tagsOf(entry: FoldedChange): Markup {
  const { excused } = entry.change;
  return renderTags({
    shade: sectionOf(entry.change),
    areas: [areaOf(entry)],
    levels: [excused ? 'waived' : 'counts'],
  });
}

function renderTitle(entry: FoldedChange): Markup {
  const { sign, shade } = SECTION_LOOKS[sectionOf(entry.change)];
  return html`<span class="dot v-${shade}" aria-hidden="true">${sign}</span> ${inert(formatTitle(entry), 600)}`;
}

function renderEntry(entry: FoldedChange, isOpen: boolean): Markup {
  const { change } = entry;
  const { shade } = SECTION_LOOKS[sectionOf(change)];
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
      ...factsOf(entry).slice(2),
      ['Repeat', renderCommand(change.repeat, 'the command that repeats the request')],
      ['Explain', renderCommand(change.explain, 'the command that explains the clause')],
      ['Fingerprint', fingerprintsOf(entry).slice(0, MAX_FINGERPRINTS).map(renderFingerprint)],
    ])}
  </article>`;
}

function renderFingerprint({ id, covers }: ReturnType<typeof fingerprintsOf>[number]): Markup {
  return html`${renderShellCommand(id, 'the fingerprint for a waiver')}
  ${when(covers, (words) => html`<p class="note">${inert(words)}</p>`)}`;
}

function renderCommand(command: string | undefined, what: string): Markup | undefined {
  return command === undefined ? undefined : renderShellCommand(inert(command, 4_000), what);
}
