/** Behaviour that the contract leaves open, and unknown fields. */
import { groupBy } from '../../report/counts.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { count, groupDigits } from '../../text/layout.ts';
import { formatObservationName, formatObservations, type ObservedValue } from '../../verdict/observation.ts';
import { formatUntested } from '../explore-text.ts';
import { foldByArea } from './folds.ts';
import { html, join, type Markup, NOTHING, when } from './markup.ts';
import { linkClause, renderSection, renderTags, tagClause } from './parts.ts';
import { findArea, type View } from './view.ts';

const MAX_VALUES = 40;

export function renderObservations(view: View): Markup {
  const order = view.report.clauses.map(({ id }) => id);
  const byClause = [...groupBy(view.report.observations, ({ clause }) => clause)].toSorted(
    ([a], [b]) => order.indexOf(a) - order.indexOf(b),
  );
  if (byClause.length === 0) return NOTHING;
  return renderSection({
    id: 'observations',
    title: 'Observations',
    items: byClause.length,
    lead: 'The contract leaves these open, so they are not judged. They are recorded so that runs can be compared.',
    body: foldByArea(byClause, {
      noun: 'clause',
      areaOf: ([clause]) => findArea(clause),
      render: (own) =>
        html`<div class="observations">${own.map(([clause, group]) => renderObservation(view, clause, group))}</div>`,
    }),
  });
}

function renderObservation(view: View, clause: string, group: Report['observations']): Markup {
  const { summary, level = 'observe' } = view.clause(clause) ?? {};
  return html`<div class="observation" ${renderTags(tagClause('observed', clause, level))}>
    <p>${linkClause(view, clause)} ${when(summary, (text) => html`<span class="quiet">${inert(text, 300)}</span>`)}</p>
    <dl class="facts">
      ${[...groupBy(group, formatObservationName)].map(
        ([name, same]) =>
          html`<div>
            <dt>${inert(name, 100)}</dt>
            <dd>${renderValues(same.map(({ value }) => value))}</dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

function renderValues(seen: readonly ObservedValue[]): Markup {
  const distinct = formatObservations(seen);
  if (distinct.length === 0) return html`<span class="quiet">none</span>`;
  const shown = distinct.slice(0, MAX_VALUES).map((value) => html`<code>${inert(value, 200)}</code>`);
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
          ${sent.asked === 0 ? `Unknown request fields were ${formatUntested(report)} in this run.` : html`<strong>${sent.ignored} of ${sent.asked}</strong> unknown request fields were ignored.`}
        </p>
      </div>
      <div class="card">
        <p class="label">In answers</p>
        ${
          extra.length === 0
            ? html`<p>Answers have no fields beyond the contract.</p>`
            : html`<p>
                  <strong>${count(extra.length, 'field')}</strong> beyond the contract, which the contract allows:
                </p>
                <ul class="ids">
                  ${formatObservations(extra).map((field) => html`<li><code>${inert(field)}</code></li>`)}
                </ul>`
        }
      </div>
    </div>`,
  });
}
