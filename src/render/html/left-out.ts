/** Inconclusive and skipped expectations by reason, with the setting that enables them. */
import { countLeftOut } from '../headings.ts';
import { count } from '../../text/layout.ts';
import {
  groupByReason,
  isEnabledBySetting,
  isNotApplicable,
  type LeftOutExpectation,
  listLeftOut,
} from '../left-out.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { linkCase, linkClause, renderSection, renderTags, tagClause } from './parts.ts';
import type { View } from './view.ts';

/** More lines than this are folded. */
const FEW = 3;

type LeftOutVerdict = 'inconclusive' | 'skipped';

const LEADS: Readonly<Record<LeftOutVerdict, string>> = {
  inconclusive: 'Expectations that no answer could decide.',
  skipped: 'Expectations whose requests were not sent, or that did not apply. If a setting enables them, it is named.',
};

export function renderLeftOut(view: View, verdict: LeftOutVerdict, title: string): Markup {
  const left = listLeftOut(view.report, verdict);
  if (left.length === 0) return NOTHING;
  const idle = left.filter(({ expectation }) => isNotApplicable(expectation));
  const rest = left.filter(({ expectation }) => !isNotApplicable(expectation));
  // Those that a setting enables come first.
  const sorted = groupByReason(rest).toSorted(([, a], [, b]) => Number(canBeEnabled(b)) - Number(canBeEnabled(a)));
  const body = [
    ...sorted.map(([reason, group]) => renderReason(view, verdict, reason, group)),
    idle.length === 0 ? NOTHING : renderNotApplicable(view, verdict, idle),
  ];
  return renderSection({
    id: verdict,
    title,
    items: left.length,
    lead: `${LEADS[verdict]} ${count(left.length, 'expectation')} in ${countLeftOut(view.report, verdict)}.`,
    body,
  });
}

/** Nothing can be done about these, so they come last and folded. */
function renderNotApplicable(view: View, verdict: LeftOutVerdict, idle: readonly LeftOutExpectation[]): Markup {
  return html`<details class="idle" data-group>
    <summary>${count(idle.length, 'expectation')} did not apply to this target</summary>
    ${groupByReason(idle).map(([reason, group]) => renderReason(view, verdict, reason, group))}
  </details>`;
}

function canBeEnabled(group: readonly LeftOutExpectation[]): boolean {
  return group.some(({ expectation }) => isEnabledBySetting(expectation));
}

function renderReason(
  view: View,
  verdict: LeftOutVerdict,
  reason: string,
  group: readonly LeftOutExpectation[],
): Markup {
  const list = html`<ul class="rows">
    ${group.map(
      ({ testCase, expectation }) =>
        html`<li ${renderTags(tagClause(verdict, expectation.clause, expectation.level))}>
          ${linkCase(view, testCase.id)} <span class="quiet">for</span> ${linkClause(view, expectation.clause)}
          <span class="tag">${expectation.level}</span>
        </li>`,
    )}
  </ul>`;
  return html`<div class="reason v-${verdict}" data-group>
    <p class="said">${reason.charAt(0).toUpperCase() + reason.slice(1)}</p>
    ${
      group.length <= FEW
        ? list
        : html`<details>
            <summary>${count(group.length, 'expectation')}</summary>
            ${list}
          </details>`
    }
  </div>`;
}
