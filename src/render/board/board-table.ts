/** Targets × clauses. Areas are folded into one column each; the script unfolds them and filters. */
import { EXIT } from '../../exit-codes.ts';
import { groupBy } from '../../report/counts.ts';
import { inert } from '../../text/layout.ts';
import { EXCUSED_SIGN } from '../excused.ts';
import { readFragment } from '../html/document.ts';
import { html, type HtmlPiece, type Markup } from '../html/markup.ts';
import { renderLegend, renderSection } from '../html/parts.ts';
import { findArea } from '../html/view.ts';
import { LOOKS, OUTCOME_LOOKS, type Shade, SHADES, wordOfClause } from '../looks.ts';
import { countBroken, formatSinceLastRun, listVersions } from './board-text.ts';
import { type Board, type BoardRun, type BoardTarget, excuseIn } from './board.ts';
import { renderSparkline } from './trend-html.ts';

type Area = ReturnType<typeof listAreas>[number];

export function renderBoardTable(board: Board, anchors: readonly string[]): Markup {
  const areas = listAreas(board);
  return renderSection({
    id: 'targets',
    title: 'Targets and clauses',
    lead: html`One row per target, one column per area.
      <span class="on-screen">Unfold an area to see its clauses; click a sign to see its evidence.</span>`,
    body: html`${readFragment('board-filters.html')} ${renderBoardLegend()}
      <div class="scroller" tabindex="0" role="region" aria-label="Table of targets">
        <table class="matrix board">
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Verdict</th>
              <th scope="col"><abbr title="broken must clauses">must</abbr></th>
              <th scope="col"><abbr title="broken should clauses">should</abbr></th>
              ${
                hasHistory(board) &&
                html`<th scope="col">Trend</th>
                  <th scope="col">Since last run</th>`
              }
              ${areas.map(renderAreaHead)}
            </tr>
          </thead>
          <tbody>
            ${board.targets.map((target, at) => renderRow(board, areas, target, anchors[at] ?? ''))}
          </tbody>
        </table>
      </div>`,
  });
}

/** What matters first: the areas in which most musts are broken, then those in which most is. */
function listAreas({ clauses }: Board) {
  const breaks = (own: Board['clauses']): number => own.reduce((sum, { broken }) => sum + broken, 0);
  const musts = (own: Board['clauses']): number => breaks(own.filter(({ level }) => level === 'must'));
  return [...groupBy(clauses, ({ id }) => findArea(id))]
    .map(([name, own]) => ({ name, clauses: own }))
    .toSorted((a, b) => musts(b.clauses) - musts(a.clauses) || breaks(b.clauses) - breaks(a.clauses));
}

/** Clauses that no test can reach have no column. */
const MARKED = SHADES.filter((shade) => shade !== 'outside');

function renderBoardLegend(): Markup {
  const marks = MARKED.map((shade) => [`${LOOKS[shade].sign} ${wordOfClause(shade)}`, LOOKS[shade].meaning] as const);
  return renderLegend([...marks, [`${EXCUSED_SIGN} accepted`, 'broken, but waived or in the baseline']]);
}

function renderAreaHead({ name, clauses }: Area): Markup {
  return html`<th scope="col" class="area-head">
      <button type="button" data-area="${name}" aria-expanded="false" disabled>${name}</button>
    </th>
    ${clauses.map(
      ({ id, level, summary, broken }) =>
        html`<th
          scope="col"
          class="clause"
          data-a="${name}"
          data-id="${inert(id, 120)}"
          data-level="${level}"
          data-broken="${broken}"
          title="${inert(summary, 300)}"
          hidden
        >
          <span>${inert(id.slice(name.length + 1), 80)}</span>
        </th>`,
    )}`;
}

/** With a single run each, nothing can have changed. */
function hasHistory({ targets }: Board): boolean {
  return targets.some(({ runs }) => runs.length > 1);
}

