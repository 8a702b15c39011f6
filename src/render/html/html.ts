/** The report as one self-contained page: no network, no other files, no server. */
import type { Format } from '../format.ts';
import { formatTarget } from '../format-target.ts';
import { inert } from '../../text/inert.ts';
import { verdictLine } from '../verdict-line.ts';
import { type Inlined, inlineAssets } from './assets.ts';
import { renderCases } from './cases.ts';
import { renderCoverage } from './coverage.ts';
import { renderBaseline, renderWaivers } from './excuses.ts';
import { renderFilters } from './filters.ts';
import { listFindings } from './findings.ts';
import { renderInconclusive, renderSkipped } from './left-out.ts';
import { html, Markup } from './markup.ts';
import { renderObservations, renderTolerance } from './observations.ts';
import { renderOverview, SHADE_OF, renderVerdict } from './overview.ts';
import { renderRunDetails } from './run-details.ts';
import { renderStreams } from './streams.ts';
import { tabIcon } from './verdict-mark.ts';
import { type View, makeView } from './view.ts';
import { renderWaterfall } from './waterfall.ts';

export const htmlPage: Format = {
  summary: 'one self-contained page: findings with evidence, coverage, stream timelines',
  defaultFile: 'report.html',
  render: (report) => `${renderPage(makeView(report)).text}\n`,
};

interface Part {
  readonly id: string;
  readonly title: string;
  readonly markup: Markup;
}

function renderPage(view: View): Markup {
  const { report } = view;
  const [outcome = ''] = verdictLine(report).split(':');
  const style = inlineAssets('style', STYLE_SHEETS);
  const script = inlineAssets('script', ['page.js']);
  const parts = listParts(view).filter(({ markup }) => markup.text !== '');
  return html`${DOCTYPE}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyFor(style, script)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="wirecheck ${inert(report.tool.version, 40)}" />
        <title>${outcome}: ${inert(report.title ?? formatTarget(report))} (wirecheck)</title>
        <link rel="icon" href="${tabIcon(SHADE_OF[report.outcome.name])}" />
        ${style.element}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the verdict</a>
        <header class="top">
          <p class="name">wirecheck <span class="quiet">conformance report</span></p>
          <button type="button" id="theme" hidden>Dark</button>
        </header>
        <nav class="contents" aria-label="Contents">
          <ul>
            ${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>
        </nav>
        <main id="main" tabindex="-1">
          ${renderVerdict(view)} ${renderOverview(view)} ${renderFilters(view)}
          ${parts.filter(({ id }) => id !== 'overview').map(({ markup }) => markup)}
        </main>
        <footer>
          <p>
            Made by wirecheck ${inert(report.tool.version, 40)}. To read about a clause, run
            <code>wirecheck explain CLAUSE</code>.
          </p>
          <p class="on-paper">Printed without evidence, coverage, observations and cases: report.html has them.</p>
        </footer>
        <p id="announcement" class="unseen" role="status"></p>
        ${script.element}
      </body>
    </html>`;
}

function listParts(view: View): readonly Part[] {
  return [
    { id: 'overview', title: 'Overview', markup: renderOverview(view) },
    ...listFindings(view),
    { id: 'inconclusive', title: 'Inconclusive', markup: renderInconclusive(view) },
    { id: 'skipped', title: 'Skipped', markup: renderSkipped(view) },
    { id: 'waivers', title: 'Waivers', markup: renderWaivers(view) },
    { id: 'baseline', title: 'Baseline', markup: renderBaseline(view) },
    { id: 'coverage', title: 'Coverage', markup: renderCoverage(view) },
    { id: 'observations', title: 'Observations', markup: renderObservations(view) },
    { id: 'tolerance', title: 'Tolerance', markup: renderTolerance(view) },
    { id: 'streams', title: 'Streams', markup: renderStreams(view) },
    { id: 'requests', title: 'Requests', markup: renderWaterfall(view) },
    { id: 'cases', title: 'Cases', markup: renderCases(view) },
    { id: 'run', title: 'Run details', markup: renderRunDetails(view) },
  ];
}

const DOCTYPE = new Markup('<!doctype html>');

const STYLE_SHEETS = [
  'palette',
  'frame',
  'overview',
  'findings',
  'client',
  'tables',
  'waterfall',
  'narrow',
  'print',
].map((name) => `${name}.css`);

/** Nothing may be loaded, sent or run but the style and the script of this file, known by their hashes. */
function policyFor(style: Inlined, script: Inlined): string {
  return [
    "default-src 'none'",
    `script-src ${script.source}`,
    `style-src ${style.source}`,
    // The icon on the tab.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
