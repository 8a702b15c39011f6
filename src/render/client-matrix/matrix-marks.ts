/** The word or sign of a cell, and the legend that explains them. */
import type { ClientResult } from '../../report/client-evidence.ts';
import type { CaseReport } from '../../report/report.ts';
import { RESULT_WORDS, wordsOfResult } from '../client-text.ts';
import { html, type Markup } from '../html/markup.ts';
import { LOOKS } from '../looks.ts';
import type { MatrixArea } from './matrix.ts';

const RESULTS = Object.keys(RESULT_WORDS) as readonly ClientResult[];
const SIGNS: Readonly<Record<string, string>> = { pass: LOOKS.pass.sign, unsupported: '–' };

/** Words of cells without a result of their own. */
const NOT_JUDGED: readonly (readonly [verdict: CaseReport['verdict'], meaning: string])[] = [
  ['observed', 'recorded, not judged'],
  ['inconclusive', 'could not be judged'],
  ['skipped', 'nothing to judge it by; its evidence says why'],
];

export function renderMatrixLegend(areas: readonly MatrixArea[]): Markup {
  const cells = areas.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const hasRequests = areas.some(({ rows }) => rows.some((row) => row.isOfRequests));
  const words = new Set(cells.flatMap((cell) => (cell === undefined ? [] : wordOfCell(cell))));
  return html`<ul class="legend">
    ${RESULTS.map((result) => {
      const { word, meaning } = RESULT_WORDS[result];
      const kept = result === 'pass' && hasRequests ? '; under requests: every request keeps the clause' : '';
      return html`<li><strong>${SIGNS[result] ?? word}</strong> ${meaning}${kept}</li>`;
    })}
    ${NOT_JUDGED.filter(([word]) => words.has(word)).map(([word, meaning]) => html`<li><strong>${word}</strong> ${meaning}</li>`)}
    <li><strong>N of M</strong> beside an area: passed N of the M rows judged, hidden ones included</li>
  </ul>`;
}

/** A failure is a word. The rest is a sign, so that it stays in the background. */
export function renderMark(cell: CaseReport): Markup {
  const word = wordOfCell(cell);
  const sign = SIGNS[word];
  if (sign === undefined) return html`<span class="word">${word}</span>`;
  return html`<span aria-hidden="true">${sign}</span><span class="unseen">${word}</span>`;
}

export function wordOfCell(cell: CaseReport): string {
  return wordsOfResult(cell)?.word ?? cell.verdict;
}
