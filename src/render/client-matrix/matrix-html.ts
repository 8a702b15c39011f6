/** The matrix of clients and scenarios as one self-contained page, with the evidence of each cell. */

import { COMMAND } from '../../contract/package-files.ts';
import { groupBy } from '../../report/counts.ts';
import type { CaseReport, ClientResult, Report } from '../../report/report.ts';
import { count, formatDay, inert } from '../../text/layout.ts';
import { formatReason } from '../../verdict/reason.ts';
import { isAboutRequests, RESULT_WORDS, wordsOfResult } from '../client-text.ts';
import { factRows } from '../document/write-html.ts';
import { findingFacts, formatFinding, formatFurther } from '../finding-text.ts';
import { listObserved } from '../unjudged.ts';
import { foldFindings } from '../fold.ts';
import { renderDocument } from '../html/document.ts';
import { renderClient } from '../html/evidence.ts';
import { html, type HtmlPiece, type Markup } from '../html/markup.ts';
import { renderDot, renderFacts, renderId, renderLegend, renderNote, renderShellCommand } from '../html/parts.ts';
import { anchorsById, makeAnchors } from '../html/view.ts';
import { lookOf, LOOKS, SHADES } from '../looks.ts';
import { formatCounts, formatTarget } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';

/** A report on a client, and the page with it beside the matrix. */
export interface MatrixClient {
  readonly report: Report;
  /** A path from the matrix; absent if no page was written. */
  readonly page?: string;
}

interface Column extends MatrixClient {
  /** The second half of the anchors of its cells. */
  readonly anchor: string;
}

export function clientMatrixPage(clients: readonly MatrixClient[]): string {
  const reports = clients.map(({ report }) => report);
  const named = reports.map(({ target }) => {
    const { name = formatTarget({ target }), version = '' } = target.client ?? {};
    return [name, version] as const;
  });
  const anchors = makeAnchors('client', named);
  const columns = clients.map((client, at): Column => ({ ...client, anchor: anchors[at] ?? '' }));
  const areas = makeMatrix(reports);
  const [first] = reports;
  const version = first?.tool.version ?? '';
  const rows = areas.flatMap((area) => area.rows);
  const title = `${count(reports.length, 'client')}, ${countRows(rows)}`;
  return renderDocument({
    title,
    subtitle: 'clients and the v1 contract',
    version,
    shade: SHADES.find((shade) => reports.some((report) => lookOf(report).shade === shade)) ?? 'none',
    styles: ['client', 'matrix', 'narrow', 'print', 'print-matrix'],
    scripts: ['matrix'],
    layout: 'matrix-page',
    sections: [],
    main: html`<h1>${title}</h1>
      ${renderSummaries(clients)} ${renderMatrixLegend(areas)} ${renderChoice(rows)} ${renderTable(columns, areas)}
      ${renderEvidence(columns, rows)}`,
    footer: html`<p>
      Made by wirecheck ${inert(version, 40)} on ${inert(formatDay(first?.provenance.startedAt ?? ''), 20)}. To read
      about a scenario, run <code>${COMMAND} explain SCENARIO</code>.
    </p>`,
  });
}

function renderSummaries(clients: readonly MatrixClient[]): Markup {
  return html`<ul class="summaries">
    ${clients.map(({ report, page }) => {
      const { shade } = lookOf(report);
      return html`<li class="summary v-${shade}">
        <h2>${linkReport(page, inert(formatTarget(report), 80))}</h2>
        <p class="outcome">${renderDot(shade)} ${verdictLine(report)}</p>
        <p class="quiet">${formatCounts(report)}</p>
      </li>`;
    })}
  </ul>`;
}

