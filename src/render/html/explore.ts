/** An exploration: what was drawn, which pairs of fields, and the smallest request of each finding beside one that passes. */
import type { ExploredFinding, ExploreReport } from '../../report/explore-report.ts';
import type { ExchangeReport } from '../../report/report.ts';
import { requestsOfFinding } from '../../report/explored-requests.ts';
import {
  clausesOfFinding,
  exploreCommandOf,
  formatDifferences,
  formatDrawn,
  formatPairs,
  formatReached,
  formatReplay,
  formatUnsure,
  SILENCES,
  visibleJson,
} from '../explore-text.ts';
import { html, type Markup } from './markup.ts';
import { renderCard, renderFacts, renderFold, renderShellCommand, renderTable, type SectionParts } from './parts.ts';
import type { View } from './view.ts';

/** Characters of a body. */
const MOST_SHOWN = 2_100;

export function explored(view: View): SectionParts | undefined {
  const { explore, provenance } = view.report;
  const unsure = explore && formatUnsure(explore);
  return (
    explore && {
      id: 'explored',
      title: 'Explored',
      lead: html`${formatDrawn(explore)}. Seed ${provenance.seed}.`,
      body: html`${explore.findings.map((finding) => renderExplored(view, finding))}
        <p>${formatPairs(explore)}.</p>
        ${unsure !== undefined && html`<p>Not sure: ${unsure}.</p>`} ${renderPairs(explore)}`,
    }
  );
}

function renderExplored({ report }: View, finding: ExploredFinding): Markup {
  const { exchanges } = report;
  const failing = requestsOfFinding(exchanges, finding);
  const passing = finding.neighbour === undefined ? [] : requestsOfFinding(exchanges, { exchange: finding.neighbour });
  const arrived = exchanges.filter(({ cause }) => cause === finding.exchange).slice(0, 1);
  const clauses = clausesOfFinding(report, finding);
  // Of a relay, the request alone shows nothing.
  const curl = report.target.upstream ? undefined : failing.at(-1)?.repeat;
  const command = `${exploreCommandOf(report)} ${formatReplay(finding, report.provenance.seed)}`;
  const { silence, path } = finding;
  const unbroken = silence === undefined ? `Draw ${path}` : `Unanswered: ${SILENCES[silence]}`;
  return renderCard(
    clauses.join(', ') || unbroken,
    renderFacts([
      ['Found', `${formatReached(finding)} (${path})`],
      ['Fails', renderRequests(failing, true)],
      ['At the upstream', renderRequests(arrived, false)],
      ['Passes', renderRequests(passing, false)],
      ['Difference', formatDifferences(finding)],
      ['Repeat', curl !== undefined && renderShellCommand(curl, 'the command that sends it again')],
      [curl === undefined ? 'Repeat' : 'By its path', renderShellCommand(command, 'the command')],
    ]),
  );
}

/** A sequence shows all its requests, with what came of each. */
function renderRequests(exchanges: readonly ExchangeReport[], isFailing: boolean): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  return html`${exchanges.map(({ body = '', attempts }, index) => {
    const { answer } = attempts.at(-1) ?? {};
    const outcome = answer ? `answered with ${answer.status}` : 'not answered';
    const fails = isFailing && index === exchanges.length - 1 ? ', this one fails' : '';
    const place = `Request ${index + 1} of ${exchanges.length}, ${outcome}${fails}:`;
    return html`${exchanges.length > 1 && html`<p>${place}</p>`}
      <pre>${visibleJson(body.slice(0, MOST_SHOWN))}</pre>`;
  })}`;
}

function renderPairs({ pairs }: ExploreReport): Markup {
  const rows = pairs.map(({ fields, values }) => [fields.join(' with '), values]);
  const name = 'Pairs of fields that were drawn together';
  return renderFold(name, renderTable({ name, heads: ['Fields', 'Pairs of values'], rows }), { kind: 'numbers' });
}
