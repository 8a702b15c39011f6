/** A run under load: the outcomes of each stage as a bar, times as drawings, and the same numbers as tables. */
import { areTimesSure, LOAD_QUANTILES, LOAD_TIMES, type LoadReport, type LoadStage } from '../../report/load-report.ts';
import { count, formatDuration, groupDigits } from '../../text/layout.ts';
import { renderFactList } from '../document/write-html.ts';
import { CALL_OUTCOMES, loadLead, formatShare, LOAD_WORDS, loadFacts, nameStage, stageRemarks } from '../load-facts.ts';
import { drawAxis, drawMark } from './drawings.ts';
import { type HtmlPiece, type Markup, element, html } from './markup.ts';
import { keepWhole, renderFold, renderNote, renderItems, renderTable, type SectionParts } from './parts.ts';
import type { View } from './view.ts';

/** Pixels of a band: one broken answer of ten thousand has to be seen. */
const MIN_HEIGHT = 2;

export function load({ report }: View): SectionParts | undefined {
  const { load } = report;
  return (
    load && {
      id: 'load',
      title: 'Load',
      lead: keepWhole(loadLead(load)),
      body: html`${renderOverTime(load.stages)}
        <ol class="stages">
          ${load.stages.map(renderStage)}
        </ol>
        ${renderPlots(load.stages)} ${renderFactList(loadFacts(report))}
        ${renderFold('The same as numbers', [renderTimes(load), renderKinds(load), renderChecker(load)], { kind: 'numbers' })}`,
    }
  );
}

function renderStage(stage: LoadStage): Markup {
  const { phase, inFlight, reached, duration, calls, outcomes } = stage;
  const shown = CALL_OUTCOMES.filter((outcome) => outcomes[outcome] > 0);
  const counted = shown.map(
    (outcome) =>
      html`<svg width="10" height="10" aria-hidden="true"><rect class="o-${outcome}" width="10" height="10" /></svg>
        <strong>${groupDigits(outcomes[outcome])}</strong> ${LOAD_WORDS.outcome[outcome]}
        <span class="quiet">${formatShare(outcomes[outcome] / calls)}</span>`,
  );
  return html`<li>
    <p class="stage-name">
      <strong>${inFlight} in flight</strong>
      ${[...(phase === 'ramp' ? [] : [LOAD_WORDS.phase[phase]]), ...stageRemarks(stage)].map((remark) => html`<span class="tag">${remark}</span> `)}
      <span class="quiet"
        >${count(calls, 'call')} in ${formatDuration(duration)}; really in flight: ${reached.mean.toFixed(1)} on
        average, ${reached.most} at most</span
      >
    </p>
    ${renderItems('outcomes', counted)}
  </li>`;
}

/** Pixels: the highest band, the numbers above it, and the lines between mixed calls below it. */
const BAND = 96;
const HEAD = 18;
const LINKS = 24;
/** Per cent of the width: the bands of a search are too narrow for their number. */
const MIN_LABELLED = 4;

/** The stages over time: a band for each, as high as it had calls in flight, and a mark for each call that is broken. */
function renderOverTime(stages: readonly LoadStage[]): Markup {
  const last = Math.max(1, ...stages.map(({ startedAt, duration }) => startedAt + duration));
  const x = (at: number): number => 1 + (at / last) * 97;
  const foot = HEAD + BAND;
  const mixed = stages.flatMap(({ mixedAt = [] }) => mixedAt);
  const bottom = foot + (mixed.length > 0 ? LINKS : 6);
  const most = Math.log2(Math.max(...stages.map(({ inFlight }) => inFlight))) + 1;
  return html`<figure class="timeline over-time">
    <svg role="img" aria-label="${describeStages(stages)}" width="100%" height="${bottom + 22}">
      ${stages.map((stage) => renderBand(stage, x, ((Math.log2(stage.inFlight) + 1) / most) * BAND))}
      ${stages.flatMap(({ brokenAt = [] }) => brokenAt.map((at) => drawMark('wrong', percent(x(at)), foot, foot + 6)))}
      ${mixed.map(([from, to], at) => {
        const y = foot + 9 + ((at * 5) % (LINKS - 10));
        const [cx, end] = [percent(x(from)), percent(x(to))];
        return html`${element('line', { class: 'wrong', x1: cx, x2: end, y1: y, y2: y })}
        ${element('circle', { class: 'wrong', cx, cy: y, r: 2 })}`;
      })}
      ${drawAxis(0, last, (at) => percent(x(at)), bottom)}
    </svg>
    <figcaption>
      Each band is a stage: the more calls in flight, the higher. The list below explains its colours. Each mark under a
      band is a broken
      call.${mixed.length > 0 && ' Each dot is a call that got the text of another one; a line joins the two.'}
    </figcaption>
  </figure>`;
}

