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
  const bodyOf = (isMeant: (exchange: Report['exchanges'][number]) => boolean): string | undefined =>
    report.exchanges.find(isMeant)?.body?.slice(0, MOST_SHOWN);
  const clauses = clausesOfFinding(report, finding);
  return html`<h3>${clauses.length === 0 ? finding.path : clauses.join(', ')}</h3>
    <p>Draw ${finding.path}, ${formatReached(finding)}.</p>
    ${renderBody(
      'Fails',
      bodyOf(({ id }) => id === finding.exchange),
    )}
    ${renderBody(
      'Arrives at the upstream as',
      bodyOf(({ cause }) => cause === finding.exchange),
    )}
    ${renderBody(
      'Passes',
      bodyOf(({ id }) => id === finding.neighbour),
    )}
    ${when(formatDifferences(finding), (text) => html`<p>Difference: ${text}</p>`)}
    ${renderShellCommand(`${exploreCommandOf(report)} ${formatReplay(finding, report.provenance.seed)}`, 'the command')}`;
}

function renderBody(label: string, body: string | undefined): Markup {
  return when(
    body,
    (text) =>
      html`<p>${label}:</p>
        <pre>${visibleJson(text)}</pre>`,
  );
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
