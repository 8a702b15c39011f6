/** Targets × clauses, and their history. Areas are folded into one column each; the script unfolds them and filters. */
import { EXIT } from '../../exit-codes.ts';
import { groupBy } from '../../report/counts.ts';
import { count, formatDuration, inert } from '../../text/layout.ts';
import { EXCUSED_SIGN } from '../excused.ts';
import { readFragment } from '../html/document.ts';
import { element, html, type HtmlPiece, type Markup, when } from '../html/markup.ts';
import { renderLegend, renderNote, renderSection } from '../html/parts.ts';
import { findArea } from '../html/view.ts';
import { groupByWord, LOOKS, type Shade, SHADES, wordWithReason } from '../looks.ts';
import {
  byEdition,
  countBroken,
  countLevels,
  formatBroken,
  formatExcusedOf,
  formatSinceLastRun,
  formatTime,
  listVersions,
  lookOfRun,
} from './board-text.ts';
import { type Board, type BoardRun, type BoardTarget, excuseIn } from './board.ts';
import { NO_FIRST_TEXT } from '../run-text.ts';

type Area = ReturnType<typeof listAreas>[number];

export function renderBoardTable(board: Board, anchors: readonly string[]): Markup {
  const areas = listAreas(board);
  // Clauses that no test can reach have no column.
  const marks = groupByWord(SHADES.filter((shade) => shade !== 'outside')).map(([word, shades]) => {
    const looks = shades.map((shade) => LOOKS[shade]);
    const meanings = looks.map(({ reason, meaning }) => reason ?? meaning);
    return [`${looks.map(({ sign }) => sign).join(' ')} ${word}`, meanings.join(', ')] as const;
  });
  return renderSection({
    id: 'targets',
    title: 'Targets and clauses',
    lead: html`One row per target, one column per area.
      <span class="on-screen">Unfold an area to see its clauses; click a sign to see its evidence.</span>`,
    body: html`${readFragment('board-filters.html')} ${renderLegend([...marks, ACCEPTED])}
      <div class="scroller" tabindex="0" role="region" aria-label="Table of targets">
        ${byEdition(board.targets).map(
          ({ title, own }) =>
            html`<table
              class="matrix board"
              data-words="${JSON.stringify(Object.fromEntries(SHADES.map((shade) => [shade, wordWithReason(shade)])))}"
            >
              <caption>
                ${title}
              </caption>
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
                ${own.map((target) => renderRow(board, areas, target, anchors[board.targets.indexOf(target)] ?? ''))}
              </tbody>
            </table>`,
        )}
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

const ACCEPTED = [`${EXCUSED_SIGN} accepted`, 'broken, but waived or in the baseline'] as const;

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
  const look = lookOfRun(latest);
  const since = formatSinceLastRun(target);
  return html`<tr
    data-exit="${latest.exit === EXIT.interrupted ? EXIT.notJudged : latest.exit}"
    data-target="${board.targets.indexOf(target) + 1}"
  >
    <th scope="row">
      <a href="#${anchor}">${name}</a>
      ${isOther && html`<span class="tag" title="a different version of the contract and suites">other version</span>`}
    </th>
    <td class="v-${look.shade}">
      ${LOOKS[look.shade].sign} ${look.word}
      ${latest.profile !== undefined && html`<span class="by">by ${latest.profile}</span>`}
    </td>
    <td class="number">${renderBroken(latest, 'must')}</td>
    <td class="number">${renderBroken(latest, 'should')}</td>
    ${
      hasHistory(board) &&
      html`<td>${renderSparkline(target)}</td>
        <td class="since">${since && html`<a href="#${anchor}">${since}</a>`}</td>`
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
  // The numbers have the order that they are seen in, so that the link is known by both.
  const [and, more] = warnings === 0 ? ['', ''] : [`, ${LOOKS.warn.word}`, `, ${warnings}`];
  const beside = warnings > 0 && html` <span class="beside">${LOOKS.warn.sign} ${warnings}</span>`;
  return html`<a href="#${anchor}.${inert(clause, 120)}" aria-label="${word}${and}: ${label}${number}${more}"
    >${sign}${number}${beside}</a
  >`;
}

// How targets with several reports have changed: broken clauses and the time to the first text, one bar a run. Positions are
// percentages, so that the drawing fills the width. The words above it say the same.

/** The latest runs of a target. */
const MAX_RUNS = 50;
/** With fewer runs, bars would be as wide as tables. */
const MIN_SLOTS = 20;
/** A page with hundreds of targets is searched, not read. */
const MAX_TARGETS = 60;
/** Pixels. A bar of one clause is still seen beside one of a hundred. */
const HEIGHT = 56;
const MIN_BAR = 3;

export function renderTrends({ targets }: Board, anchors: readonly string[]): HtmlPiece {
  const several = targets.map((target, at) => ({ target, at })).filter(({ target }) => target.runs.length > 1);
  if (several.length === 0) return undefined;
  const shown = several.slice(0, MAX_TARGETS);
  const left = several.length - shown.length;
  return renderSection({
    id: 'trend',
    title: 'Trend',
    lead: `One bar per run, the latest on the right, at most ${MAX_RUNS}. Red: must clauses, yellow: should clauses. A hollow bar is a run that was not judged; a gap, one whose time was not measured, for instance since wirecheck itself was late on a busy machine.`,
    body: html`<ul class="trends">
        ${shown.map(({ target, at }) => renderTrend(target, anchors[at] ?? ''))}
      </ul>
      ${left > 0 && renderNote(`${count(left, 'more target')}: see the evidence.`)}`,
  });
}

const SPARK_RUNS = 12;
/** Pixels. */
const SPARK_SLOT = 6;
const SPARK_HEIGHT = 18;

/** The broken clauses of the latest runs, small enough for a cell. Empty for a single run. */
export function renderSparkline({ runs: all }: BoardTarget): HtmlPiece {
  const runs = all.slice(-SPARK_RUNS);
  if (runs.length < 2) return undefined;
  const width = runs.length * SPARK_SLOT;
  const unnamed = brokenBars(runs, SPARK_HEIGHT).map(({ bars }) => ({ bars }));
  return html`<svg
    class="spark"
    width="${width}"
    height="${SPARK_HEIGHT}"
    role="img"
    aria-label="Broken clauses: ${formatBrokenTrend(runs)}"
  >
    ${renderBars(unnamed, runs.length, SPARK_HEIGHT)}
  </svg>`;
}

function renderTrend({ name, runs: all }: BoardTarget, anchor: string): Markup {
  const runs = all.slice(-MAX_RUNS);
  const times = runs.flatMap(({ firstText }) => firstText ?? []);
  const most = Math.max(...times);
  const formatFirst = ({ firstText }: BoardRun) =>
    firstText === undefined ? 'not measured' : formatDuration(firstText);
  const [from, to] = [runs[0], runs.at(-1)].map((run) => formatTime(run?.startedAt ?? '').slice(0, 10));
  const span = `${count(runs.length, 'run')}, ${from === to ? from : `${from} to ${to}`}`;
  return html`<li>
    <h3><a href="#${anchor}">${name}</a> <span class="quiet">${span}</span></h3>
    <div class="charts">
      ${renderChart('Broken clauses', formatBrokenTrend(runs), brokenBars(runs, HEIGHT))}
      ${
        times.length < 2
          ? renderNoTimes(runs, times.length)
          : renderChart('First text', formatTrend(runs, formatFirst, formatDuration(most)), timeBars(runs, most))
      }
    </div>
  </li>`;
}

/** One time is no trend. */
function renderNoTimes(runs: readonly BoardRun[], known: number): HtmlPiece {
  if (!runs.some(isJudged)) return undefined;
  const reasons = Object.entries(NO_FIRST_TEXT).flatMap(([reason, words]) => {
    const number = runs.filter(({ noFirstText }) => noFirstText === reason).length;
    return number === 0 ? [] : [`In ${number === runs.length ? 'every run' : count(number, 'run')}, ${words}.`];
  });
  return html`<p class="note">
    No chart of the time to the first text: ${known === 0 ? 'no run has' : 'only one run has'} such a time.
    ${reasons.join(' ')}
  </p>`;
}

/** `2 must and 1 should at first, none at last, at most 4`. A run that was not judged is named as such, not passed over. */
function formatBrokenTrend(runs: readonly BoardRun[]): string {
  const sums = runs.map(({ broken }) => broken.must + broken.should);
  if (!runs.some(isJudged) && sums.every((sum) => sum === 0)) return 'never judged';
  const formatCounts = (run: BoardRun): string => {
    const levels = countLevels(run);
    if (levels === '') return isJudged(run) ? 'none' : 'not judged';
    return levels + formatExcusedOf(run, run.broken);
  };
  return formatTrend(runs, formatCounts, String(Math.max(...sums)));
}

/** A run without a value is not passed over. */
function formatTrend(runs: readonly BoardRun[], format: (run: BoardRun) => string, most: string): string {
  const [first = '', last = ''] = [runs[0], runs.at(-1)].map((run) => run && format(run));
  return `${first} at first, ${last} at last, at most ${most}`;
}

function isJudged({ outcome }: BoardRun): boolean {
  return outcome !== 'not-judged';
}

/** The bars of each run from the bottom up, with the words that a mouse shows on them. Heights are pixels. */
type Bars = readonly {
  readonly words?: string;
  readonly bars: readonly (readonly [shade: string, height: number])[];
}[];

function brokenBars(runs: readonly BoardRun[], height: number): Bars {
  const most = Math.max(1, ...runs.map(({ broken }) => broken.must + broken.should));
  const barOf = (shade: string, number: number) =>
    number === 0 ? [] : [[shade, Math.max(MIN_BAR, (number / most) * (height - 2 * MIN_BAR))] as const];
  return runs.map((run) => {
    const bars = [...barOf('f-fail', run.broken.must), ...barOf('f-warn', run.broken.should)];
    const none = isJudged(run) ? (['f-pass', 2] as const) : (['earlier', height / 3] as const);
    return { words: `${formatTime(run.startedAt)}: ${formatBroken(run)}`, bars: bars.length === 0 ? [none] : bars };
  });
}

function timeBars(runs: readonly BoardRun[], most: number): Bars {
  return runs.map(({ firstText, startedAt }) => {
    if (firstText === undefined) return { bars: [] };
    const words = `${formatTime(startedAt)}: first text after ${formatDuration(firstText)}`;
    return { words, bars: [['f-observed', Math.max(MIN_BAR, (firstText / most) * HEIGHT)]] };
  });
}

function renderChart(name: string, words: string, all: Bars): Markup {
  return html`<figure>
    <figcaption>${name} <span class="quiet">${words}</span></figcaption>
    <svg width="100%" height="${HEIGHT}" aria-hidden="true">
      ${renderBars(all, Math.max(MIN_SLOTS, all.length), HEIGHT)}
    </svg>
  </figure>`;
}

function renderBars(all: Bars, slots: number, full: number): Markup {
  const slot = 100 / slots;
  const width = `${(slot * 0.8).toFixed(2)}%`;
  return html`${all.map(({ words, bars }, at) => {
    const title = when(words, (text) => html`<title>${text}</title>`);
    let top = full;
    return bars.map(([shade, height]) => {
      top -= height;
      const x = `${(at * slot + slot * 0.1).toFixed(2)}%`;
      return element('rect', { class: shade, x, width, y: top.toFixed(1), height: height.toFixed(1) }, title);
    });
  })}`;
}
