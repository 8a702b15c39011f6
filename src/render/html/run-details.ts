/** Provenance, settings, cost and times of the run. */
import { formatDuration } from '../../text/duration.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';
import type { Counts, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import {
  VERDICT_ORDER,
  formatProduct,
  formatRequests,
  formatRetries,
  formatSetting,
  formatTarget,
  formatTimeSpent,
  listGivenSettings,
  range,
  titleOfCases,
} from '../run-text.ts';
import { inert } from '../../text/inert.ts';
import { formatRequest } from '../request-text.ts';
import { html, join, type Markup, NOTHING } from './markup.ts';
import { type Cell, linkCase, numberCell, renderFacts, renderId, renderSection, renderTable } from './parts.ts';
import type { View } from './view.ts';
import { count, groupDigits } from '../../text/layout.ts';

const SLOWEST = 8;

export function renderRunDetails(view: View): Markup {
  return renderSection({
    id: 'run',
    title: 'Run details',
    body: html`<div class="cards wide">
      ${renderCard('Provenance', renderProvenance(view.report))} ${renderCard('Settings', renderSettings(view.report))}
      ${renderCard('Cost', renderCost(view.report))}
      ${
        // Under load, the report keeps a few requests only, and the slowest may not be among them.
        view.report.load ? NOTHING : renderCard('Slowest requests', renderSlowest(view), 'card on-screen')
      }
      ${renderCard(`${titleOfCases(view.report)} by suite`, renderSuites(view.report))}
    </div>`,
  });
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

const COSTS = [
  ['requests', 'Requests'],
  ['completions', 'Completions charged'],
  ['tokens', 'Tokens, about'],
] as const;

function renderCost(report: Report): Markup {
  const { used, least, most } = report.cost;
  const unpaid = traitsOf(report).cost?.(formatRequests(report));
  if (unpaid) return html`<p>${unpaid.sentence}</p>`;
  // A HAR file: nothing was planned, and its cost is unknown.
  if (most.requests === 0) return html`<p>The file has ${count(used.requests, 'request')}.</p>`;
  return renderTable({
    name: 'Cost',
    heads: ['what', 'used', 'planned', barHead('share of the planned maximum')],
    rows: COSTS.map(([name, words]) => [
      words,
      numberCell(groupDigits(used[name])),
      numberCell(range(least[name], most[name])),
      barCell(used[name], most[name]),
    ]),
  });
}

function barHead(name: string): Cell {
  return { kind: 'bar-cell', shown: html`<span class="unseen">${name}</span>` };
}

function barCell(value: number, most: number): Cell {
  const share = most === 0 ? 0 : Math.min(100, (value / most) * 100);
  const bar = html`<svg class="bar" width="100%" height="8" aria-hidden="true">
    <rect class="bar-all" width="100%" height="8" rx="4" />
    <rect class="bar-part" width="${share.toFixed(1)}%" height="8" rx="4" />
  </svg>`;
  return { kind: 'bar-cell', shown: bar };
}

function renderSlowest(view: View): Markup {
  const timed = view.report.exchanges
    .flatMap((exchange) => exchange.attempts.flatMap(({ answer }) => (answer ? [{ exchange, answer }] : [])))
    .toSorted((a, b) => b.answer.endAt - a.answer.endAt)
    .slice(0, SLOWEST);
  const [first] = timed;
  if (!first) return html`<p class="quiet">No request was answered.</p>`;
  return renderTable({
    name: 'Slowest requests',
    heads: ['request', 'headers', 'end', barHead('share of the slowest')],
    rows: timed.map(({ exchange, answer }) => [
      nameRequest(view, exchange),
      numberCell(formatDuration(answer.headersAt)),
      numberCell(formatDuration(answer.endAt)),
      barCell(answer.endAt, first.answer.endAt),
    ]),
  });
}

function nameRequest(view: View, exchange: ExchangeReport): Markup {
  const sender = view.sender(exchange.id);
  const name = sender ? linkCase(view, sender.id) : renderId(exchange.id);
  return html`${name}<span class="quiet">${formatRequest(exchange, undefined, view.root)}</span>`;
}

function renderSuites({ areas, counts }: Report): Markup {
  if (areas.length === 0) return NOTHING;
  const row = (name: string, own: Counts) => [
    name,
    ...VERDICT_ORDER.map((verdict) => ({
      kind: `number ${own[verdict] === 0 ? 'zero' : `v-${verdict}`}`,
      shown: own[verdict],
    })),
  ];
  return renderTable({
    name: 'Cases by suite',
    heads: ['suite', ...VERDICT_ORDER],
    rows: [...areas.map(({ area, cases }) => row(inert(area, 40), cases)), row('all', counts.cases)],
  });
}
