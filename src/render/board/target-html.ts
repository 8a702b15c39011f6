/** A target of a board: its verdict, its history, and the evidence of its failures. */
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { makeAnchors } from '../html/anchors.ts';
import { html, type Markup, NOTHING, when } from '../html/markup.ts';
import { EXCUSE_WORDS } from '../excused.ts';
import { OUTCOME_LOOKS } from '../looks.ts';
import { renderShellCommand, renderFacts, renderId, renderSection } from '../html/parts.ts';
import { renderSign } from '../html/verdict-mark.ts';
import type { Board, BoardRun, BoardTarget } from './board.ts';
import { formatExcuseIn } from './board-excused.ts';
import { formatBroken, formatTime } from './board-text.ts';
import type { BoardEntry } from './summary.ts';

/** Characters of evidence for all targets together, so that 200 of them fit in a page of 10 MB. */
const MAX_EVIDENCE = 6_000_000;
/** Characters for one target. Its own report has the rest. */
const MAX_EVIDENCE_EACH = 60_000;
const MAX_RUNS = 30;

/** One for each target, in their order. */
export function anchorsOf({ targets }: Board): readonly string[] {
  return makeAnchors(
    'target',
    targets.map(({ name, subject, target, model = '' }) => [name, subject, target, model]),
  );
}

export function renderTargets({ targets }: Board, anchors: readonly string[]): Markup {
  const room = Math.min(MAX_EVIDENCE_EACH, MAX_EVIDENCE / targets.length);
  return renderSection({
    id: 'evidence',
    title: 'Evidence',
    lead: 'The latest run of each target, and what changed from run to run.',
    body: targets.map((target, at) => renderTarget(target, anchors[at] ?? '', room)),
  });
}

function renderTarget(
  { name, target, model, latest, runs, entries }: BoardTarget,
  anchor: string,
  room: number,
): Markup {
  const shown = takeWhileFits(
    entries.map((entry, at) => renderEntry(entry, anchor, entries.slice(0, at))),
    room,
  );
  return html`<details class="scenario target" id="${anchor}">
    <summary>${renderSign(OUTCOME_LOOKS[latest.outcome].shade)} <strong>${name}</strong> ${latest.verdict}</summary>
    ${renderFacts([
      ['Target', html`<code>${target}</code>`],
      ['Model', model],
      ['Checked', html`<time datetime="${inert(latest.startedAt, 40)}">${formatTime(latest.startedAt)}</time>`],
      ['Report', renderReportLinks(latest)],
    ])}
    ${runs.length > 1 ? renderHistory(runs) : NOTHING} ${shown}
    ${
      shown.length < entries.length
        ? html`<p class="note">${count(entries.length - shown.length, 'more cause')}: see the report.</p>`
        : NOTHING
    }
  </details>`;
}

/** Paths from the board, which may have been moved since. */
function renderReportLinks({ report, page }: BoardRun): Markup {
  return html`<a href="${encodeURI(page ?? report)}">${page ?? report}</a>`;
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
              ${renderSign(OUTCOME_LOOKS[run.outcome].shade)}
              <a href="${encodeURI(run.page ?? run.report)}">${formatTime(run.startedAt)}</a>
              <span>${formatBroken(run)}</span>
              ${renderChange('appeared', run, 'v-fail')} ${renderChange('found', run, 'v-warn')}
              ${renderChange('countsAgain', run, 'v-fail')} ${renderChange('accepted', run, 'v-warn')}
              ${renderChange('fixed', run, 'v-pass')}
            </li>`,
        )}
    </ol>
    ${runs.length > MAX_RUNS ? html`<p class="note">and ${count(runs.length - MAX_RUNS, 'older run')}</p>` : NOTHING}`;
}

const CHANGE_WORDS = {
  appeared: 'appeared',
  found: 'first judged, broken',
  countsAgain: 'counts again',
  accepted: 'now excused',
  fixed: 'fixed',
} as const;

function renderChange(kind: keyof typeof CHANGE_WORDS, run: BoardRun, shade: string): Markup {
  const clauses = run[kind];
  if (clauses.length === 0) return NOTHING;
  return html`<span class="change ${shade}"
    ><strong>${CHANGE_WORDS[kind]}</strong>
    ${clauses.map((id) => html`${renderId(id)}${formatExcuseIn(run, id)} `)}</span
  >`;
}

function renderEntry(entry: BoardEntry, anchor: string, before: readonly BoardEntry[]): Markup {
  const { verdict, clause, level, requirement, expected, actual, request, repeat, answer, seenIn, excused } = entry;
  // The first entry of a clause has its place in the page.
  const id = before.some((other) => other.clause === clause) ? NOTHING : html` id="${anchor}.${inert(clause, 120)}"`;
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
