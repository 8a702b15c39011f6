/** The report as one self-contained page: no network, no other files, no server. */
import { commandToExplain } from '../../report/repeat/repeat-command.ts';
import type { Format } from '../format.ts';
import { formatTarget, titleOfCases } from '../run-text.ts';
import { inert } from '../../text/inert.ts';
import { lookOf } from '../looks.ts';
import { verdictLine } from '../verdict-line.ts';
import { listFindings, renderBroken } from './findings.ts';
import { renderCases } from './cases.ts';
import { listLeftOutSections, renderCoverage, renderObservations, renderTolerance } from './clause-sections.ts';
import { renderBaseline, renderProfile, renderRunDetails, renderWaivers } from './run-details.ts';
import { type DocumentSection, renderDocument } from './document.ts';
import { filtersFor, renderFilters } from './filters.ts';
import { renderExplore } from './explore.ts';
import { renderLoad } from './load.ts';
import { html, type Markup } from './markup.ts';
import { listObserved } from '../seen-text.ts';
import { renderOverview, renderVerdict } from './overview.ts';
import { listStreams, renderStreams } from './evidence.ts';
import { type View, makeView } from './view.ts';
import { countRequests, renderWaterfall } from './drawings.ts';

export const htmlPage: Format = {
  summary: 'one self-contained page: findings with evidence, coverage, stream timelines',
  render: (report) => renderPage(makeView(report)),
};

interface Part extends DocumentSection {
  readonly markup: Markup;
}

function renderPage(view: View): string {
  const { report } = view;
  const [outcome = ''] = verdictLine(report).split(':');
  const parts = listParts(view).filter(({ markup }) => markup.text !== '');
  const clauses = report.clauses.map(({ id }) => id);
  const explain = commandToExplain(report, clauses, 'CLAUSE');
  return renderDocument({
    title: `${outcome}: ${inert(report.title ?? formatTarget(report))}`,
    subtitle: 'conformance report',
    version: report.tool.version,
    shade: lookOf(report).shade,
    styles: ['client', 'tables', 'waterfall', 'load', 'narrow', 'print'],
    scripts: ['page'],
    sections: parts,
    main: html`${renderVerdict(view)} ${renderBroken(view)} ${renderOverview(view)} ${renderFilters(filtersFor(view))}
    ${parts.filter(({ id }) => id !== 'overview').map(({ markup }) => markup)}`,
    footer: html`<p>
        Made by wirecheck ${inert(report.tool.version, 40)}. To read about a clause, run
        <code>${inert(explain, 600)}</code>.
      </p>
      <p class="on-paper">Printed without evidence, coverage, observations and cases: report.html has them.</p>`,
  });
}

function listParts(view: View): readonly Part[] {
  const { report } = view;
  return [
    { id: 'overview', title: 'Overview', markup: renderOverview(view) },
    { id: 'profile', title: 'Profile', markup: renderProfile(view) },
    { id: 'load', title: 'Load', markup: renderLoad(view) },
    { id: 'explored', title: 'Explored', markup: renderExplore(view) },
    ...listFindings(view),
    ...listLeftOutSections(view),
    { id: 'waivers', title: 'Waivers', count: report.waivers?.entries.length, markup: renderWaivers(view) },
    { id: 'baseline', title: 'Baseline', markup: renderBaseline(view) },
    { id: 'coverage', title: 'Coverage', count: report.clauses.length, markup: renderCoverage(view) },
    {
      id: 'observations',
      title: 'Observations',
      count: listObserved(report).length,
      markup: renderObservations(view),
    },
    { id: 'tolerance', title: 'Tolerance', markup: renderTolerance(view) },
    { id: 'streams', title: 'Streams', count: listStreams(view).length, markup: renderStreams(view) },
    { id: 'requests', title: 'Requests', count: countRequests(view), markup: renderWaterfall(view) },
    { id: 'cases', title: titleOfCases(report), count: report.cases.length, markup: renderCases(view) },
    { id: 'run', title: 'Run details', markup: renderRunDetails(view) },
  ];
}
