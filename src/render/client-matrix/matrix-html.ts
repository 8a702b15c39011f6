/** The matrix of clients and scenarios as one self-contained page, with the evidence of each cell. */
import { COMMAND } from '../../contract/package-files.ts';
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { formatTarget } from '../run-text.ts';
import { makeAnchors } from '../html/view.ts';
import { renderDocument } from '../html/document.ts';
import { html, type Markup, NOTHING, when } from '../html/markup.ts';
import { LOOKS, OUTCOME_LOOKS, SHADES } from '../looks.ts';
import { verdictLine } from '../verdict-line.ts';
import { renderCellEvidence } from './cell-evidence.ts';
import { renderMark, renderMatrixLegend } from './matrix-marks.ts';
import { countRows, makeMatrix, type MatrixArea, type MatrixRow } from './matrix.ts';

/** A report on a client, and the page with it beside the matrix. */
export interface CheckedClient {
  readonly report: Report;
  /** A path from the matrix; absent if no page was written. */
  readonly page?: string;
}

interface Column extends CheckedClient {
  /** The second half of the anchors of its cells. */
  readonly anchor: string;
}

export function clientMatrixPage(clients: readonly CheckedClient[]): string {
  const reports = clients.map(({ report }) => report);
  const columns = listColumns(clients);
  const areas = makeMatrix(reports);
  const [first] = reports;
  const version = first?.tool.version ?? '';
  const rows = areas.flatMap((area) => area.rows);
  const title = `${count(reports.length, 'client')}, ${countRows(rows)}`;
  return renderDocument({
    title,
    subtitle: 'clients and the v1 contract',
    version,
    shade: SHADES.find((shade) => reports.some(({ outcome }) => OUTCOME_LOOKS[outcome.name].shade === shade)) ?? 'none',
    styles: ['client', 'matrix', 'print', 'print-matrix'],
    scripts: ['matrix'],
    layout: 'matrix-page',
    sections: [],
    main: html`<h1>${title}</h1>
      ${renderSummaries(clients)} ${renderMatrixLegend(areas)} ${renderChoice(rows)} ${renderTable(columns, areas)}
      ${renderEvidence(columns, rows)}`,
    footer: html`<p>
      Made by wirecheck ${inert(version, 40)} on ${inert(first?.provenance.startedAt.slice(0, 10) ?? '', 20)}. To read
      about a scenario, run <code>${COMMAND} explain SCENARIO</code>.
    </p>`,
  });
}

function listColumns(clients: readonly CheckedClient[]): readonly Column[] {
  const anchors = makeAnchors(
    'client',
    clients.map(({ report: { target } }) => [
      target.client?.name ?? formatTarget({ target }),
      target.client?.version ?? '',
    ]),
  );
  return clients.map((client, at) => ({ ...client, anchor: anchors[at] ?? '' }));
}

function renderSummaries(clients: readonly CheckedClient[]): Markup {
  return html`<ul class="summaries">
    ${clients.map(({ report, page }) => {
      const shade = OUTCOME_LOOKS[report.outcome.name].shade;
      const { pass, fail, warn, observed, skipped, inconclusive } = report.counts.cases;
      const counts = Object.entries({ pass, fail, warn, inconclusive, observed, skipped }).filter(
        ([, number]) => number > 0,
      );
      return html`<li class="summary v-${shade}">
        <h2>${linkReport(page, inert(formatTarget(report), 80))}</h2>
        <p class="outcome">
          <span class="dot v-${shade}" aria-hidden="true">${LOOKS[shade].sign}</span> ${verdictLine(report)}
        </p>
        <p class="quiet">${counts.map(([name, number]) => `${number} ${name}`).join(', ')}</p>
      </li>`;
    })}
  </ul>`;
}

/** A box that needs no script: the style sheet hides the other rows until it is checked. */
function renderChoice(rows: readonly MatrixRow[]): Markup {
  const fine = rows.filter(({ isNotable }) => !isNotable);
  if (fine.length === 0) return NOTHING;
  const hidden = `${countRows(fine)} that no client fails`;
  return html`<p class="choice">
      <label><input type="checkbox" id="all-rows" /> Show all rows, also the ${hidden}</label>
    </p>
    <p class="on-paper">Not printed: ${hidden}.</p>`;
}

