/** The report as one self-contained page: no network, no other files, no server. */

import { commandToExplain } from '../../report/repeat/repeat-command.ts';
import { inert } from '../../text/layout.ts';
import type { Format } from '../format.ts';
import { lookOf } from '../looks.ts';
import { pageTitle } from '../run-text.ts';
import { baseline, coverage, leftOut, observations, profile, runDetails, tolerance, waivers } from './list-sections.ts';
import { contract } from './contract.ts';
import { renderDocument } from './document.ts';
import { waterfall } from './drawings.ts';
import { streams } from './evidence.ts';
import { explored } from './explore.ts';
import { cases, findings, renderBroken } from './findings.ts';
import { renderRounds, withEarlierVerdicts } from './live.ts';
import { load } from './load.ts';
import { html } from './markup.ts';
import { filtersFor, renderFilters, renderOverview, renderVerdict } from './overview.ts';
import { renderSection, type SectionParts } from './parts.ts';
import { type Live, makeView, type View } from './view.ts';

export const htmlPage: Format = (report) => renderPage(makeView(report));

/** The page of a watch, which follows its rounds. */
export function liveHtmlPage(rounds: Live['rounds'], completions?: number): string {
  const [before, last] = rounds.length > 1 ? rounds.slice(-2) : [undefined, ...rounds];
  if (!last) throw new Error('A watch has a page from its first round on.');
  const live = { rounds, completions, before: before && makeView(before.report) };
  return renderPage({ ...makeView(withEarlierVerdicts(live, last.report)), live });
}

function renderPage(view: View): string {
  const { report, live } = view;
  const sections = SECTIONS.flatMap((section) => section(view) ?? []);
  const clauses = report.clauses.map(({ id }) => id);
  const explain = commandToExplain(report, clauses, 'CLAUSE');
  return renderDocument({
    title: pageTitle(report),
    subtitle: 'conformance report',
    version: report.tool.version,
    shade: lookOf(report).shade,
    styles: ['client', 'tables', 'waterfall', 'load', 'narrow', 'print', ...(live ? ['live'] : [])],
    scripts: ['page', ...(live ? ['live'] : [])],
    ...(live && { isLive: true }),
    sections: [
      ...(clauses.length === 0 ? [] : [{ id: 'overview', title: 'Overview' }]),
      ...sections.map(({ id, title, items, count = items }) => ({ id, title, count })),
    ],
    main: html`${renderVerdict(view)} ${live && renderRounds(live)} ${renderBroken(view)} ${renderOverview(view)}
    ${renderFilters(filtersFor(view))} ${sections.map(renderSection)}`,
    footer: html`<p>
        Made by wirecheck ${inert(report.tool.version, 40)}. To read about a clause, run
        <code>${inert(explain, 600)}</code>.
      </p>
      <p class="on-paper">
        Printed without evidence, contract, coverage, observations and cases: report.html has them.
      </p>`,
  });
}

/** Those that have something to show make a section, or several. */
const SECTIONS: readonly ((view: View) => SectionParts | readonly SectionParts[] | undefined)[] = [
  ...[profile, load, explored, findings, leftOut, waivers, baseline],
  ...[contract, coverage, observations, tolerance, streams, waterfall, cases, runDetails],
];
