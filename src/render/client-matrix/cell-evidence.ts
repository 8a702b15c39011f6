/** The evidence of one cell of the matrix: what broke, what the client returned, and the bytes that it was sent. */
import type { CaseReport, Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { formatReason } from '../../verdict/reason.ts';
import { isAboutRequests } from '../client-text.ts';
import { formatFinding } from '../finding-text.ts';
import { type Entry, foldFindings } from '../fold.ts';
import { renderClient } from '../html/evidence.ts';
import { html, type Markup, NOTHING, when } from '../html/markup.ts';
import { renderFacts, renderId, renderShellCommand } from '../html/parts.ts';
import { LOOKS } from '../looks.ts';
import { formatFurther, listObserved } from '../seen-text.ts';
import { formatTarget } from '../run-text.ts';
import { wordOfCell } from './matrix-marks.ts';

export function renderCellEvidence(cell: CaseReport, report: Report, anchor: string): Markup {
  const { verdict, expectations, repeat } = cell;
  const exchange = report.exchanges.find(({ id }) => id === cell.exchange);
  const [reason] = expectations.flatMap((expectation) => expectation.reason ?? []);
  const isWrong = verdict === 'fail' || verdict === 'warn';
  return html`<article class="cell-evidence v-${verdict} ${isWrong ? 'wrong' : 'right'}" id="${anchor}" tabindex="-1">
    <h3>
      <span class="dot v-${verdict}" aria-hidden="true">${LOOKS[verdict].sign}</span> ${inert(formatTarget(report), 80)}
      <span class="quiet">${wordOfCell(cell)}</span>
    </h3>
    ${when(reason, (why) => html`<p class="note">${inert(formatReason(why), 400)}</p>`)}
    ${isAboutRequests(cell) ? renderRequests(cell, report) : NOTHING}
    ${renderClient(cell, exchange, isWrong ? 'full' : 'brief')}
    ${isWrong && repeat !== undefined ? renderShellCommand(inert(repeat, 2_000), 'the command that repeats the scenario') : NOTHING}
  </article>`;
}

/** Of a scenario without a call of its own: what is wrong with the requests, as in the client's report, or what was observed. */
function renderRequests(cell: CaseReport, report: Report): Markup {
  const observations = report.observations.filter((each) => each.case === cell.id);
  const observed = listObserved({ ...report, cases: [cell], observations }).flatMap(({ facts }) => facts);
  return html`${foldFindings({ ...report, cases: [cell] }).map((entry) => renderFinding(entry, report))}
  ${observed.length === 0 ? NOTHING : renderFacts(observed.map(([name, values]) => [inert(name, 100), listValues(values)]))}`;
}

function renderFinding(entry: Entry, report: Report): Markup {
  const { requirement, expected, actual, also, request } = formatFinding(report, entry);
  const further = formatFurther(entry);
  return renderFacts([
    ['Clause', html`${renderId(entry.expectation.clause)} (${entry.expectation.level})`],
    ['Requirement', requirement],
    ['Expected', expected],
    ['Actual', actual && html`<strong class="said">${actual}</strong>${further === '' ? '' : `, ${further}`}`],
    ['Also', also],
    ['Request', request],
  ]);
}

function listValues(values: readonly string[]): string {
  return values.length === 0 ? 'none' : values.map((value) => inert(value, 200)).join(', ');
}