function renderBand({ inFlight, startedAt, duration, outcomes }: LoadStage, x: (at: number) => number, height: number) {
  const [from, to] = [x(startedAt), x(startedAt + duration)];
  const shown = CALL_OUTCOMES.filter((outcome) => outcomes[outcome] > 0);
  const all = shown.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  // The smallest parts are drawn larger than they are.
  const least = shown.map((outcome) => Math.max(MIN_HEIGHT, (outcomes[outcome] / all) * height));
  const scale = height / least.reduce((sum, part) => sum + part, 0);
  let top = HEAD + BAND;
  return html`${shown.map((outcome, at) => {
    const part = (least[at] ?? 0) * scale;
    top -= part;
    const place = { x: percent(from), width: percent(to - from), y: top.toFixed(1), height: part.toFixed(1) };
    return element('rect', { class: `o-${outcome}`, ...place });
  })}
  ${to - from > MIN_LABELLED && element('text', { x: percent((from + to) / 2), y: HEAD + BAND - height - 4, 'text-anchor': 'middle' }, inFlight)}`;
}

function percent(share: number): string {
  return `${share.toFixed(2)}%`;
}

/** Screen readers say it in place of the bands. */
function describeStages(stages: readonly LoadStage[]): string {
  const parts = stages.map((stage) => `${nameStage(stage)}: ${count(stage.outcomes.broken, 'broken call')}`);
  return `Calls in flight over time. ${parts.join('; ')}`;
}

type Row = readonly string[];

/** A table with a row for each stage, or several. */
function renderNumbers(
  name: string,
  heads: Row,
  stages: readonly LoadStage[],
  rowsOf: (stage: LoadStage) => readonly Row[],
): Markup {
  const rows = stages.flatMap((stage) => rowsOf(stage).map((row) => [nameStage(stage), ...row]));
  return renderTable({ name, isCaptioned: true, kind: 'load-table', heads: ['stage', ...heads], rows });
}

const TIMES = LOAD_TIMES.flatMap((time) => LOAD_QUANTILES.map((quantile) => ({ time, quantile })));

function renderTimes({ stages }: LoadReport): Markup {
  const heads = TIMES.map(({ time, quantile }) => `${LOAD_WORDS.time[time]}, ${LOAD_WORDS.quantile[quantile]}`);
  return renderNumbers(`Times: ${LOAD_WORDS.timedCalls}`, heads, stages, ({ times }) => [
    TIMES.map(({ time, quantile }) => (times[time] ? formatDuration(times[time][quantile]) : '–')),
  ]);
}

function renderKinds({ stages }: LoadReport): Markup {
  const name = 'Rarest fault that each stage would have seen';
  return renderNumbers(name, ['kind', 'answers', 'fault in'], stages, ({ kinds }) =>
    kinds.map(({ kind, answers, oneIn, isReached }) => {
      return [LOAD_WORDS.kind[kind], groupDigits(answers), isReached ? `1 of ${groupDigits(oneIn)}` : 'not reached'];
    }),
  );
}

function renderChecker({ stages }: LoadReport): Markup {
  const heads = ['event-loop delay, 99 %', 'cores', 'whole machine', 'memory', 'no new calls'];
  return renderNumbers('The checker itself', heads, stages, ({ generator }) => {
    const { delay, cpu, machine, memory, heldBack } = generator;
    const share = machine === undefined ? '–' : formatShare(machine);
    const used = `${Math.round(memory / 1024 / 1024)} MiB`;
    return [[formatDuration(delay), cpu.toFixed(2), share, used, formatDuration(heldBack)]];
  });
}

/** Per cent of the width: the first and the last stage, and the names of the lines. */
const FIRST = 16;
const LAST = 62;
const NAMES = 65;
/** Pixels: the highest and the lowest value, the axis, and the least distance between two names. */
const TOP = 14;
const BOTTOM = 146;
const AXIS = 160;
const NAME_STEP = 15;
/** Milliseconds: shorter times are drawn as this. */
const SHORTEST = 0.1;
/** Labels of the vertical axis. */
const MAX_TICKS = 5;

/** A drawing for headers, first text and end, with a line for each quantile that is named where it ends. */
function renderPlots(stages: readonly LoadStage[]): HtmlPiece {
  const ramp = stages.filter(({ phase }) => phase === 'ramp').toSorted((a, b) => a.inFlight - b.inFlight);
  const drawn = LOAD_TIMES.map((time) => ({ time, points: pointsOf(ramp, time) })).filter(
    ({ points }) => points.length > 0,
  );
  if (drawn.length === 0) return undefined;
  const isSure = ramp.every(({ generator }) => areTimesSure(generator));
  const busy = isSure ? '' : ' Hollow points do not count: the checker or the machine was busy.';
  return html`<div class="plots">${drawn.map(({ time, points }) => renderPlot(time, points))}</div>
    ${renderNote(`Times, on a logarithmic scale, by calls in flight: ${LOAD_WORDS.timedCalls}.${busy}`)}`;
}

type Time = keyof LoadStage['times'];
type Point = ReturnType<typeof pointsOf>[number];

