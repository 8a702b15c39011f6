/** Every clause in the order of the contract, with its verdict, level, reading and cases. Findings link to its row. */
import type { ClauseReport, Report, Sureness } from '../../report/report.ts';
import { rarestSeen } from '../../report/sureness.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { LOOKS, wordOfClause } from '../looks.ts';
import { READINGS, formatPart } from '../profile-text.ts';
import { titleOfCases } from '../run-text.ts';
import { foldByArea } from './folds.ts';
import { html, type Markup, when } from './markup.ts';
import { linkCase, listCases, renderId, renderLink, renderSection, renderTags, tagClause } from './parts.ts';
import { renderBadge } from './verdict-mark.ts';
import { findArea, type View } from './view.ts';

export function renderCoverage(view: View): Markup {
  const { clauses } = view.report;
  return renderSection({
    id: 'coverage',
    title: 'Coverage',
    items: clauses.length,
    lead: 'Every clause by area, in the order of the contract. Its verdict is the worst verdict among its cases.',
    body: foldByArea(clauses, {
      noun: 'clause',
      areaOf: ({ id }) => findArea(id),
      shadeOf: view.shadeOf,
      wordOf: wordOfClause,
      render: (own, area) => renderTable(view, own, area),
    }),
  });
}

/** Explicit roles: the narrow layout overrides the table's display, which hides its structure from screen readers. */
function renderTable(view: View, clauses: readonly ClauseReport[], area: string): Markup {
  return html`<table class="coverage" role="table" aria-label="Clauses of ${area}">
    <thead role="rowgroup">
      <tr role="row">
        <th role="columnheader" scope="col">Verdict</th>
        <th role="columnheader" scope="col">Clause</th>
        <th role="columnheader" scope="col">Level</th>
        <th role="columnheader" scope="col">${titleOfCases(view.report)}</th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${clauses.map((clause) => renderRow(view, clause))}
    </tbody>
  </table>`;
}

function renderRow(view: View, clause: ClauseReport): Markup {
  const { id, level, levelWas, why, summary } = clause;
  const verdict = view.shadeOf(clause);
  const anchor = view.clauseAnchor(id) ?? '';
  const entry = view.entries.find(({ expectation }) => expectation.clause === id);
  return html`<tr role="row" id="${anchor}" tabindex="-1" ${renderTags(tagClause(verdict, id, level))}>
    <td role="cell">${renderBadge(verdict)}</td>
    <th role="rowheader" scope="row">
      ${entry ? html`<a href="#${entry.anchor}">${renderId(id)}</a>` : renderId(id)}
      ${renderLink(entry?.anchor ?? anchor)}
      <span class="summary">${inert(summary, 400)}</span>
      ${when(why, (reason) => html`<span class="why">${inert(reason, 400)}</span>`)}
    </th>
    <td role="cell">
      <span class="level">${level === 'none' ? 'not judged' : level}</span>
      <span class="quiet">${formatReading(view.report, clause)}</span>
      ${when(levelWas, (was) => html`<span class="tag loud">changed from ${was}</span>`)}
      ${when(clause.sureness, (sure) => html`<span class="quiet sureness">${formatSureness(sure)}</span>`)}
    </td>
    <td role="cell">${renderClauseCases(view, clause)}</td>
  </tr>`;
}

/** How many answers the verdict rests on, and how rare a fault they would have shown. */
function formatSureness({ answers, edits, fewest }: Sureness): string {
  const counted = edits === 1 ? count(answers, 'answer') : `${count(answers, 'answer')}, at least ${fewest} of a kind`;
  const oneIn = rarestSeen(fewest);
  return `${counted}: ${oneIn === 1 ? 'would have seen a constant fault' : `would have seen a fault in 1 of ${oneIn}`}`;
}

/** How the contract was read to arrive at the clause. */
function formatReading(report: Report, clause: ClauseReport): string {
  const part = formatPart(report, clause, clause.kind);
  return clause.part === '-' ? part : `${READINGS[clause.kind]}, ${part}`;
}

const SCOPES: Record<ClauseReport['scope'], string> = {
  run: LOOKS.none.word,
  'extra-key': 'needs an extra key',
  patience: 'needs --patient',
  models: 'needs a second --upstream-model',
  budget: 'needs --budget',
  comparison: 'needs a comparison of two runs',
  description: 'needs the OpenAPI description',
};

function renderClauseCases(view: View, { cases: ids, scope, kind }: ClauseReport): Markup {
  if (ids.length === 0)
    return html`<span class="quiet">${kind === 'outside' ? LOOKS.outside.meaning : SCOPES[scope]}</span>`;
  const [first] = ids;
  return ids.length === 1 && first !== undefined ? linkCase(view, first) : listCases(view, ids, 1);
}
