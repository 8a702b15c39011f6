/** The top of the page: the verdict in one sentence, and a map of all clauses. */
import { formatDuration, formatInstant } from '../../text/duration.ts';
import type { ClauseReport } from '../../report/report.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';
import { formatNotice } from '../../exchange/notice.ts';
import { groupBy } from '../../report/counts.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { formatTarget, noteLines, listRunFlags } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { lookOf, LOOKS, type Shade, wordOfClause } from '../looks.ts';
import { countShades, formatShades, keepFlags, renderStripe } from './parts.ts';
import { findArea, type View } from './view.ts';

export function renderVerdict({ report }: View): Markup {
  const { target, tool, provenance } = report;
  const passed = Date.parse(provenance.endedAt) - Date.parse(provenance.startedAt);
  return renderBanner({
    shade: lookOf(report).shade,
    heading: report.title,
    line: verdictLine(report),
    about: html`<p class="about">
        <code>${inert(formatTarget(report))}</code>
        ${when(target.model, (model) => html`<span>model <code>${inert(model, 80)}</code></span>`)}
        <span>${formatInstant(inert(provenance.startedAt, 40))}, ${formatDuration(passed)}</span>
        <span>wirecheck ${inert(tool.version, 40)}</span>
        ${listRunFlags(report).map((flag) => html`<span class="tag loud">${flag}</span>`)}
      </p>
      ${noteLines(report).map((line) => html`<p class="remark">${line}</p>`)}
      ${when(adviseOnEnding(report), (sentence) => html`<p class="ending">${keepFlags(sentence)}</p>`)}`,
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
        ${when(heading, (words) => html`<p class="heading">${inert(words)}</p>`)}
        <h1><strong>${result}</strong><span>${keepFlags(line.slice(result.length))}</span></h1>
        ${about}
      </div>
    </div>
    ${when(
      notices.length > 0 && notices,
      (all) =>
        html`<ul class="notices" aria-label="Notices">
          ${all.map((notice) => html`<li>${keepFlags(inert(notice, 600))}</li>`)}
        </ul>`,
    )}`;
}

export function renderOverview(view: View): Markup {
  const { clauses } = view.report;
  if (clauses.length === 0) return NOTHING;
  const counted = countShades(clauses.map(view.shadeOf));
  return html`<section id="overview" aria-labelledby="overview-title">
    <h2 id="overview-title" tabindex="-1">
      ${count(clauses.length, 'clause')} <span class="quiet">by area and verdict</span>
    </h2>
    ${renderStripe(
      14,
      counted.map(([shade, number]) => [`f-${shade}`, (number / clauses.length) * 100]),
    )}
    ${renderLegend(counted)}
    <ul class="areas">
      ${[...groupBy(clauses, ({ id }) => findArea(id))].map(([area, own]) => renderArea(view, area, own))}
    </ul>
    <p class="note">Each square is one clause, in the order of the contract. A broken one leads to its evidence.</p>
  </section>`;
}

function renderLegend(counted: ReturnType<typeof countShades>): Markup {
  return html`<ul class="legend">
    ${counted.map(
      ([shade, number]) =>
        html`<li>
          <a href="#verdict=${shade}&amp;at=${sectionFor(shade)}" title="${LOOKS[shade].meaning}"
            >${renderCell(shade)} <strong>${number}</strong> ${wordOfClause(shade)}</a
          >
        </li>`,
    )}
  </ul>`;
}

/** The section with the details. */
function sectionFor(shade: Shade): string {
  if (shade === 'fail') return 'failures';
  return shade === 'warn' ? 'warnings' : 'coverage';
}

function renderArea(view: View, area: string, own: readonly ClauseReport[]): Markup {
  const words = formatShades(own.map(view.shadeOf), wordOfClause);
  return html`<li>
    <a href="#area=${encodeURIComponent(area)}&amp;at=coverage">${area}</a>
    <span class="unseen">${words}</span>
    <span class="cells"> ${own.map((clause) => renderSquare(view, clause))} </span>
  </li>`;
}

/** Only a broken clause is a link: hundreds of them would be in the way of the keyboard. */
function renderSquare({ clauseAnchor, entries, shadeOf }: View, clause: ClauseReport): Markup {
  const shade = shadeOf(clause);
  const title = `${inert(clause.id, 120)}: ${wordOfClause(shade)}`;
  const attributes = html` title="${title}" data-clause="${clauseAnchor(clause.id) ?? ''}"`;
  const entry = entries.find(({ expectation }) => expectation.clause === clause.id);
  if (!entry) return renderCell(shade, attributes);
  return html`<a class="cell f-${shade}" href="#${entry.anchor}" aria-label="${title}" ${attributes}
    >${LOOKS[shade].sign}</a
  >`;
}

function renderCell(shade: Shade, attributes = NOTHING): Markup {
  return html`<span class="cell f-${shade}" aria-hidden="true" ${attributes}>${LOOKS[shade].sign}</span>`;
}