/** A box that needs no script: the style sheet hides the other rows until it is checked. */
function renderChoice(rows: readonly MatrixRow[]): HtmlPiece {
  const fine = rows.filter(({ isNotable }) => !isNotable);
  if (fine.length === 0) return undefined;
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
          ${columns.map(({ report, page }) => {
            const { name, version } = report.target.client ?? { name: formatTarget(report) };
            const shown = version !== undefined && html` <span class="version">${inert(version, 24)}</span>`;
            return html`<th scope="col"><span class="name">${linkReport(page, inert(name, 60))}${shown}</span></th>`;
          })}
        </tr>
      </thead>
      ${areas.map(
        ({ area, rows }) =>
          html`<tbody ${!rows.some(({ isNotable }) => isNotable) && FINE}>
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

/** The class of what nobody has to look at. */
const FINE = html`class="fine"`;

function linkReport(page: string | undefined, name: string): Markup | string {
  return page === undefined ? name : html`<a href="${encodeURI(page)}">${name}</a>`;
}

/** The score counts the judged rows of an area that the client passes. */
function renderScore(rows: readonly MatrixRow[], column: number): Markup {
  const verdicts = rows.flatMap(({ cells }) => cells[column]?.verdict ?? []);
  const judged = verdicts.filter((verdict) => verdict === 'pass' || verdict === 'fail' || verdict === 'warn');
  const passed = judged.filter((verdict) => verdict === 'pass');
  return html`<td><span>${judged.length === 0 ? '' : `${passed.length} of ${judged.length}`}</span></td>`;
}

function renderRow({ id, title, anchor, isNotable, cells }: MatrixRow, columns: readonly Column[]): Markup {
  return html`<tr ${!isNotable && FINE}>
    <th scope="row"><a href="#${anchor}" title="${inert(id, 100)}">${inert(title, 200)}</a></th>
    ${cells.map((cell, column) => {
      if (cell === undefined) return html`<td class="v-none"><span class="unseen">not asked</span></td>`;
      // A failure is a word. The rest is a sign, so that it stays in the background.
      const word = wordOfCell(cell);
      const sign = SIGNS[word] && html`<span aria-hidden="true">${SIGNS[word]}</span>`;
      const mark = html`${sign}<span class="${sign ? 'unseen' : 'word'}">${word}</span>`;
      return html`<td class="v-${cell.verdict}">
        <a href="#${anchor}.${columns[column]?.anchor ?? ''}">${mark}</a>
      </td>`;
    })}
  </tr>`;
}

function renderEvidence(columns: readonly Column[], rows: readonly MatrixRow[]): Markup {
  const fine = rows.filter(({ isNotable }) => !isNotable);
  return html`<section aria-labelledby="evidence-title">
    <h2 id="evidence-title">Evidence</h2>
    <p class="lead">What each client returned, and the bytes that it was sent. The word in the text is random.</p>
    ${rows.filter(({ isNotable }) => isNotable).map((row) => renderScenario(row, columns))}
    ${
      fine.length > 0 &&
      html`<details class="scenarios">
        <summary>${countRows(fine)} that no client fails</summary>
        ${fine.map((row) => renderScenario(row, columns))}
      </details>`
    }
  </section>`;
}

function renderScenario({ id, title, anchor, isNotable, cells }: MatrixRow, columns: readonly Column[]): Markup {
  return html`<details class="scenario" id="${anchor}" ${isNotable && 'open'}>
    <summary><code>${inert(id, 100)}</code> ${inert(title, 200)}</summary>
    ${cells.map((cell, at) => {
      const { report, anchor: column } = columns[at] ?? {};
      return cell && report && renderCellEvidence(cell, report, `${anchor}.${column ?? ''}`);
    })}
  </details>`;
}

// The word or sign of a cell, and the legend that explains them.

const RESULTS = Object.keys(RESULT_WORDS) as readonly ClientResult[];
const SIGNS: Readonly<Record<string, string>> = { pass: LOOKS.pass.sign, unsupported: '–' };

/** Words of cells without a result of their own. */
const NOT_JUDGED = [
  [LOOKS.observed.word, LOOKS.observed.meaning],
  [LOOKS.skipped.word, 'its evidence says why'],
] as const;

function renderMatrixLegend(areas: readonly MatrixArea[]): Markup {
  const rows = areas.flatMap((area) => area.rows);
  const hasRequests = rows.some((row) => row.isOfRequests);
  const words = new Set(rows.flatMap(({ cells }) => cells.flatMap((cell) => (cell ? wordOfCell(cell) : []))));
  const results = RESULTS.map((result) => {
    const { word, meaning } = RESULT_WORDS[result];
    const kept = result === 'pass' && hasRequests ? '; under requests: every request keeps the clause' : '';
    return [SIGNS[result] ?? word, `${meaning}${kept}`] as const;
  });
  return renderLegend([
    ...results,
    ...NOT_JUDGED.filter(([word]) => words.has(word)),
    ['N of M', 'beside an area: passed N of the M rows judged, hidden ones included'],
  ]);
}

function wordOfCell(cell: CaseReport): string {
  return wordsOfResult(cell)?.word ?? LOOKS[cell.verdict].word;
}

// The evidence of one cell of the matrix: what broke, what the client returned, and the bytes that it was sent.

function renderCellEvidence(cell: CaseReport, report: Report, anchor: string): Markup {
  const { verdict, expectations, repeat } = cell;
  const exchange = report.exchanges.find(({ id }) => id === cell.exchange);
  const [reason] = expectations.flatMap((expectation) => expectation.reason ?? []);
  const isWrong = verdict === 'fail' || verdict === 'warn';
  return html`<article class="cell-evidence v-${verdict} ${isWrong ? 'wrong' : 'right'}" id="${anchor}" tabindex="-1">
    <h3>
      ${renderDot(verdict)} ${inert(formatTarget(report), 80)}
      <span class="quiet">${wordOfCell(cell)}</span>
    </h3>
    ${reason && renderNote(inert(formatReason(reason), 400))} ${isAboutRequests(cell) && renderRequests(cell, report)}
    ${renderClient(cell, exchange, isWrong ? 'full' : 'brief')}
    ${isWrong && repeat !== undefined && renderShellCommand(inert(repeat, 2_000), 'the command that repeats the scenario')}
  </article>`;
}

/** A scenario without a call of its own shows what is wrong with the requests, or what was observed. */
function renderRequests(cell: CaseReport, report: Report): Markup {
  const observations = report.observations.filter((each) => each.case === cell.id);
  const observed = listObserved({ ...report, cases: [cell], observations }).flatMap(({ facts }) => facts);
  const seen = observed.map(([name, values]) => {
    return [inert(name, 100), values.map((value) => inert(value, 200)).join(', ') || 'none'] as const;
  });
  const findings = foldFindings({ ...report, cases: [cell] }).map((entry) =>
    renderFacts([
      ['Clause', html`${renderId(entry.expectation.clause)} (${entry.expectation.level})`],
      ...factRows(findingFacts(formatFinding(report, entry), formatFurther(entry), LEFT_OUT)),
    ]),
  );
  return html`${findings} ${seen.length > 0 && renderFacts(seen)}`;
}

/** The client's own report has the rest. */
const LEFT_OUT = ['scenario', 'hurts', 'affected', 'sent', 'repeat', 'explain'] as const;

// Clients × scenarios, from the reports on the clients.

/** Verdicts that somebody has to look at. */
const NOTABLE: readonly CaseReport['verdict'][] = ['fail', 'warn', 'inconclusive'];
/** A client that was not judged is inconclusive in every row, which says nothing about a scenario. */
const NOTABLE_IF_NOT_JUDGED: readonly CaseReport['verdict'][] = ['fail', 'warn'];

type MatrixArea = ReturnType<typeof makeMatrix>[number];
type MatrixRow = MatrixArea['rows'][number];

/** Areas and rows are in the order of the first report that has them. */
function makeMatrix(reports: readonly Report[]) {
  const byReport = reports.map(({ cases }) => new Map(cases.map((testCase) => [testCase.id, testCase])));
  const notable = reports.map(({ outcome }) => (outcome.name === 'not-judged' ? NOTABLE_IF_NOT_JUDGED : NOTABLE));
  const all = new Map(reports.flatMap(({ cases }) => cases.map((testCase) => [testCase.id, testCase] as const)));
  const anchors = anchorsById('scenario', [...all.values()]);
  return [...groupBy([...all.values()], ({ suite }) => suite)].map(([area, cases]) => ({
    area,
    rows: cases.map(({ id, title, suite }) => {
      // One per client; undefined where a client was not asked.
      const cells = byReport.map((own) => own.get(id));
      // Whether some client fails it, or may have.
      const isNotable = cells.some((cell, at) => cell !== undefined && notable[at]?.includes(cell.verdict));
      // Judged by the requests of all scenarios, without one of its own.
      const isOfRequests = isAboutRequests({ suite });
      return { id, title, anchor: anchors.get(id) ?? '', isNotable, isOfRequests, cells };
    }),
  }));
}

/** `171 scenarios and 10 checks of requests`, as many scenarios as a run plays. */
export function countRows(rows: readonly Pick<MatrixRow, 'isOfRequests'>[]): string {
  const checks = rows.filter(({ isOfRequests }) => isOfRequests).length;
  const scenarios = rows.length - checks;
  const parts = [
    ...(scenarios > 0 || checks === 0 ? [count(scenarios, 'scenario')] : []),
    ...(checks > 0 ? [`${count(checks, 'check')} of requests`] : []),
  ];
  return parts.join(' and ');
}
