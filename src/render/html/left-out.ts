/** What could not be asked and what was not asked, by reason, with the setting that would change it. */
import type { CaseReport } from '../../report/report.ts';
import { type ExpectationReport, groupBy } from '../fold.ts';
import { inert } from '../inert.ts';
import { count } from '../layout.ts';
import { settingFor } from '../setting-for.ts';
import { html, join, type Markup, NOTHING, when } from './markup.ts';
import { caseLink, clauseLink, section, tagged, tagsOfClause } from './parts.ts';
import type { View } from './view.ts';

interface LeftOut {
  readonly one: CaseReport;
  readonly expectation: ExpectationReport;
}

/** So many lines need no fold. */
const FEW = 8;

export function inconclusive(view: View): Markup {
  return leftOut(
    view,
    'inconclusive',
    'Inconclusive',
    'Asked, or meant to be asked, without an answer that decides it.',
  );
}

export function skipped(view: View): Markup {
  return leftOut(
    view,
    'skipped',
    'Skipped',
    'Not asked in this run. Where a setting would enable it, the setting is named.',
  );
}

function leftOut(view: View, verdict: 'inconclusive' | 'skipped', title: string, lead: string): Markup {
  const left: LeftOut[] = view.report.cases.flatMap((one) =>
    one.expectations.filter((each) => each.verdict === verdict).map((expectation) => ({ one, expectation })),
  );
  if (left.length === 0) return NOTHING;
  const groups = [...groupBy(left, ({ expectation }) => JSON.stringify([expectation.reason, expectation.enabledBy]))];
  // What can be enabled stands first.
  const sorted = groups.toSorted(([, a], [, b]) => Number(settingsOf(b).length > 0) - Number(settingsOf(a).length > 0));
  const body = sorted.map(([, group]) => reasonGroup(view, verdict, group));
  return section({ id: verdict, title, items: left.length, lead, body });
}

function settingsOf(group: readonly LeftOut[]): readonly string[] {
  return group[0]?.expectation.enabledBy ?? [];
}

function reasonGroup(view: View, verdict: 'inconclusive' | 'skipped', group: readonly LeftOut[]): Markup {
  const settings = settingsOf(group).map((name) => html`<code>${inert(settingFor(name))}</code>`);
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
    <p>
      <strong class="said">${sentence(group[0]?.expectation.reason ?? 'no reason was given')}</strong>
      ${when(settings.length > 0 && settings, (named) => html`Enable with ${join(named, html` and `)}.`)}
    </p>
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

function sentence(reason: string): string {
  const text = inert(reason, 300);
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…)]$/.test(capital) ? capital : `${capital}.`;
}
