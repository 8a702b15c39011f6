/** A board as one self-contained page: targets and clauses, two targets side by side, history, evidence of failures. */
import { COMMAND } from '../../contract/package-files.ts';
import { groupBy } from '../../report/counts.ts';
import type { Excuse } from '../../report/excuses/excuse-report.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { renderDocument } from '../html/document.ts';
import { html, type Markup, NOTHING } from '../html/markup.ts';
import { renderId, renderSection } from '../html/parts.ts';
import { renderBanner } from '../html/overview.ts';
import { renderBadge } from '../html/verdict-mark.ts';
import { EXCUSE_WORDS, EXCUSED_SIGN } from '../excused.ts';
import { OUTCOME_LOOKS, SHADE_OF_EXIT } from '../looks.ts';
import type { Board } from './board.ts';
import { renderBoardTable } from './board-table.ts';
import {
  formatBoardVerdict,
  formatTargets,
  listBreakers,
  formatTime,
  listBoardNotices,
  mostBroken,
} from './board-text.ts';
import { renderTrends } from './trend-html.ts';
import { anchorsOf, renderTargets } from './target-html.ts';

const MOST_BROKEN = 12;

export function boardHtml(board: Board): string {
  const heading = formatBoardVerdict(board);
  const anchors = anchorsOf(board);
  return renderDocument({
    title: board.title === undefined ? heading : `${heading}: ${inert(board.title, 120)}`,
    subtitle: 'board',
    version: board.tool.version,
    shade: SHADE_OF_EXIT[board.exit],
    styles: ['tables', 'matrix', 'board', 'narrow', 'print'],
    scripts: ['board'],
    layout: 'matrix-page',
    sections: [],
    main: [
      renderHead(board, heading),
      renderMostBroken(board),
      renderBoardTable(board, anchors),
      renderTrends(board, anchors),
      renderPair(board),
      renderTargets(board, anchors),
    ],
    footer: html`<p>
      Made by wirecheck ${inert(board.tool.version, 40)}. To read about a clause, run
      <code>${COMMAND} explain CLAUSE</code>.
      ${board.targets.some(({ latest }) => latest.profile !== undefined) ? html`For a clause that v1 does not have, add <code>--suite FILE</code> or <code>--profile FILE</code>.` : NOTHING}
    </p>`,
  });
}

function renderHead(board: Board, line: string): Markup {
  const { targets } = board;
  // Targets that matter come first, and so do their outcomes.
  const outcomes = groupBy(
    targets,
    ({ latest }) => `${OUTCOME_LOOKS[latest.outcome].word}${latest.profile === undefined ? '' : ' by a profile'}`,
  );
  const runs = targets.flatMap((target) => target.runs);
  const latest = runs.reduce((last, { startedAt }) => (startedAt > last ? startedAt : last), '');
  return html`${renderBanner({
      shade: SHADE_OF_EXIT[board.exit],
      heading: board.title,
      line,
      about: html`<p class="about">
        <span>${count(runs.length, 'report')} on ${count(targets.length, 'target')}</span>
        <span>latest run ${formatTime(latest)}</span>
        <span>wirecheck ${inert(board.tool.version, 40)}</span>
      </p>`,
      notices: listBoardNotices(board),
    })}
    <ul class="outcomes">
      ${[...outcomes].map(([words, [first, ...others]]) =>
        first
          ? html`<li class="v-${OUTCOME_LOOKS[first.latest.outcome].shade}">
              ${words}: <strong>${others.length + 1}</strong>
            </li>`
          : NOTHING,
      )}
    </ul>`;
}

function renderMostBroken(board: Board): Markup {
  const broken = mostBroken(board);
  if (broken.length === 0) return NOTHING;
  return renderSection({
    id: 'most-broken',
    title: 'Most broken clauses',
    body: html`<ul class="most-broken">
      ${broken.slice(0, MOST_BROKEN).map(
        (clause) =>
          html`<li>
            <a href="#text=${clause.id}">${renderId(clause.id)}</a>
            ${listBreakers(board, clause).map(({ verdict, excuse, targets }) => html`${excuse ? renderExcuse(excuse) : renderBadge(verdict)} <strong>${formatTargets(targets)}</strong> `)}
            <span class="quiet">${inert(clause.summary, 300)}</span>
          </li>`,
      )}
    </ul>`,
  });
}

function renderExcuse(excuse: Excuse): Markup {
  return html`<span class="badge"
    ><span class="sign" aria-hidden="true">${EXCUSED_SIGN}</span>${EXCUSE_WORDS[excuse]}</span
  >`;
}

/** Filled by the script: without it, the table shows the same. */
function renderPair({ targets }: Board): Markup {
  if (targets.length < 2) return NOTHING;
  const choose = (name: string, label: string): Markup =>
    html`<label
      >${label}
      <select name="${name}">
        <option value="">choose a target</option>
        ${targets.map((target, at) => html`<option value="${at + 1}">${target.name}</option>`)}
      </select></label
    >`;
  return html`<section id="pair" aria-labelledby="pair-title" hidden>
    <h2 id="pair-title">Two targets side by side</h2>
    <form id="pair-form">${choose('left', 'Left')} ${choose('right', 'Right')}</form>
    <p id="pair-note" class="note" role="status">Choose two targets to see where they differ.</p>
    <div id="pair-table" class="scroller" tabindex="0" role="region" aria-label="Differences" hidden>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">Clause</th>
            <th scope="col"></th>
            <th scope="col"></th>
          </tr>
        </thead>
        <tbody></tbody>
      </table>
    </div>
  </section>`;
}
