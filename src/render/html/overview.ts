/** The top of the page: the verdict in one sentence, and the picture of all clauses. */
import type { ClauseReport, Report } from '../../report/report.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';
import { groupBy } from '../fold.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { verdictLine } from '../verdict-line.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { duration } from './parts.ts';
import { MEANING, SIGN, WORD } from './verdict-mark.ts';
import { areaOf, type Shade, SHADES, type View } from './view.ts';

/** The verdict of the run wears the look of the verdict that it is most like. */
export const SHADE_OF: Record<Report['outcome']['name'], Shade> = {
  conforms: 'pass',
  'conforms-in-part': 'warn',
  'conforms-but-waived': 'warn',
  'no-new-violations': 'warn',
  'does-not-conform': 'fail',
  'not-judged': 'inconclusive',
};

export function verdictHeader({ report }: View): Markup {
  const { target, tool, provenance, strict, outcome } = report;
  const shade = SHADE_OF[outcome.name];
  const line = verdictLine(report);
  const colon = line.indexOf(':');
  const passed = Date.parse(provenance.endedAt) - Date.parse(provenance.startedAt);
  return html`<div class="verdict v-${shade}">
      <p class="medal" aria-hidden="true">${SIGN[shade]}</p>
      <div>
        <h1><strong>${line.slice(0, colon)}</strong><span>${line.slice(colon)}</span></h1>
        <p class="about">
          <code>${inert(target.baseUrl)}</code>
          ${when(target.model, (model) => html`<span>model <code>${inert(model, 80)}</code></span>`)}
          <span>${inert(provenance.startedAt, 40).slice(0, 16).replace('T', ' ')} UTC, ${duration(passed)}</span>
          <span>wirecheck ${inert(tool.version, 40)}</span>
          ${strict ? html`<span class="tag loud">strict</span>` : ''}
        </p>
        ${when(adviseOnEnding(report.ending, report.target.baseUrl), (sentence) => html`<p class="ending">${sentence}</p>`)}
      </div>
    </div>
    ${when(
      report.notices.length > 0 && report.notices,
      (notices) =>
        html`<ul class="notices" aria-label="Notices">
          ${notices.map((notice) => html`<li>${inert(notice, 600)}</li>`)}
        </ul>`,
    )}`;
}

export function picture({ report }: View): Markup {
  const { clauses } = report;
  if (clauses.length === 0) return NOTHING;
  const numbered = clauses.map((clause, at) => ({ clause, number: at + 1 }));
  return html`<section id="overview" aria-labelledby="overview-title">
    <h2 id="overview-title" tabindex="-1">
      ${count(clauses.length, 'clause')} <span class="quiet">by area and verdict</span>
    </h2>
    ${stripe(clauses)} ${legend(clauses)}
    <ul class="areas">
      ${[...groupBy(numbered, ({ clause }) => areaOf(clause.id))].map(([area, own]) => areaCard(area, own))}
    </ul>
    <p class="note">Each square is one clause, in the order of the contract.</p>
  </section>`;
}

function shadeOf({ verdict }: ClauseReport): Shade {
  return verdict ?? 'none';
}

function tally(clauses: readonly ClauseReport[]): readonly (readonly [Shade, number])[] {
  return SHADES.map((shade) => [shade, clauses.filter((clause) => shadeOf(clause) === shade).length] as const);
}

/** All clauses as one bar. The legend says the same in numbers. */
function stripe(clauses: readonly ClauseReport[]): Markup {
  let from = 0;
  return html`<svg class="stripe" width="100%" height="14" aria-hidden="true">
    ${tally(clauses).map(([shade, number]) => {
      const x = (from / clauses.length) * 100;
      from += number;
      return number === 0
        ? NOTHING
        : html`<rect
            class="f-${shade}"
            x="${x.toFixed(2)}%"
            width="${((number / clauses.length) * 100).toFixed(2)}%"
            height="14"
          />`;
    })}
  </svg>`;
}

function legend(clauses: readonly ClauseReport[]): Markup {
  return html`<ul class="legend">
    ${tally(clauses).map(([shade, number]) =>
      number === 0
        ? NOTHING
        : html`<li>
            <a href="#verdict=${shade}&amp;at=${placeOf(shade)}" title="${MEANING[shade]}"
              >${cell(shade)} <strong>${number}</strong> ${WORD[shade]}</a
            >
          </li>`,
    )}
  </ul>`;
}

/** Where the page says more about it. */
function placeOf(shade: Shade): string {
  if (shade === 'fail') return 'failures';
  return shade === 'warn' ? 'warnings' : 'coverage';
}

interface Numbered {
  readonly clause: ClauseReport;
  readonly number: number;
}

function areaCard(area: string, own: readonly Numbered[]): Markup {
  const counted = tally(own.map(({ clause }) => clause)).filter(([, number]) => number > 0);
  const words = counted.map(([shade, number]) => `${number} ${WORD[shade]}`).join(', ');
  return html`<li>
    <a href="#area=${encodeURIComponent(area)}&amp;at=coverage">${area}</a>
    <span class="unseen">${words}</span>
    <span class="cells" aria-hidden="true">
      ${own.map(({ clause, number }) => cell(shadeOf(clause), { number, title: `${inert(clause.id, 120)}: ${WORD[shadeOf(clause)]}` }))}
    </span>
  </li>`;
}

function cell(shade: Shade, clause?: { readonly number: number; readonly title: string }): Markup {
  const more = clause ? html` title="${clause.title}" data-clause="clause-${clause.number}"` : NOTHING;
  return html`<span class="cell f-${shade}" aria-hidden="true" ${more}>${SIGN[shade]}</span>`;
}