/** Times that were taken while the checker or the machine was busy do not count. */
function pointsOf(ramp: readonly LoadStage[], time: Time) {
  return ramp.flatMap(({ inFlight, times, generator }) => {
    const own = times[time];
    return own ? [{ inFlight, times: own, isBusy: !areTimesSure(generator) }] : [];
  });
}

function renderPlot(time: Time, points: readonly Point[]): Markup {
  const values = points.flatMap(({ times }) => LOAD_QUANTILES.map((quantile) => times[quantile]));
  const ticks = chooseLogTicks(Math.min(...values), Math.max(...values));
  const y = scaleTo(ticks);
  const x = (at: number): number =>
    points.length === 1 ? (FIRST + LAST) / 2 : FIRST + (at / (points.length - 1)) * (LAST - FIRST);
  return html`<figure class="plot">
    <h3>Time to ${time === 'end' ? 'the end' : LOAD_WORDS.time[time]}</h3>
    <svg role="img" aria-label="${describe(time, points)}" width="100%" height="196">
      ${ticks.map((tick) => {
        const height = y(tick).toFixed(1);
        return html`${element('line', { class: 'axis', x1: 0, x2: `${LAST + 2}%`, y1: height, y2: height })}
        ${element('text', { x: 0, y: (y(tick) - 3).toFixed(1) }, formatDuration(tick))}`;
      })}
      ${points.map(({ inFlight }, at) => element('text', { x: `${x(at).toFixed(2)}%`, y: AXIS + 14, 'text-anchor': 'middle' }, inFlight))}
      ${element('text', { x: `${(FIRST + LAST) / 2}%`, y: AXIS + 30, 'text-anchor': 'middle' }, 'calls in flight')}
      ${LOAD_QUANTILES.map((quantile) => renderLine(quantile, points, x, y))} ${renderNames(points, y)}
    </svg>
  </figure>`;
}

function renderLine(
  quantile: (typeof LOAD_QUANTILES)[number],
  points: readonly Point[],
  x: (at: number) => number,
  y: (value: number) => number,
): Markup {
  const place = (at: number) => [`${x(at).toFixed(2)}%`, y(points[at]?.times[quantile] ?? 0).toFixed(1)] as const;
  return html`<g class="line ${quantile}">
    ${points.slice(1).map((_, before) => {
      const [[x1, y1], [x2, y2]] = [place(before), place(before + 1)];
      return element('line', { x1, y1, x2, y2 });
    })}
    ${points.map(({ isBusy }, at) => {
      const [cx, cy] = place(at);
      return element('circle', { class: isBusy ? 'hollow' : 'full', cx, cy, r: 3 });
    })}
  </g>`;
}

/** Each name stands beside the last point of its line, far enough from the others to be read. */
function renderNames(points: readonly Point[], y: (value: number) => number): HtmlPiece {
  const last = points.at(-1);
  if (!last) return undefined;
  let free = BOTTOM + NAME_STEP;
  return html`${LOAD_QUANTILES.map((quantile) => {
    const value = last.times[quantile];
    free = Math.min(free - NAME_STEP, y(value) + 4);
    const words = `${LOAD_WORDS.quantile[quantile]} ${formatDuration(value)}`;
    return element('text', { class: `name ${quantile}`, x: `${NAMES}%`, y: free.toFixed(1) }, words);
  })}`;
}

function scaleTo(ticks: readonly number[]): (value: number) => number {
  const [low, high] = [Math.log(ticks[0] ?? 1), Math.log(ticks.at(-1) ?? 10)];
  return (value) => BOTTOM - ((Math.log(Math.max(value, SHORTEST)) - low) / (high - low)) * (BOTTOM - TOP);
}

/** From a hundredth of a millisecond to months. */
const POWERS = Array.from({ length: 12 }, (_, at) => 10 ** (at - 2));

/** Round numbers that enclose the values: 1, 2 and 5 of each power of ten, or the powers alone. */
function chooseLogTicks(least: number, most: number): readonly number[] {
  const [low, high] = [Math.max(least, SHORTEST), Math.max(most, SHORTEST * 2)];
  const ticksOf = (...factors: readonly number[]): readonly number[] => {
    const all = POWERS.flatMap((power) => factors.map((factor) => factor * power));
    const from = all.findLastIndex((tick) => tick <= low);
    const to = all.findIndex((tick) => tick >= high);
    return all.slice(from, Math.max(to, from + 1) + 1);
  };
  const ticks = ticksOf(1, 2, 5);
  return ticks.length <= MAX_TICKS ? ticks : ticksOf(1);
}

/** Screen readers say it in place of the plot. */
function describe(time: Time, points: readonly Point[]): string {
  const stages = points.map(({ inFlight, times }) => {
    const values = LOAD_QUANTILES.map(
      (quantile) => `${LOAD_WORDS.quantile[quantile]} ${formatDuration(times[quantile])}`,
    );
    return `at ${inFlight}, ${values.join(', ')}`;
  });
  return `Time to ${LOAD_WORDS.time[time]} by calls in flight: ${stages.join('; ')}`;
}
