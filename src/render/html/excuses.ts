/** What is broken and yet does not count: waivers, and what stood in the baseline already. Both stay in sight. */
import type { BaselineReport, WaiverReport } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { caseLink, clauseLink, section } from './parts.ts';
import type { View } from './view.ts';

const STATE_IN_WORDS: Record<WaiverReport['state'], string> = {
  'in-use': 'in use',
  unused: 'unused: everything that it names passed',
  undecided: 'undecided: not all that it names was judged',
  expired: 'expired: no longer applies',
  pending: 'pending: its day is still to come',
};

export function waivers({ report }: View): Markup {
  const { waivers: given } = report;
  if (!given) return NOTHING;
  return section({
    id: 'waivers',
    title: 'Waivers',
    lead: html`From <code>${inert(given.file)}</code>, as of ${inert(given.today, 20)}. What is waived stays in sight
      and does not count.`,
    body:
      given.entries.length === 0
        ? html`<p class="quiet">The file holds none.</p>`
        : html`<div class="cards">${given.entries.map(waiverCard)}</div>`,
  });
}

function waiverCard(entry: WaiverReport, at: number): Markup {
  const names = [entry.case, entry.clause, entry.fingerprint].filter((name) => name !== undefined);
  const until = entry.until === undefined ? undefined : `until ${inert(entry.until, 20)}`;
  const announced = entry.announced && `announced for ${inert(entry.announced.date, 20)}`;
  // An address is shown, never linked: nothing in the page leads out of it.
  const link = entry.link ?? entry.announced?.link;
  return html`<div class="card">
    <p class="label">Waiver ${at + 1}, line ${entry.line}</p>
    <p>${names.map((name) => html`<code>${inert(name)}</code> `)}</p>
    <p>${inert(entry.reason, 400)}</p>
    <p class="quiet">
      ${[
        STATE_IN_WORDS[entry.state],
        count(entry.findings, 'finding'),
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

export function baseline(view: View): Markup {
  const given: BaselineReport | undefined = view.report.baseline;
  if (!given) return NOTHING;
  return section({
    id: 'baseline',
    title: 'Baseline',
    lead: html`<code>${inert(given.file)}</code>, a run of ${inert(given.startedAt, 40)} against
      <code>${inert(given.baseUrl)}</code
      >${given.sameContract ? '' : ', with another state of the contract and the built-in suites'}. Only what is new
      since then counts.`,
    body: html`<div class="cards">
      ${older(view, 'Fixed since then', given.fixed)} ${older(view, 'Could not be told in this run', given.untold)}
    </div>`,
  });
}

function older(view: View, title: string, findings: BaselineReport['fixed']): Markup {
  const rows = new Map(findings.map((each) => [`${each.case} ${each.clause}`, each]));
  return html`<div class="card">
    <p class="label">${title}: ${count(findings.length, 'finding')}</p>
    <ul class="rows">
      ${[...rows.values()].map((each) => html`<li>${caseLink(view, each.case)} <span class="quiet">for</span> ${clauseLink(view, each.clause)}</li>`)}
    </ul>
  </div>`;
}
