/**
 * A board as one self-contained page: targets and clauses, two targets side by side, history, evidence of failures. And the
 * table of its formats.
 */
import { COMMAND } from '../../contract/package-files.ts';
import { groupBy } from '../../report/counts.ts';
import { count, inert } from '../../text/layout.ts';
import { writeAgent } from '../document/write-agent.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import { EXCUSED_SIGN, EXCUSE_WORDS } from '../excused.ts';
import { readFragment, renderDocument } from '../html/document.ts';
import { type HtmlPiece, type Markup, html, when } from '../html/markup.ts';
import { renderBanner } from '../html/overview.ts';
import {
  renderBadge,
  renderFacts,
  renderId,
  renderNote,
  renderOwnBadge,
  renderSection,
  renderShellCommand,
  renderSign,
  renderTable,
} from '../html/parts.ts';
import { makeAnchors } from '../html/view.ts';
import { SHADE_OF_EXIT } from '../looks.ts';
import { renderBoardTable, renderTrends } from './board-table.ts';
import {
  agentOutline,
  formatBoardVerdict,
  formatBroken,
  formatExcuseIn,
  formatTargets,
  formatTime,
  listBoardNotices,
  listBreakers,
  listRunChanges,
  lookOfRun,
  markdownOutline,
  mostBroken,
  terminalOutline,
} from './board-text.ts';
import type { Board, BoardEntry, BoardRun, BoardTarget } from './board.ts';

const MOST_BROKEN = 12;

export function boardHtml(board: Board): string {
  const heading = formatBoardVerdict(board);
  const room = Math.min(MAX_EVIDENCE_EACH, MAX_EVIDENCE / board.targets.length);
  const anchors = makeAnchors(
    'target',
    board.targets.map(({ name, subject, target, model = '' }) => [name, subject, target, model] as const),
  );
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
      board.targets.length > 1 && readFragment('board-pair.html'),
      renderSection({
        id: 'evidence',
        title: 'Evidence',
        lead: 'The latest run of each target, and what changed from run to run.',
        body: board.targets.map((target, at) => renderTarget(target, anchors[at] ?? '', room)),
      }),
    ],
    footer: html`<p>
      Made by wirecheck ${inert(board.tool.version, 40)}. To read about a clause, run
      <code>${COMMAND} explain CLAUSE</code>.
      ${board.targets.some(({ latest }) => latest.profile !== undefined) && html`For a clause that v1 does not have, add <code>--suite FILE</code> or <code>--profile FILE</code>.`}
    </p>`,
  });
}

