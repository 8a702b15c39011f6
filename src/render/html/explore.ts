/** An exploration: what was drawn, which pairs of fields, and the smallest request of each finding beside one that passes. */
import type { ExploredFinding, ExploreReport } from '../../report/explore-report.ts';
import type { Report } from '../../report/report.ts';
import {
  clausesOfFinding,
  exploreCommandOf,
  formatDifferences,
  formatDrawn,
  formatPairs,
  formatReached,
  formatReplay,
  formatUnsure,
  visibleJson,
} from '../explore-text.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { renderFacts, renderSection, renderShellCommand } from './parts.ts';
import type { View } from './view.ts';

/** Characters of a body. */
const MOST_SHOWN = 2_100;

export function renderExplore(view: View): Markup {
  const { explore, provenance } = view.report;
  if (!explore) return NOTHING;
  return renderSection({
    id: 'explored',
    title: 'Explored',
    lead: html`${formatDrawn(explore)}. Seed ${provenance.seed}.`,
    body: html`${explore.findings.map((finding) => renderExplored(view, finding))}
      <p>${formatPairs(explore)}.</p>
      ${when(formatUnsure(explore), (text) => html`<p>Not sure: ${text}.</p>`)} ${renderPairs(explore)}`,
  });
}

function renderExplored({ report }: View, finding: ExploredFinding): Markup {
  const bodyOf = (isMeant: (exchange: Report['exchanges'][number]) => boolean): string | undefined =>
    report.exchanges.find(isMeant)?.body?.slice(0, MOST_SHOWN);
  const clauses = clausesOfFinding(report, finding);
  const command = `${exploreCommandOf(report)} ${formatReplay(finding, report.provenance.seed)}`;
  return html`<div class="card">
    <h3>${clauses.length === 0 ? finding.path : clauses.join(', ')}</h3>
    ${renderFacts([
      ['Draw', `${finding.path}, ${formatReached(finding)}`],
      ['Fails', renderBody(bodyOf(({ id }) => id === finding.exchange))],
      ['At the upstream', renderBody(bodyOf(({ cause }) => cause === finding.exchange))],
      ['Passes', renderBody(bodyOf(({ id }) => id === finding.neighbour))],
      ['Difference', formatDifferences(finding)],
      ['Repeat', renderShellCommand(command, 'the command')],
    ])}
  </div>`;
}

function renderBody(body: string | undefined): Markup | undefined {
  return body === undefined ? undefined : html`<pre>${visibleJson(body)}</pre>`;
}

function renderPairs({ pairs }: ExploreReport): Markup {
  return html`<details class="numbers">
    <summary>Pairs of fields that were drawn together</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Fields</th>
          <th scope="col">Pairs of values</th>
        </tr>
      </thead>
      <tbody>
        ${pairs.map(
          ({ fields, values }) =>
            html`<tr>
              <th scope="row">${fields.join(' with ')}</th>
              <td>${values}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
