/** The top of a page: the verdict in one sentence, a map of all clauses, and the filters, which need the script. */

import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { groupBy } from '../../report/counts.ts';
import type { ClauseReport, Report } from '../../report/report.ts';
import { count, formatDuration, formatInstant, inert } from '../../text/layout.ts';
import { statesOf } from '../clause-states.ts';
import { factLine } from '../document/document.ts';
import { GROUPS } from '../fold.ts';
import { groupByWord, lookOf, LOOKS, type Shade, SHADES, wordWithReason } from '../looks.ts';
import { formatTarget, listRunFlags, noteLines } from '../run-text.ts';
import { coverageFact, verdictFacts, verdictLine } from '../verdict-line.ts';
import { html, type HtmlPiece, type Markup } from './markup.ts';
import { countShades, formatShades, keepWhole, renderItems, renderStripe } from './parts.ts';
import { findArea, type View } from './view.ts';

export function renderVerdict({ report }: View): Markup {
  const { target, tool, provenance } = report;
  const ending = adviseOnEnding(report);
  const passed = Date.parse(provenance.endedAt) - Date.parse(provenance.startedAt);
  return renderBanner({
    shade: lookOf(report).shade,
    heading: report.title,
    line: verdictLine(report),
    about: html`<p class="about">
        <code>${inert(formatTarget(report))}</code>
        ${target.model !== undefined && html`<span>model <code>${inert(target.model, 80)}</code></span>`}
        <span>${formatInstant(inert(provenance.startedAt, 40))}, ${formatDuration(passed)}</span>
        <span>wirecheck ${inert(tool.version, 40)}</span>
        ${listRunFlags(report).map((flag) => html`<span class="tag loud">${flag}</span>`)}
      </p>
      ${[...coverageFact(report), ...verdictFacts(report)].map((each) => html`<p class="remark">${keepWhole(factLine(each))}</p>`)}
      ${noteLines(report).map((line) => html`<p class="remark">${line}</p>`)}
      ${ending !== undefined && html`<p class="ending">${keepWhole(ending)}</p>`}`,
    notices: report.notices.map(formatNotice),
  });
}

interface Banner {
  readonly shade: Shade;
  readonly heading?: string | undefined;
  /** The result, and the rest after a colon, if any. */
  readonly line: string;
  readonly about: Markup;
  readonly notices: readonly string[];
}

/** The result at the top of a page. */
export function renderBanner({ shade, heading, line, about, notices }: Banner): Markup {
  // A colon within an address ends nothing.
  const [result = line] = line.split(/:(?= )/);
  return html`<div class="verdict v-${shade}">
      <p class="medal" aria-hidden="true">${LOOKS[shade].sign}</p>
      <div>
        ${heading !== undefined && html`<p class="heading">${inert(heading)}</p>`}
        <h1><strong>${result}</strong><span>${keepWhole(line.slice(result.length))}</span></h1>
        ${about}
      </div>
    </div>
    ${
      notices.length > 0 &&
      html`<ul class="notices" aria-label="Notices">
        ${notices.map((notice) => html`<li>${keepWhole(inert(notice, 600))}</li>`)}
      </ul>`
    }`;
}

export function renderOverview(view: View): HtmlPiece {
  const { clauses } = view.report;
  if (clauses.length === 0) return undefined;
  const counted = countShades(clauses.map(view.shadeOf));
  const widths = counted.map(([shade, number]) => [`f-${shade}`, (number / clauses.length) * 100] as const);
  const areas = [...groupBy(clauses, ({ id }) => findArea(id))].map(
    ([area, own]) =>
      html`<a href="#area=${encodeURIComponent(area)}&amp;at=coverage">${area}</a>
        <span class="unseen">${formatShades(own.map(view.shadeOf))}</span>
        <span class="cells"> ${own.map((clause) => renderSquare(view, clause))} </span>`,
  );
  return html`<section id="overview" aria-labelledby="overview-title">
    <h2 id="overview-title" tabindex="-1">
      ${count(clauses.length, 'clause')} <span class="quiet">by area and verdict</span>
    </h2>
    ${renderStripe(14, widths)} ${renderLegend(counted)} ${renderItems('areas', areas)}
    <p class="note">Each square is one clause, in the order of the contract. A broken one leads to its evidence.</p>
  </section>`;
}

/** Sections with more details than the coverage has. */
const SECTIONS: Readonly<Partial<Record<Shade, string>>> = { fail: GROUPS.fail.id, warn: GROUPS.warn.id };

