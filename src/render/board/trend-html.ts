/**
 * How targets with several reports have changed: broken clauses and the time to the first text, one bar a run. Positions
 * are percentages, so that the drawing fills the width. The words above it say the same.
 */
import { count, formatDuration } from '../../text/layout.ts';
import { draw, html, type Markup, NOTHING, when } from '../html/markup.ts';
import { renderNote, renderSection } from '../html/parts.ts';
import { NO_FIRST_TEXT } from '../run-text.ts';
import { countLevels, formatBroken, formatExcusedOf, formatTime } from './board-text.ts';
import type { Board, BoardRun, BoardTarget } from './board.ts';

/** The latest runs of a target. */
const MAX_RUNS = 50;
/** With fewer runs, bars would be as wide as tables. */
const MIN_SLOTS = 20;
/** A page with hundreds of targets is searched, not read. */
const MAX_TARGETS = 60;
/** Pixels. A bar of one clause is still seen beside one of a hundred. */
const HEIGHT = 56;
const MIN_BAR = 3;

export function renderTrends({ targets }: Board, anchors: readonly string[]): Markup {
  const several = targets.map((target, at) => ({ target, at })).filter(({ target }) => target.runs.length > 1);
  if (several.length === 0) return NOTHING;
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
export function renderSparkline({ runs: all }: BoardTarget): Markup {
  const runs = all.slice(-SPARK_RUNS);
  if (runs.length < 2) return NOTHING;
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
  return html`<li>
    <h3><a href="#${anchor}">${name}</a> <span class="quiet">${formatSpan(runs)}</span></h3>
    <div class="charts">
      ${renderChart('Broken clauses', formatBrokenTrend(runs), brokenBars(runs, HEIGHT))}
      ${
        times.length < 2
          ? renderNoTimes(runs, times.length)
          : renderChart('First text', formatTrend(runs, formatFirstText, formatDuration(most)), timeBars(runs, most))
      }
    </div>
  </li>`;
}

function formatFirstText({ firstText }: BoardRun): string {
  return firstText === undefined ? 'not measured' : formatDuration(firstText);
}

/** One time is no trend. */
function renderNoTimes(runs: readonly BoardRun[], known: number): Markup {
  if (!runs.some(isJudged)) return NOTHING;
  const reasons = Object.entries(NO_FIRST_TEXT).flatMap(([reason, words]) => {
    const number = runs.filter(({ noFirstText }) => noFirstText === reason).length;
    return number === 0 ? [] : [`In ${number === runs.length ? 'every run' : count(number, 'run')}, ${words}.`];
  });
  return html`<p class="note">
    No chart of the time to the first text: ${known === 0 ? 'no run has' : 'only one run has'} such a time.
    ${reasons.join(' ')}
  </p>`;
}

function formatSpan(runs: readonly BoardRun[]): string {
  const [first, last] = [runs[0], runs.at(-1)].map((run) => formatTime(run?.startedAt ?? '').slice(0, 10));
  return `${count(runs.length, 'run')}, ${first === last ? first : `${first} to ${last}`}`;
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
    return { words: titleOf(run, formatBroken(run)), bars: bars.length === 0 ? [none] : bars };
  });
}

function timeBars(runs: readonly BoardRun[], most: number): Bars {
  return runs.map((run) => {
    const { firstText } = run;
    if (firstText === undefined) return { bars: [] };
    const words = titleOf(run, `first text after ${formatDuration(firstText)}`);
    return { words, bars: [['f-observed', Math.max(MIN_BAR, (firstText / most) * HEIGHT)]] };
  });
}

function titleOf({ startedAt }: BoardRun, words: string): string {
  return `${formatTime(startedAt)}: ${words}`;
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
      return draw('rect', { class: shade, x, width, y: top.toFixed(1), height: height.toFixed(1) }, title);
    });
  })}`;
}
