/** An exploration: what was drawn, which pairs of fields, and the smallest request of each finding beside one that passes. */
import type { ExploredFinding, ExploreReport } from '../../report/explore-report.ts';
import {
  exploreCommandOf,
  formatDifferences,
  formatDrawn,
  formatPairs,
  formatReached,
  formatReplay,
  formatUnsure,
} from '../explore-text.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { renderSection, renderShellCommand } from './parts.ts';
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
  const bodyOf = (id: string | undefined): string | undefined =>
    report.exchanges.find((exchange) => exchange.id === id)?.body?.slice(0, MOST_SHOWN);
  return html`<h3>${finding.path}</h3>
    <p>${formatReached(finding)}.</p>
    ${when(
      bodyOf(finding.exchange),
      (body) =>
        html`<p>Fails:</p>
          <pre>${body}</pre>`,
    )}
    ${when(
      bodyOf(finding.neighbour),
      (body) =>
        html`<p>Passes:</p>
          <pre>${body}</pre>`,
    )}
    ${when(formatDifferences(finding), (text) => html`<p>Difference: ${text}</p>`)}
    ${renderShellCommand(`${exploreCommandOf(report)} ${formatReplay(finding, report.provenance.seed)}`, 'the command')}`;
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