function renderLegend(counted: ReturnType<typeof countShades>): Markup {
  const numbers = new Map(counted);
  const items = groupByWord([...numbers.keys()]).map(([word, own]) => {
    const numberOf = (shade: Shade): number => numbers.get(shade) ?? 0;
    const number = own.reduce((sum, shade) => sum + numberOf(shade), 0);
    const reasons = own.flatMap((shade) => (LOOKS[shade].reason ? `${numberOf(shade)} ${LOOKS[shade].reason}` : []));
    const [section = word === LOOKS.skipped.word ? 'unjudged' : 'coverage'] = own.flatMap(
      (shade) => SECTIONS[shade] ?? [],
    );
    return html`<a href="#verdict=${own.join(',')}&amp;at=${section}"
      >${own.map((shade) => renderCell(shade, html` title="${LOOKS[shade].meaning}"`))}
      <strong>${number}</strong> ${word}
      ${reasons.length > 0 && html`<span class="quiet">(${reasons.join(', ')})</span>`}</a
    >`;
  });
  return renderItems('legend', items);
}

/** How a square looks, what stands in it, and its title. */
export type Square = readonly [shade: Shade, sign: string, title: string];

/** The squares of a page, in its order. */
export function listSquares(report: Report): readonly Square[] {
  const states = statesOf(report);
  return [...groupBy(report.clauses, ({ id }) => findArea(id)).values()].flat().map((clause) => {
    const shade = states.get(clause.id)?.shade ?? 'none';
    return [shade, LOOKS[shade].sign, titleOf(clause, shade)];
  });
}

const titleOf = ({ id }: ClauseReport, shade: Shade): string => `${inert(id, 120)}: ${wordWithReason(shade)}`;

/** Only a broken clause is a link: hundreds of them would be in the way of the keyboard. */
export function renderSquare({ clauseAnchor, entries, shadeOf }: View, clause: ClauseReport): Markup {
  const shade = shadeOf(clause);
  const title = titleOf(clause, shade);
  const attributes = html` title="${title}" data-clause="${clauseAnchor(clause.id) ?? ''}"`;
  const entry = entries.find(({ expectation }) => expectation.clause === clause.id);
  if (!entry) return renderCell(shade, attributes);
  return html`<a class="cell f-${shade}" href="#${entry.anchor}" aria-label="${title}" ${attributes}
    >${LOOKS[shade].sign}</a
  >`;
}

function renderCell(shade: Shade, attributes?: Markup): Markup {
  return html`<span class="cell f-${shade}" aria-hidden="true" ${attributes}>${LOOKS[shade].sign}</span>`;
}

interface Filters {
  /** Screen readers say it. */
  readonly name: string;
  /** The legend of the check boxes. */
  readonly picksName: string;
  /** `value`: one or several, with commas. */
  readonly picks: readonly Readonly<Record<'value' | 'sign' | 'word', string> & { shade: Shade }>[];
  readonly areas: readonly string[];
  readonly levelsName: string;
  readonly levels: Readonly<Record<string, string>>;
  /** Examples of what can be searched for. */
  readonly example: string;
}

export function filtersFor({ report, shadeOf }: View): Filters {
  const seen = new Set<Shade>(report.clauses.map(shadeOf));
  for (const { expectations } of report.cases) for (const { verdict } of expectations) seen.add(verdict);
  return {
    name: 'Filter the report',
    picksName: 'Verdict',
    picks: groupByWord(SHADES.filter((shade) => seen.has(shade))).flatMap(([word, own]) =>
      own.slice(0, 1).map((shade) => ({ value: own.join(','), shade, sign: LOOKS[shade].sign, word })),
    ),
    areas: [...new Set(report.clauses.map(({ id }) => findArea(id)))],
    levelsName: 'Level',
    levels: { must: 'must', should: 'should', observe: 'observe', none: 'not judged' },
    example: 'id or text …',
  };
}

export function renderFilters({ name, picksName, picks, areas, levelsName, levels, example }: Filters): Markup {
  return html`<form id="filters" class="filters" role="search" aria-label="${name}" hidden>
    <fieldset>
      <legend class="unseen">${picksName}</legend>
      ${picks.map(
        ({ value, shade, sign, word }) =>
          html`<label class="pick v-${shade}">
            <input type="checkbox" name="verdict" value="${value}" /><span class="sign" aria-hidden="true">${sign}</span
            >${word}
          </label>`,
      )}
    </fieldset>
    <div class="picks">
      ${renderSelect('area', 'Area', Object.fromEntries(areas.map((area) => [area, area])))}
      ${renderSelect('level', levelsName, levels)}
      <input
        type="search"
        name="text"
        aria-label="Text"
        placeholder="${example}"
        aria-keyshortcuts="/"
        title="Press / to search"
        autocomplete="off"
        spellcheck="false"
      />
      <button type="reset">Show all</button>
    </div>
    <p id="matches" role="status"></p>
  </form>`;
}

function renderSelect(name: string, label: string, options: Readonly<Record<string, string>>): Markup {
  return html`<select name="${name}" aria-label="${label}">
    <option value="">${label}: all</option>
    ${Object.entries(options).map(([value, words]) => html`<option value="${value}">${words}</option>`)}
  </select>`;
}