function renderTable(columns: readonly Column[], areas: readonly MatrixArea[]): Markup {
  return html`<div class="scroller" tabindex="0" role="region" aria-label="Results">
    <table class="matrix ${columns.length > MANY ? 'many' : ''}">
      <thead>
        <tr>
          <th scope="col">Scenario</th>
          ${columns.map((column) => html`<th scope="col">${renderName(column)}</th>`)}
        </tr>
      </thead>
      ${areas.map(
        ({ area, rows }) =>
          html`<tbody ${rows.some(({ isNotable }) => isNotable) ? NOTHING : FINE}>
            <tr class="area">
              <th scope="rowgroup">${inert(area, 60)}</th>
              ${columns.map((_, column) => renderScore(rows, column))}
            </tr>
            ${rows.map((row) => renderRow(row, columns))}
          </tbody>`,
      )}
    </table>
  </div>`;
}

/** More columns than this fit on paper only if their words are turned. */
const MANY = 6;

/** Of what nobody has to look at. */
const FINE = html`class="fine"`;

function renderName({ report, page }: CheckedClient): Markup {
  const { name, version } = report.target.client ?? { name: formatTarget(report) };
  return html`<span class="name"
    >${linkReport(page, inert(name, 60))}${when(version, (own) => html` <span class="version">${inert(own, 24)}</span>`)}</span
  >`;
}

function linkReport(page: string | undefined, name: string): Markup | string {
  return page === undefined ? name : html`<a href="${encodeURI(page)}">${name}</a>`;
}

/** Of the rows of an area that were judged, those that the client passes. */
function renderScore(rows: readonly MatrixRow[], column: number): Markup {
  const verdicts = rows.flatMap(({ cells }) => cells[column]?.verdict ?? []);
  const judged = verdicts.filter((verdict) => verdict === 'pass' || verdict === 'fail' || verdict === 'warn');
  const passed = judged.filter((verdict) => verdict === 'pass');
  return html`<td><span>${judged.length === 0 ? '' : `${passed.length} of ${judged.length}`}</span></td>`;
}

function renderRow({ id, title, anchor, isNotable, cells }: MatrixRow, columns: readonly Column[]): Markup {
  return html`<tr ${isNotable ? NOTHING : FINE}>
    <th scope="row"><a href="#${anchor}" title="${inert(id, 100)}">${inert(title, 200)}</a></th>
    ${cells.map((cell, column) =>
      cell === undefined
        ? html`<td class="v-none"><span class="unseen">not asked</span></td>`
        : html`<td class="v-${cell.verdict}">
            <a href="#${anchor}.${columns[column]?.anchor ?? ''}">${renderMark(cell)}</a>
          </td>`,
    )}
  </tr>`;
}

function renderEvidence(columns: readonly Column[], rows: readonly MatrixRow[]): Markup {
  const fine = rows.filter(({ isNotable }) => !isNotable);
  return html`<section aria-labelledby="evidence-title">
    <h2 id="evidence-title">Evidence</h2>
    <p class="lead">What each client returned, and the bytes that it was sent. The word in the text is random.</p>
    ${rows.filter(({ isNotable }) => isNotable).map((row) => renderScenario(row, columns))}
    ${
      fine.length === 0
        ? NOTHING
        : html`<details class="scenarios">
            <summary>${countRows(fine)} that no client fails</summary>
            ${fine.map((row) => renderScenario(row, columns))}
          </details>`
    }
  </section>`;
}

function renderScenario({ id, title, anchor, isNotable, cells }: MatrixRow, columns: readonly Column[]): Markup {
  return html`<details class="scenario" id="${anchor}" ${isNotable ? html`open` : NOTHING}>
    <summary><code>${inert(id, 100)}</code> ${inert(title, 200)}</summary>
    ${cells.map((cell, at) => {
      const { report, anchor: column } = columns[at] ?? {};
      return cell && report ? renderCellEvidence(cell, report, `${anchor}.${column ?? ''}`) : NOTHING;
    })}
  </details>`;
}
