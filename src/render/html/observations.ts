/** Behaviour that the contract leaves open, and unknown fields. */
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { count, groupDigits } from '../../text/layout.ts';
import { formatObservations } from '../../verdict/observation.ts';
import { formatUntested } from '../explore-text.ts';
import { type ObservedClause, listObserved } from '../seen-text.ts';
import { foldByArea } from './folds.ts';
import { html, join, type Markup, NOTHING, when } from './markup.ts';
import { linkClause, renderSection, renderTags, tagClause } from './parts.ts';
import { findArea, type View } from './view.ts';

const MAX_VALUES = 40;

export function renderObservations(view: View): Markup {
  const all = listObserved(view.report);
  if (all.length === 0) return NOTHING;
  return renderSection({
    id: 'observations',
    title: 'Observations',
    items: all.length,
    lead: `${formatWhyObserved(all)} They are recorded so that runs can be compared.`,
    body: foldByArea(all, {
      noun: 'clause',
      areaOf: ({ clause }) => findArea(clause),
      render: (own) => html`<div class="observations">${own.map((each) => renderObservation(view, each))}</div>`,
    }),
  });
}

function formatWhyObserved(all: readonly ObservedClause[]): string {
  return all.some(({ isLowered }) => isLowered)
    ? 'The contract leaves these open, or their level is observe, so they are not judged.'
    : 'The contract leaves these open, so they are not judged.';
}

function renderObservation(view: View, { clause, facts }: ObservedClause): Markup {
  const { summary, level = 'observe' } = view.clause(clause) ?? {};
  return html`<div class="observation" ${renderTags(tagClause('observed', clause, level))}>
    <p>${linkClause(view, clause)} ${when(summary, (text) => html`<span class="quiet">${inert(text, 300)}</span>`)}</p>
    <dl class="facts">
      ${facts.map(
        ([name, values]) =>
          html`<div>
            <dt>${inert(name, 100)}</dt>
            <dd>${renderValues(values)}</dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

function renderValues(distinct: readonly string[]): Markup {
  if (distinct.length === 0) return html`<span class="quiet">none</span>`;
  const shown = distinct.slice(0, MAX_VALUES).map((value) => html`<code>${inert(value, 400)}</code>`);
  const more = distinct.length - shown.length;
  return html`${join(shown, html`, `)}${more > 0 ? ` and ${groupDigits(more)} more` : ''}`;
}

/** Of a gateway's front only. */
export function renderTolerance({ report }: View): Markup {
  if (!traitsOf(report).isPlanned) return NOTHING;
  const { unknownRequestFields: sent, unknownAnswerFields: extra } = report.tolerance;
  return renderSection({
    id: 'tolerance',
    title: 'Tolerance',
    lead: 'Unknown fields in requests, and fields beyond the contract in answers.',
    body: html`<div class="cards">
      <div class="card">
        <p class="label">In requests</p>
        <p>
          ${sent.asked === 0 ? `Unknown request fields were ${formatUntested(report)} in this run.` : html`<strong>${sent.ignored} of ${sent.asked}</strong> cases with unknown request fields were answered.`}
        </p>
      </div>
      <div class="card">
        <p class="label">In answers</p>
        ${renderExtraFields(extra)}
      </div>
    </div>`,
  });
}

function renderExtraFields(extra: Report['tolerance']['unknownAnswerFields']): Markup {
  if (!extra) return html`<p>Fields beyond the contract were not looked for in this run.</p>`;
  if (extra.length === 0) return html`<p>Answers have no fields beyond the contract.</p>`;
  return html`<p><strong>${count(extra.length, 'field')}</strong> beyond the contract, which the contract allows:</p>
    <ul class="ids">
      ${formatObservations(extra).map((field) => html`<li><code>${inert(field)}</code></li>`)}
    </ul>`;
}