function renderHead(board: Board, line: string): Markup {
  const { targets } = board;
  // Targets that matter come first, and so do their outcomes.
  const outcomes = groupBy(
    targets,
    ({ latest }) => `${lookOfRun(latest).word}${latest.profile === undefined ? '' : ' by a profile'}`,
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
      ${[...outcomes].map(
        ([words, [first, ...others]]) =>
          first &&
          html`<li class="v-${lookOfRun(first.latest).shade}">${words}: <strong>${others.length + 1}</strong></li>`,
      )}
    </ul>`;
}

function renderMostBroken(board: Board): HtmlPiece {
  const broken = mostBroken(board);
  if (broken.length === 0) return undefined;
  const rows = broken.slice(0, MOST_BROKEN).map((clause) => [
    html`<a href="#text=${clause.id}">${renderId(clause.id)}</a>`,
    listBreakers(board, clause).map(
      ({ verdict, excuse, targets }) =>
        html`${excuse ? renderOwnBadge('badge', EXCUSED_SIGN, EXCUSE_WORDS[excuse]) : renderBadge(verdict)}
          <strong>${formatTargets(targets)}</strong> `,
    ),
    inert(clause.summary, 300),
  ]);
  return renderSection({
    id: 'most-broken',
    title: 'Most broken clauses',
    body: html`${renderTable({ name: 'Most broken clauses', kind: 'most-broken', heads: ['clause', 'where', 'what it asks for'], rows })}
    ${broken.length > MOST_BROKEN && renderNote(`and ${count(broken.length - MOST_BROKEN, 'more clause')}`)}`,
  });
}

/** Characters of evidence for all targets together, so that 200 of them fit in a page of 10 MB. */
const MAX_EVIDENCE = 6_000_000;
/** Characters for one target. Its own report has the rest. */
const MAX_EVIDENCE_EACH = 60_000;
const MAX_RUNS = 30;

function renderTarget(
  { name, target, model, latest, runs, entries }: BoardTarget,
  anchor: string,
  room: number,
): Markup {
  const shown = takeWhileFits(
    entries.map((entry, at) => renderEntry(entry, anchor, entries.slice(0, at))),
    room,
  );
  const left = entries.length - shown.length;
  return html`<details class="scenario target" id="${anchor}">
    <summary>${renderSign(lookOfRun(latest).shade)} <strong>${name}</strong> ${latest.verdict}</summary>
    ${renderFacts([
      ['Target', html`<code>${target}</code>`],
      ['Model', model],
      ['Checked', html`<time datetime="${inert(latest.startedAt, 40)}">${formatTime(latest.startedAt)}</time>`],
      ['Report', html`<a href="${encodeURI(latest.page ?? latest.report)}">${latest.page ?? latest.report}</a>`],
    ])}
    ${runs.length > 1 && renderHistory(runs)} ${shown}
    ${left > 0 && renderNote(`${count(left, 'more cause')}: see the report.`)}
  </details>`;
}

function takeWhileFits(entries: readonly Markup[], room: number): readonly Markup[] {
  let used = 0;
  const beyond = entries.findIndex(({ text }) => (used += text.length) > room);
  return beyond === -1 ? entries : entries.slice(0, Math.max(1, beyond));
}

function renderHistory(runs: readonly BoardRun[]): Markup {
  return html`<h3>History</h3>
    <ol class="history" reversed>
      ${runs
        .slice(-MAX_RUNS)
        .toReversed()
        .map(
          (run) =>
            html`<li>
              ${renderSign(lookOfRun(run).shade)}
              <a href="${encodeURI(run.page ?? run.report)}">${formatTime(run.startedAt)}</a>
              <span>${formatBroken(run)}</span>
              ${listRunChanges(run).map(
                ({ word, shade, clauses }) =>
                  html`<span class="change v-${shade}"
                    ><strong>${word}</strong>
                    ${clauses.map((id) => html`${renderId(id)}${formatExcuseIn(run, id)} `)}</span
                  >`,
              )}
            </li>`,
        )}
    </ol>
    ${runs.length > MAX_RUNS && renderNote(`and ${count(runs.length - MAX_RUNS, 'older run')}`)}`;
}

function renderEntry(entry: BoardEntry, anchor: string, before: readonly BoardEntry[]): Markup {
  const { verdict, clause, level, requirement, expected, actual, request, repeat, answer, seenIn, excused } = entry;
  // The first entry of a clause has its place in the page.
  const id = before.some((other) => other.clause === clause) ? undefined : html` id="${anchor}.${inert(clause, 120)}"`;
  return html`<article class="cell-evidence v-${verdict}" tabindex="-1" ${id}>
    <h3>
      ${renderSign(verdict)} ${renderId(clause)}
      <span class="quiet">${level}${excused ? `, ${EXCUSE_WORDS[excused]}` : ''}</span>
    </h3>
    ${renderFacts([
      ['Requirement', requirement],
      ['Expected', expected],
      ['Actual', when(actual, (said) => html`<strong class="said">${said}</strong>`)],
      ['Seen in', seenIn],
      ['Request', request],
      ['Answer', when(answer, ({ status, body }) => html`${status} <code>${body}</code>`)],
      ['Repeat', when(repeat, (command) => renderShellCommand(command, 'the command that repeats it'))],
    ])}
  </article>`;
}

// The formats of a board. The writers of every document lay out those for a terminal, for Markdown and for agents.

/** `from`: the folder that paths of reports start from, as seen from the working directory. */
export const BOARD_FORMATS = {
  // A line is as long as its verdict.
  terminal: (board) => writeTerminal(terminalOutline(board), { width: Infinity, colour: false }),
  html: boardHtml,
  json: (board) => `${JSON.stringify(board, undefined, 2)}\n`,
  markdown: (board) => writeMarkdown(markdownOutline(board)),
  agent: (board, { from = '' } = {}) => writeAgent(agentOutline(board, from)),
} satisfies Record<string, (board: Board, options?: { readonly from?: string }) => string>;

export type BoardFormatName = keyof typeof BOARD_FORMATS;
export const BOARD_FORMAT_NAMES = Object.keys(BOARD_FORMATS) as readonly BoardFormatName[];
