/** Sections on clauses: all of them with their verdicts, those that were not judged by reason, what was observed, tolerance. */

import type { ClauseReport, Report, Sureness } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { rarestSeen } from '../../report/make-report.ts';
import { count, groupDigits, inert } from '../../text/layout.ts';
import { renderFactList } from '../document/write-html.ts';
import { LOOKS, wordOfClause } from '../looks.ts';
import { groupSkippedBeside, groupUnjudged, type UnjudgedGroup, type UnjudgedShade } from '../unjudged.ts';
import { formatPart, READINGS } from '../profile-text.ts';
import { titleOfCases, toleranceFact } from '../run-text.ts';
import { listObserved, type ObservedClause } from '../observed.ts';
import { html, join, type Markup, NOTHING, when } from './markup.ts';
import {
  foldByArea,
  keepFlags,
  linkCase,
  linkClause,
  listCases,
  renderBadge,
  renderFacts,
  renderFold,
  renderId,
  renderLink,
  renderTags,
  type SectionParts,
  tagClause,
} from './parts.ts';
import { findArea, type View } from './view.ts';

/** Every clause in the order of the contract. Findings link to its row. */
export function coverage(view: View): SectionParts {
  const { clauses } = view.report;
  return {
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
  };
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

/** More lines than this are folded. */
const FEW = 3;

const WORDS: Readonly<Record<UnjudgedShade, { readonly title: string; readonly lead: string }>> = {
  inconclusive: {
    title: 'Inconclusive',
    lead: 'Clauses that at least one case could not decide. If other cases did, the row says so.',
  },
  skipped: { title: 'Not tested', lead: 'Clauses that this run did not test. If a setting enables them, it is named.' },
  idle: { title: 'No occasion', lead: 'Clauses that nothing in this run gave an occasion to judge.' },
};

/** A section for each shade, counted in clauses as in the overview. */
export function leftOut(view: View): readonly SectionParts[] {
  return (['inconclusive', 'skipped', 'idle'] as const).flatMap((id) => {
    const groups = groupUnjudged(view.report, id);
    const number = groups.reduce((sum, { clauses }) => sum + clauses.length, 0);
    const beside = id === 'skipped' ? renderBeside(view) : NOTHING;
    if (number === 0 && beside === NOTHING) return [];
    const { title, lead } = WORDS[id];
    return {
      id,
      title,
      ...(number > 0 && { items: number }),
      lead: number === 0 ? 'Every clause of this run was tested, but not by every case.' : lead,
      body: html`${groups.map((group) => renderReason(view, id, group))} ${beside}`,
    };
  });
}

function renderReason(view: View, shade: UnjudgedShade, { reason, clauses }: UnjudgedGroup): Markup {
  const list = html`<ul class="rows">
    ${clauses.map((each) => renderClauseRow(view, shade, each))}
  </ul>`;
  const number = count(clauses.length, 'clause');
  return html`<div class="reason v-${shade}" data-group>
    <p class="said">${keepFlags(capitalize(reason))} <span class="quiet on-paper">(${number})</span></p>
    ${clauses.length <= FEW ? list : renderFold(number, list)}
  </div>`;
}

function renderClauseRow(
  view: View,
  shade: UnjudgedShade,
  { clause, cases, others, decidedBy }: UnjudgedGroup['clauses'][number],
): Markup {
  const noun = traitsOf(view.report).caseWord;
  const shown = cases.slice(0, FEW).map((id) => linkCase(view, id));
  return html`<li ${renderTags(tagClause(shade, clause.id, clause.level))}>
    ${linkClause(view, clause.id)} <span class="tag">${clause.level}</span> <span class="quiet">in</span>
    ${join(shown, html`, `)}${cases.length > FEW ? ` and ${count(cases.length - FEW, `more ${noun}`)}` : ''}
    ${when(decidedBy > 0 && decidedBy, (number) => html`<span class="quiet">(decided by ${count(number, `other ${noun}`)})</span>`)}
    ${when(others.length > 0 && others, (all) => html`<span class="quiet">(or ${all.join(', or ')})</span>`)}
  </li>`;
}

/** Nothing is lost by these, so they come last and folded. */
function renderBeside(view: View): Markup {
  const groups = groupSkippedBeside(view.report);
  if (groups.length === 0) return NOTHING;
  const number = new Set(groups.flatMap(({ cases }) => cases)).size;
  const noun = traitsOf(view.report).caseWord;
  const listed = groups.map(
    ({ reason, cases }) =>
      html`<div class="reason v-skipped">
        <p class="said">${keepFlags(capitalize(reason))}</p>
        ${listCases(view, cases, Infinity)}
      </div>`,
  );
  const title = `${count(number, noun)} skipped whose clauses other ${noun}s judged`;
  return renderFold(title, listed, { kind: 'idle on-screen' });
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MAX_VALUES = 40;

export function observations(view: View): SectionParts | undefined {
  const all = listObserved(view.report);
  if (all.length === 0) return undefined;
  const lowered = all.some(({ isLowered }) => isLowered) ? ', or their level is observe' : '';
  return {
    id: 'observations',
    title: 'Observations',
    items: all.length,
    lead: `The contract leaves these open${lowered}, so they are not judged. They are recorded so that runs can be compared.`,
    body: foldByArea(all, {
      noun: 'clause',
      areaOf: ({ clause }) => findArea(clause),
      render: (own) => html`<div class="observations">${own.map((each) => renderObservation(view, each))}</div>`,
    }),
  };
}

function renderObservation(view: View, { clause, facts }: ObservedClause): Markup {
  const { summary, level = 'observe' } = view.clause(clause) ?? {};
  return html`<div class="observation" ${renderTags(tagClause('observed', clause, level))}>
    <p>${linkClause(view, clause)} ${when(summary, (text) => html`<span class="quiet">${inert(text, 300)}</span>`)}</p>
    ${renderFacts(facts.map(([name, values]) => [inert(name, 100), renderValues(values)]))}
  </div>`;
}

function renderValues(distinct: readonly string[]): Markup {
  if (distinct.length === 0) return html`<span class="quiet">none</span>`;
  const shown = distinct.slice(0, MAX_VALUES).map((value) => html`<code>${inert(value, 400)}</code>`);
  const more = distinct.length - shown.length;
  return html`${join(shown, html`, `)}${more > 0 ? ` and ${groupDigits(more)} more` : ''}`;
}

/** Only reports on a gateway's front have this section. */
export function tolerance({ report }: View): SectionParts | undefined {
  const facts = toleranceFact(report, true);
  if (facts.length === 0) return undefined;
  const lead = 'Unknown fields in requests, and fields beyond the contract in answers, which the contract allows.';
  return { id: 'tolerance', title: 'Tolerance', lead, body: renderFactList(facts) };
}
