/** Waivers and the baseline: their findings do not count, and stay visible. */
import type { BaselineReport, WaiverReport } from '../../report/excuses/excuse-report.ts';
import { inert } from '../../text/inert.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { countOlder, coverCauses, formatCovered, otherContractOfBaseline } from '../excused.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { linkCase, linkClause, renderSection } from './parts.ts';
import type { View } from './view.ts';

const WAIVER_STATES: Record<WaiverReport['state'], string> = {
  'in-use': 'in use',
  unused: 'unused: everything it names passed',
  undecided: 'undecided: not everything it names was judged',
  expired: 'expired',
  pending: 'pending: its date has not come yet',
};

export function renderWaivers(view: View): Markup {
  const { waivers: given } = view.report;
  if (!given) return NOTHING;
  return renderSection({
    id: 'waivers',
    title: 'Waivers',
    lead: html`From <code>${inert(given.file)}</code>, as of ${inert(given.today, 20)}. Waived findings do not count,
      and stay visible.`,
    body:
      given.entries.length === 0
        ? html`<p class="quiet">The file has no waivers.</p>`
        : html`<div class="cards">${given.entries.map((entry, at) => renderWaiver(view, entry, at + 1))}</div>`,
  });
}

function renderWaiver({ report, entries }: View, entry: WaiverReport, number: number): Markup {
  const names = [entry.case, entry.clause, entry.fingerprint].filter((name) => name !== undefined);
  const until = entry.until === undefined ? undefined : `until ${inert(entry.until, 20)}`;
  const announced = entry.announced && `announced for ${inert(entry.announced.date, 20)}`;
  // Shown as text: no link leads out of the page.
  const link = entry.link ?? entry.announced?.link;
  return html`<div class="card">
    <p class="label">Waiver ${number}, line ${entry.line}</p>
    <p>${names.map((name) => html`<code>${inert(name)}</code> `)}</p>
    <p>${inert(entry.reason, 400)}</p>
    <p class="quiet">
      ${[
        WAIVER_STATES[entry.state],
        formatCovered(coverCauses(entry, entries), traitsOf(report).caseWord),
        until,
        announced,
        entry.owner && inert(entry.owner, 80),
      ]
        .filter((word) => word !== undefined)
        .join(' · ')}
    </p>
    ${when(link, (address) => html`<p><code>${inert(address)}</code></p>`)}
  </div>`;
}

export function renderBaseline(view: View): Markup {
  const given: BaselineReport | undefined = view.report.baseline;
  if (!given) return NOTHING;
  return renderSection({
    id: 'baseline',
    title: 'Baseline',
    lead: html`<code>${inert(given.file)}</code>, run at ${inert(given.startedAt, 40)} against
      <code>${inert(given.baseUrl)}</code>.
      ${when(otherContractOfBaseline(view.report), (words) => html`${words} `)}Only findings that are not in the
      baseline count.`,
    body: html`<div class="cards">
      ${renderOlder(view, 'Fixed since the baseline', given.fixed)}
      ${renderOlder(view, 'In the baseline, but not judged in this run', given.notJudged)}
    </div>`,
  });
}

function renderOlder(view: View, title: string, findings: BaselineReport['fixed']): Markup {
  const rows = new Map(findings.map((each) => [`${each.case} ${each.clause}`, each]));
  return html`<div class="card">
    <p class="label">${title}: ${countOlder(view.report, findings)}</p>
    <ul class="rows">
      ${[...rows.values()].map((each) => html`<li>${linkCase(view, each.case)} <span class="quiet">for</span> ${linkClause(view, each.clause)}</li>`)}
    </ul>
  </div>`;
}
