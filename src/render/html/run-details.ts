/** Provenance, settings, cost and times of the run. */
import { formatDuration } from '../../text/duration.ts';
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
import { linkCase, renderFacts, renderSection, renderId } from './parts.ts';
import type { View } from './view.ts';
import { count, groupDigits } from '../../text/layout.ts';

const SLOWEST = 8;

export function renderRunDetails(view: View): Markup {
  return renderSection({
    id: 'run',
    title: 'Run details',
    body: html`<div class="cards wide">
      <div class="card">
        <h3>Provenance</h3>
        ${renderProvenance(view.report)}
      </div>
      <div class="card">
        <h3>Settings</h3>
        ${renderSettings(view.report)}
      </div>
      <div class="card">
        <h3>Cost</h3>
        ${renderCost(view.report)}
      </div>
      ${
        // Under load, the report keeps a few requests only, and the slowest may not be among them.
        view.report.load
          ? NOTHING
          : html`<div class="card on-screen">
              <h3>Slowest requests</h3>
              ${renderSlowest(view)}
            </div>`
      }
      <div class="card">
        <h3>${titleOfCases(view.report)} by suite</h3>
        ${renderSuites(view.report)}
      </div>
    </div>`,
  });
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
  return html`<table class="numbers">
    <thead>
      <tr>
        <th scope="col">what</th>
        <th scope="col">used</th>
        <th scope="col">planned</th>
        <th scope="col" class="bar-cell"><span class="unseen">share of the planned maximum</span></th>
      </tr>
    </thead>
    <tbody>
      ${COSTS.map(
        ([name, words]) =>
          html`<tr>
            <th scope="row">${words}</th>
            <td class="number">${groupDigits(used[name])}</td>
            <td class="number">${range(least[name], most[name])}</td>
            <td class="bar-cell">${renderBar(used[name], most[name])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderBar(value: number, most: number): Markup {
  const share = most === 0 ? 0 : Math.min(100, (value / most) * 100);
  return html`<svg class="bar" width="100%" height="8" aria-hidden="true">
    <rect class="bar-all" width="100%" height="8" rx="4" />
    <rect class="bar-part" width="${share.toFixed(1)}%" height="8" rx="4" />
  </svg>`;
}

function renderSlowest(view: View): Markup {
  const timed = view.report.exchanges
    .flatMap((exchange) => exchange.attempts.flatMap(({ answer }) => (answer ? [{ exchange, answer }] : [])))
    .toSorted((a, b) => b.answer.endAt - a.answer.endAt)
    .slice(0, SLOWEST);
  const [first] = timed;
  if (!first) return html`<p class="quiet">No request was answered.</p>`;
  return html`<table class="numbers">
    <thead>
      <tr>
        <th scope="col">request</th>
        <th scope="col">headers</th>
        <th scope="col">end</th>
        <th scope="col" class="bar-cell"><span class="unseen">share of the slowest</span></th>
      </tr>
    </thead>
    <tbody>
      ${timed.map(({ exchange, answer }) => {
        const sender = view.sender(exchange.id);
        return html`<tr>
          <th scope="row">
            ${sender ? linkCase(view, sender.id) : renderId(exchange.id)}<span class="quiet"
              >${formatRequest(exchange, undefined, view.root)}</span
            >
          </th>
          <td class="number">${formatDuration(answer.headersAt)}</td>
          <td class="number">${formatDuration(answer.endAt)}</td>
          <td class="bar-cell">${renderBar(answer.endAt, first.answer.endAt)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function renderSuites({ areas, counts }: Report): Markup {
  if (areas.length === 0) return NOTHING;
  const row = (name: string, own: Counts) =>
    html`<tr>
      <th scope="row">${name}</th>
      ${VERDICT_ORDER.map((verdict) => html`<td class="number ${own[verdict] === 0 ? 'zero' : `v-${verdict}`}">${own[verdict]}</td>`)}
    </tr>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Cases by suite">
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">suite</th>
          ${VERDICT_ORDER.map((verdict) => html`<th scope="col">${verdict}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${areas.map(({ area, cases }) => row(inert(area, 40), cases))} ${row('all', counts.cases)}
      </tbody>
    </table>
  </div>`;
}
