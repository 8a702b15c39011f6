/** What could not be asked and what was not asked, by reason, with the setting that would change it. */
import type { CaseReport } from '../../report/report.ts';
import { type ExpectationReport, groupBy } from '../fold.ts';
import { didNotApply } from '../did-not-apply.ts';
import { leftOutInWords } from '../headings.ts';
import { count } from '../../text/layout.ts';
import { reasonInWords } from '../left-out.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { caseLink, clauseLink, section, tagged, tagsOfClause } from './parts.ts';
import type { View } from './view.ts';

interface LeftOut {
  readonly one: CaseReport;
  readonly expectation: ExpectationReport;
}

/** So many lines need no fold. */
const FEW = 3;

export function inconclusive(view: View): Markup {
  return leftOut(view, 'inconclusive', 'Inconclusive', 'Expectations without an answer that decides them.');
}

export function skipped(view: View): Markup {
  return leftOut(
    view,
    'skipped',
    'Skipped',
    'Expectations that were not tested. If a setting enables them, it is named.',
  );
}

function leftOut(view: View, verdict: 'inconclusive' | 'skipped', title: string, lead: string): Markup {
  const left: LeftOut[] = view.report.cases.flatMap((one) =>
    one.expectations.filter((each) => each.verdict === verdict).map((expectation) => ({ one, expectation })),
  );
  if (left.length === 0) return NOTHING;
  const idle = left.filter(({ expectation }) => didNotApply(expectation));
  const rest = left.filter(({ expectation }) => !didNotApply(expectation));
  // What can be enabled stands first.
  const sorted = byReason(rest).toSorted(([, a], [, b]) => Number(canBeEnabled(b)) - Number(canBeEnabled(a)));
  const body = [
    ...sorted.map(([reason, group]) => reasonGroup(view, verdict, reason, group)),
    idle.length === 0 ? NOTHING : notApplicable(view, verdict, idle),
  ];
  return section({
    id: verdict,
    title,
    items: left.length,
    lead: `${lead} ${leftOutInWords(view.report, verdict)}.`,
    body,
  });
}

function byReason(left: readonly LeftOut[]): readonly (readonly [string, readonly LeftOut[]])[] {
  return [...groupBy(left, ({ expectation }) => reasonInWords(expectation))];
}

/** Nobody can do anything about these, so they stand last and folded. */
function notApplicable(view: View, verdict: 'inconclusive' | 'skipped', idle: readonly LeftOut[]): Markup {
  return html`<details class="idle" data-group>
    <summary>${count(idle.length, 'expectation')} did not apply to this target</summary>
    ${byReason(idle).map(([reason, group]) => reasonGroup(view, verdict, reason, group))}
  </details>`;
}

function canBeEnabled(group: readonly LeftOut[]): boolean {
  return group.some(({ expectation }) => (expectation.enabledBy ?? []).length > 0);
}

function reasonGroup(
  view: View,
  verdict: 'inconclusive' | 'skipped',
  reason: string,
  group: readonly LeftOut[],
): Markup {
  const list = html`<ul class="rows">
    ${group.map(
      ({ one, expectation }) =>
        html`<li ${tagged(tagsOfClause(verdict, expectation.clause, expectation.level))}>
          ${caseLink(view, one.id)} <span class="quiet">for</span> ${clauseLink(view, expectation.clause)}
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
