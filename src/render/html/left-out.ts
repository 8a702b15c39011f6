/** Clauses that were not judged, by reason, with the setting that enables them. Each has one row, so that the numbers add up. */
import { count } from '../../text/layout.ts';
import {
  groupSkippedBeside,
  groupUnjudged,
  type UnjudgedClause,
  type UnjudgedGroup,
  type UnjudgedShade,
} from '../not-judged.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { html, join, type Markup, NOTHING, when } from './markup.ts';
import {
  keepFlags,
  linkCase,
  linkClause,
  listCases,
  renderFold,
  renderSection,
  renderTags,
  tagClause,
} from './parts.ts';
import type { View } from './view.ts';

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
export function listLeftOutSections(view: View) {
  return (['inconclusive', 'skipped', 'idle'] as const).map((id) => {
    const groups = groupUnjudged(view.report, id);
    const number = groups.reduce((sum, { clauses }) => sum + clauses.length, 0);
    const shown = number === 0 ? undefined : number;
    return { id, title: WORDS[id].title, count: shown, markup: renderLeftOut(view, id, groups, number) };
  });
}

function renderLeftOut(view: View, id: UnjudgedShade, groups: readonly UnjudgedGroup[], number: number): Markup {
  const beside = id === 'skipped' ? renderBeside(view) : NOTHING;
  if (number === 0 && beside === NOTHING) return NOTHING;
  return renderSection({
    id,
    title: WORDS[id].title,
    ...(number > 0 && { items: number }),
    lead: number === 0 ? 'Every clause of this run was tested, but not by every case.' : WORDS[id].lead,
    body: html`${groups.map((group) => renderReason(view, id, group))} ${beside}`,
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
  { clause, cases, others, decidedBy }: UnjudgedClause,
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
