/** The report as one self-contained page: no network, no other files, no server. */
import type { Format } from '../format.ts';
import { inert } from '../../text/inert.ts';
import { verdictLine } from '../verdict-line.ts';
import { type Inlined, inlineAssets } from './assets.ts';
import { cases } from './cases.ts';
import { coverage } from './coverage.ts';
import { baseline, waivers } from './excuses.ts';
import { filters } from './filters.ts';
import { findings, GROUP_TITLE, GROUPS } from './findings.ts';
import { inconclusive, skipped } from './left-out.ts';
import { html, Markup } from './markup.ts';
import { observations, tolerance } from './observations.ts';
import { picture, SHADE_OF, verdictHeader } from './overview.ts';
import { runFacts } from './run-facts.ts';
import { streams } from './streams.ts';
import { tabIcon } from './verdict-mark.ts';
import { type View, viewOf } from './view.ts';

export const htmlPage: Format = {
  summary: 'one self-contained page: findings with evidence, coverage, stream timelines',
  defaultFile: 'report.html',
  render: (report) => `${page(viewOf(report)).text}\n`,
};

interface Part {
  readonly id: string;
  readonly title: string;
  readonly markup: Markup;
}

function page(view: View): Markup {
  const { report } = view;
  const [outcome = ''] = verdictLine(report).split(':');
  const style = inlineAssets('style', STYLE_SHEETS);
  const script = inlineAssets('script', ['page.js']);
  const parts = partsOf(view).filter(({ markup }) => markup.text !== '');
  return html`${DOCTYPE}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyFor(style, script)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content="wirecheck ${inert(report.tool.version, 40)}" />
        <title>${outcome}: ${inert(report.target.baseUrl)} (wirecheck)</title>
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
          ${verdictHeader(view)} ${picture(view)} ${filters(view)}
          ${parts.filter(({ id }) => id !== 'overview').map(({ markup }) => markup)}
        </main>
        <footer>
          <p>
            Made by wirecheck ${inert(report.tool.version, 40)}. To read about a clause, run
            <code>wirecheck explain CLAUSE</code>.
          </p>
        </footer>
        <p id="announcement" class="unseen" role="status"></p>
        ${script.element}
      </body>
    </html>`;
}

function partsOf(view: View): readonly Part[] {
  const found = findings(view);
  return [
    { id: 'overview', title: 'Overview', markup: picture(view) },
    ...GROUPS.map((id) => ({ id, title: GROUP_TITLE[id], markup: found[id] })),
    { id: 'inconclusive', title: 'Inconclusive', markup: inconclusive(view) },
    { id: 'skipped', title: 'Skipped', markup: skipped(view) },
    { id: 'waivers', title: 'Waivers', markup: waivers(view) },
    { id: 'baseline', title: 'Baseline', markup: baseline(view) },
    { id: 'coverage', title: 'Coverage', markup: coverage(view) },
    { id: 'observations', title: 'Observations', markup: observations(view) },
    { id: 'tolerance', title: 'Tolerance', markup: tolerance(view) },
    { id: 'streams', title: 'Streams', markup: streams(view) },
    { id: 'cases', title: 'Cases', markup: cases(view) },
    { id: 'run', title: 'Run details', markup: runFacts(view) },
  ];
}

const DOCTYPE = new Markup('<!doctype html>');

const STYLE_SHEETS = ['palette', 'frame', 'overview', 'findings', 'tables', 'narrow', 'print'].map(
  (name) => `${name}.css`,
);

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