function renderRow(board: Board, areas: readonly Area[], target: BoardTarget, anchor: string): Markup {
  const { latest, name } = target;
  const isOther = latest.contract !== listVersions(board)[0];
  const shade = OUTCOME_LOOKS[latest.outcome].shade;
  return html`<tr
    data-exit="${latest.exit === EXIT.interrupted ? EXIT.notJudged : latest.exit}"
    data-target="${board.targets.indexOf(target) + 1}"
  >
    <th scope="row">
      <a href="#${anchor}">${name}</a>
      ${isOther && html`<span class="tag" title="a different version of the contract and suites">other version</span>`}
    </th>
    <td class="v-${shade}">
      ${LOOKS[shade].sign} ${OUTCOME_LOOKS[latest.outcome].word}
      ${latest.profile !== undefined && html`<span class="by">by ${latest.profile}</span>`}
    </td>
    <td class="number">${renderBroken(latest, 'must')}</td>
    <td class="number">${renderBroken(latest, 'should')}</td>
    ${
      hasHistory(board) &&
      html`<td>${renderSparkline(target)}</td>
        <td class="since"><a href="#${anchor}">${formatSinceLastRun(target)}</a></td>`
    }
    ${areas.map((area) => {
      const marks = area.clauses.map(({ id }) => markOf(target, id));
      return [renderAreaCell(area, marks, anchor), ...marks.map((mark) => renderCell(mark, area.name, anchor))];
    })}
  </tr>`;
}

function renderBroken(run: BoardRun, level: 'must' | 'should'): HtmlPiece {
  return countBroken(run, level) ?? html`<span aria-hidden="true">–</span><span class="unseen">not judged</span>`;
}

type Mark = ReturnType<typeof markOf>;

function markOf({ verdicts, idle, latest }: BoardTarget, clause: string) {
  const shade: Shade = idle.includes(clause) ? 'idle' : (verdicts[clause] ?? 'none');
  // Broken, and none of it counts.
  return { clause, shade, isExcused: excuseIn(latest, clause) !== undefined };
}

const isBroken = ({ shade }: Mark): boolean => shade === 'fail' || shade === 'warn';

/** The worst verdict of the area with the number of its clauses, and the way to the evidence of the first. */
function renderAreaCell({ name }: Area, marks: readonly Mark[], anchor: string): Markup {
  const broken = marks.filter(isBroken);
  const counted = broken.filter(({ isExcused }) => !isExcused);
  const candidates = counted.length > 0 ? counted : broken.length > 0 ? broken : marks;
  const [worst] = candidates.toSorted((a, b) => SHADES.indexOf(a.shade) - SHADES.indexOf(b.shade));
  if (!worst) return html`<td></td>`;
  if (!isBroken(worst)) return html`<td class="${classOf(worst)} whole">${LOOKS[worst.shade].sign}</td>`;
  const alike = candidates.filter(({ shade }) => worst.isExcused || shade === worst.shade);
  const rest = candidates.length - alike.length;
  return html`<td class="${classOf(worst)} whole">
    ${linkEvidence(worst, anchor, name, { alike: alike.length, warnings: rest })}
  </td>`;
}

function renderCell(mark: Mark, area: string, anchor: string): Markup {
  return html`<td class="${classOf(mark)}" data-a="${area}" hidden>
    ${isBroken(mark) ? linkEvidence(mark, anchor, inert(mark.clause, 120)) : LOOKS[mark.shade].sign}
  </td>`;
}

function classOf({ shade, isExcused }: Mark): string {
  return isExcused ? `v-${shade} excused` : `v-${shade}`;
}

/** `alike`: clauses with the same sign. `warnings`: those that are broken beside them, and fail nothing. */
function linkEvidence(
  { clause, shade, isExcused }: Mark,
  anchor: string,
  label: string,
  { alike = 0, warnings = 0 } = {},
): Markup {
  const [sign, word] = isExcused ? [EXCUSED_SIGN, 'accepted'] : [LOOKS[shade].sign, LOOKS[shade].word];
  const number = alike === 0 ? '' : ` ${alike}`;
  const words = warnings === 0 ? '' : `, warn ${warnings}`;
  const beside = warnings > 0 && html` <span class="beside">${LOOKS.warn.sign} ${warnings}</span>`;
  return html`<a href="#${anchor}.${inert(clause, 120)}" aria-label="${word}: ${label}${number}${words}"
    >${sign}${number}${beside}</a
  >`;
}
