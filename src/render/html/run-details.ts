/** Sections on the run: provenance, settings, cost and times; its profile, waivers and baseline. */

import type { ExchangeReport, Report } from '../../report/report.ts';
import type { BaselineReport, WaiverReport } from '../../report/excuses/excuse-report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { formatDuration, formatInstant, inert } from '../../text/layout.ts';
import { asCode, fact, type Fact, joinTexts, type Part } from '../document/document.ts';
import { renderFactList, writeHtml } from '../document/write-html.ts';
import { countOlder, coverCauses, formatCovered, listOlder, otherContractOfBaseline } from '../excused.ts';
import { areaTable } from '../report/tables.ts';
import { formatRequest } from '../request-text.ts';
import {
  costFact,
  formatProduct,
  formatSetting,
  formatTarget,
  listGivenSettings,
  profileFacts,
  retriesFact,
  timeFacts,
  titleOfCases,
} from '../run-text.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { linkCase, linkClause, numberCell, renderId, renderItems, renderTable, type SectionParts } from './parts.ts';
import type { View } from './view.ts';

const SLOWEST = 8;

export function runDetails(view: View): SectionParts {
  return {
    id: 'run',
    title: 'Run details',
    body: html`<div class="cards wide">
      ${renderCard('Provenance', renderFactList(provenanceFacts(view.report)))}
      ${renderCard('Settings', writeHtml([settingsPart(view.report)]))}
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

function provenanceFacts(report: Report): readonly Fact[] {
  const { provenance: run, tool, target, outcome, strict, edition, editionDigest = '' } = report;
  const product = formatProduct(report);
  const took = formatDuration(Date.parse(run.endedAt) - Date.parse(run.startedAt));
  return [
    ...fact('Target', asCode(inert(formatTarget(report)))),
    ...fact('Product', product && inert(product, 600)),
    ...fact('Model', target.model === undefined ? undefined : asCode(inert(target.model))),
    ...fact('Checker', `${tool.name} ${inert(tool.version)}, Node ${inert(run.node)}, ${inert(run.platform)}`),
    ...fact('Started', formatInstant(inert(run.startedAt, 40))),
    ...fact('Ended', `${formatInstant(inert(run.endedAt, 40))}, after ${took}`),
    ...retriesFact(report),
    ...timeFacts(report, false),
    ...costFact(report, true),
    ...fact('Target clock', run.clockSkew === undefined ? undefined : formatClockSkew(run.clockSkew)),
    ...fact('Strict', strict ? 'yes: broken should clauses count as failures' : 'no'),
    ...fact('Exit code', String(outcome.exit)),
    ...fact('Seed', String(run.seed)),
    ...fact('Edition', edition === undefined ? undefined : [`${inert(edition, 40)} `, asCode(inert(editionDigest))]),
    ...fact('Contract hash', asCode(inert(run.contractHash))),
  ];
}

function formatClockSkew(skew: number): string {
  if (skew === 0) return 'matches the local clock';
  return `${formatDuration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the local clock`;
}

function settingsPart({ provenance: run }: Report): Part {
  const facts = listGivenSettings(run.settings).flatMap(([path, given]) => {
    const [label, values] = formatSetting(path, given);
    const shown = values.map((value) => asCode(inert(value)));
    return fact(inert(label, 100), joinTexts(shown, ', '));
  });
  if (facts.length === 0) return [{ kind: 'paragraph', text: 'All settings have their defaults.', tone: 'quiet' }];
  const text = 'Set for this run; the others have their defaults.';
  return [
    { kind: 'paragraph', text, tone: 'quiet' },
    { kind: 'facts', facts },
  ];
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
  return html`${name}<span class="quiet">${formatRequest(view.report, exchange)}</span>`;
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
        ${listOlder(view.report).map(({ title, findings }) => renderOlder(view, title, findings))}
      </div>`,
    }
  );
}

function renderOlder(view: View, title: string, findings: BaselineReport['fixed']): Markup {
  const rows = new Map(findings.map((each) => [`${each.case} ${each.clause}`, each]));
  const items = [...rows.values()].map(
    (each) => html`${linkCase(view, each.case)} <span class="quiet">for</span> ${linkClause(view, each.clause)}`,
  );
  return html`<div class="card">
    <p class="label">${title}: ${countOlder(view.report, findings)}</p>
    ${renderItems('rows', items)}
  </div>`;
}
