/** Sections on the run: provenance, settings, cost and times; its profile, waivers and baseline. */
import type { ExchangeReport } from '../../report/exchange-report.ts';
import type { BaselineReport, WaiverReport } from '../../report/excuses/excuse-report.ts';
import type { Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { formatDuration } from '../../text/duration.ts';
import { inert } from '../../text/inert.ts';
import { coverCauses, formatCovered } from '../covered-causes.ts';
import { countOlder, otherContractOfBaseline } from '../excused.ts';
import { factRows, renderFactList, writeHtml } from '../document/write-html.ts';
import { costFact, profileFacts } from '../report/report-facts.ts';
import { areaTable } from '../report/report-tables.ts';
import { formatRequest } from '../request-text.ts';
import {
  formatProduct,
  formatRetries,
  formatSetting,
  formatTarget,
  formatTimeSpent,
  listGivenSettings,
  titleOfCases,
} from '../run-text.ts';
import { type Markup, NOTHING, html, join, when } from './markup.ts';
import { linkCase, linkClause, numberCell, renderFacts, renderId, type SectionParts, renderTable } from './parts.ts';
import type { View } from './view.ts';

const SLOWEST = 8;

export function runDetails(view: View): SectionParts {
  return {
    id: 'run',
    title: 'Run details',
    body: html`<div class="cards wide">
      ${renderCard('Provenance', renderProvenance(view.report))} ${renderCard('Settings', renderSettings(view.report))}
      ${
        // Under load, the report keeps a few requests only, and the slowest may not be among them.
        view.report.load ? NOTHING : renderCard('Slowest requests', renderSlowest(view), 'card on-screen')
      }
      ${renderCard(`${titleOfCases(view.report)} by suite`, writeHtml([areaTable(view.report)]))}
    </div>`,
  };
}

function renderCard(title: string, body: Markup, kind = 'card'): Markup {
  return html`<div class="${kind}">
    <h3>${title}</h3>
    ${body}
  </div>`;
}

function renderProvenance(report: Report): Markup {
  const { provenance: run, time, tool, target, outcome, strict } = report;
  return renderFacts([
    ['Target', html`<code>${inert(formatTarget(report))}</code>`],
    ['Product', productOf(report)],
    ['Model', target.model === undefined ? undefined : html`<code>${inert(target.model)}</code>`],
    ['Checker', `${tool.name} ${inert(tool.version)}, Node ${inert(run.node)}, ${inert(run.platform)}`],
    ['Started', renderInstant(run.startedAt)],
    [
      'Ended',
      html`${renderInstant(run.endedAt)}, after ${formatDuration(Date.parse(run.endedAt) - Date.parse(run.startedAt))}`,
    ],
    ['Retries', formatRetries(report)],
    ['Time', time && formatTimeSpent(time)],
    ...factRows(costFact(report, true)),
    ['Target clock', run.clockSkew === undefined ? undefined : formatClockSkew(run.clockSkew)],
    ['Strict', strict ? 'yes: broken should clauses count as failures' : 'no'],
    ['Exit code', outcome.exit],
    ['Seed', run.seed],
    ['Edition', report.edition === undefined ? undefined : renderEdition(report)],
    ['Contract hash', html`<code class="hash">${inert(run.contractHash)}</code>`],
  ]);
}

function productOf(report: Report): string | undefined {
  const product = formatProduct(report);
  return product === undefined ? undefined : inert(product, 600);
}

function renderEdition({ edition = '', editionDigest = '' }: Report): Markup {
  return html`${inert(edition, 40)} <code class="hash">${inert(editionDigest)}</code>`;
}

function renderInstant(text: string): Markup {
  return html`<time datetime="${text}"
    >${inert(text, 40)
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ' UTC')}</time
  >`;
}

function formatClockSkew(skew: number): string {
  if (skew === 0) return 'matches the local clock';
  return `${formatDuration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the local clock`;
}

function renderSettings({ provenance: run }: Report): Markup {
  const rows = listGivenSettings(run.settings);
  if (rows.length === 0) return html`<p class="quiet">All settings have their defaults.</p>`;
  return html`<p class="quiet">Set for this run; the others have their defaults.</p>
    ${renderFacts(rows.map(([path, value]) => settingFact(formatSetting(path, value))))}`;
}

function settingFact([label, values]: ReturnType<typeof formatSetting>): readonly [string, Markup] {
  const shown = values.map((value) => html`<code>${inert(value)}</code>`);
  return [inert(label, 100), join(shown, html`, `)];
}

function renderSlowest(view: View): Markup {
  const timed = view.report.exchanges
    .flatMap((exchange) => exchange.attempts.flatMap(({ answer }) => (answer ? [{ exchange, answer }] : [])))
    .toSorted((a, b) => b.answer.endAt - a.answer.endAt)
    .slice(0, SLOWEST);
  if (timed.length === 0) return html`<p class="quiet">No request was answered.</p>`;
  return renderTable({
    name: 'Slowest requests',
    heads: ['request', 'headers', 'end'],
    rows: timed.map(({ exchange, answer }) => [
      nameRequest(view, exchange),
      numberCell(formatDuration(answer.headersAt)),
      numberCell(formatDuration(answer.endAt)),
    ]),
  });
}

function nameRequest(view: View, exchange: ExchangeReport): Markup {
  const sender = view.sender(exchange.id);
  const name = sender ? linkCase(view, sender.id) : renderId(exchange.id);
  return html`${name}<span class="quiet">${formatRequest(exchange, undefined, view.root)}</span>`;
}

export function profile({ report }: View): SectionParts | undefined {
  const { profile } = report;
  return (
    profile && {
      id: 'profile',
      title: 'Profile',
      ...(profile.about !== undefined && { lead: inert(profile.about, 600) }),
      body: html`${renderFactList(profileFacts(report))}
        <p class="quiet">Digest <code class="hash">${inert(profile.digest, 64)}</code></p>`,
    }
  );
}

const WAIVER_STATES: Record<WaiverReport['state'], string> = {
  'in-use': 'in use',
  unused: 'unused: everything it names passed',
  undecided: 'undecided: not everything it names was judged',
  expired: 'expired',
  pending: 'pending: its date has not come yet',
};

export function waivers(view: View): SectionParts | undefined {
  const { waivers: given } = view.report;
  return (
    given && {
      id: 'waivers',
      title: 'Waivers',
      count: given.entries.length,
      lead: html`From <code>${inert(given.file)}</code>, as of ${inert(given.today, 20)}. Waived findings do not count,
        and stay visible.`,
      body:
        given.entries.length === 0
          ? html`<p class="quiet">The file has no waivers.</p>`
          : html`<div class="cards">${given.entries.map((entry, at) => renderWaiver(view, entry, at + 1))}</div>`,
    }
  );
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

export function baseline(view: View): SectionParts | undefined {
  const given: BaselineReport | undefined = view.report.baseline;
  return (
    given && {
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
    }
  );
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
