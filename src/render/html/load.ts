/** A run under load: the outcomes of each stage as a bar, times as drawings, and the same numbers as tables. */
import {
  LOAD_QUANTILES,
  LOAD_TIMES,
  type LoadOutcome,
  type LoadReport,
  type LoadStage,
} from '../../report/load-report.ts';
import { formatDuration } from '../../text/duration.ts';
import { count, groupDigits } from '../../text/layout.ts';
import {
  CALL_OUTCOMES,
  CALL_WORDS,
  OUTCOME_WORDS,
  PHASE_WORDS,
  QUANTILE_WORDS,
  TIMED_CALLS,
  TIME_WORDS,
  formatMix,
  formatReach,
  formatShare,
  nameStage,
  stageRemarks,
} from '../load-facts.ts';
import { renderFactList } from '../document/write-html.ts';
import { loadFacts } from '../report/report-facts.ts';
import { renderPlots } from './load-plots.ts';
import { html, type Markup, NOTHING, type Piece } from './markup.ts';
import { renderFold, renderSection, renderTable } from './parts.ts';
import type { View } from './view.ts';

/** Per cent of the bar: one broken answer of ten thousand has to be seen. */
const MIN_WIDTH = 0.6;

export function renderLoad({ report }: View): Markup {
  const { load } = report;
  if (!load) return NOTHING;
  return renderSection({
    id: 'load',
    title: 'Load',
    lead: html`${formatReach(load)}. Of the calls: ${formatMix(load)}. Every answer was judged.`,
    body: html`<ol class="stages">
        ${load.stages.map(renderStage)}
      </ol>
      ${renderPlots(load.stages)} ${renderFactList(loadFacts(report))}
      ${renderFold('The same as numbers', [renderTimes(load), renderKinds(load), renderChecker(load)], { kind: 'numbers' })}`,
  });
}

function renderStage(stage: LoadStage): Markup {
  const { phase, inFlight, reached, duration, calls, outcomes } = stage;
  const shown = CALL_OUTCOMES.filter((outcome) => outcomes[outcome] > 0);
  return html`<li>
    <p class="stage-name">
      <strong>${inFlight} in flight</strong>
      ${[...(phase === 'ramp' ? [] : [PHASE_WORDS[phase]]), ...stageRemarks(stage)].map((remark) => html`<span class="tag">${remark}</span> `)}
      <span class="quiet"
        >${count(calls, 'call')} in ${formatDuration(duration)}; really in flight: ${reached.mean.toFixed(1)} on
        average, ${reached.most} at most</span
      >
    </p>
    ${renderBar(stage, shown)}
    <ul class="outcomes">
      ${shown.map(
        (outcome) =>
          html`<li>
            <svg width="10" height="10" aria-hidden="true"><rect class="o-${outcome}" width="10" height="10" /></svg>
            <strong>${groupDigits(outcomes[outcome])}</strong> ${OUTCOME_WORDS[outcome]}
            <span class="quiet">${formatShare(outcomes[outcome] / calls)}</span>
          </li>`,
      )}
    </ul>
  </li>`;
}

/** The list below it has the same numbers as text. */
function renderBar({ outcomes }: LoadStage, shown: readonly LoadOutcome[]): Markup {
  const all = shown.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const least = shown.map((outcome) => Math.max(MIN_WIDTH, (outcomes[outcome] / all) * 100));
  const scale = 100 / least.reduce((sum, width) => sum + width, 0);
  let from = 0;
  return html`<svg class="stripe" width="100%" height="18" aria-hidden="true">
    ${shown.map((outcome, at) => {
      const width = (least[at] ?? 0) * scale;
      const x = from;
      from += width;
      return html`<rect class="o-${outcome}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="18" />`;
    })}
  </svg>`;
}

function renderTimes({ stages }: LoadReport): Markup {
  const heads = LOAD_TIMES.flatMap((time) =>
    LOAD_QUANTILES.map((quantile) => `${TIME_WORDS[time]}, ${QUANTILE_WORDS[quantile]}`),
  );
  const rows = stages.map((stage) => [
    nameStage(stage),
    ...LOAD_TIMES.flatMap((time) =>
      LOAD_QUANTILES.map((quantile) => {
        const own = stage.times[time];
        return own ? formatDuration(own[quantile]) : '–';
      }),
    ),
  ]);
  return renderNumbers(`Times: ${TIMED_CALLS}`, ['stage', ...heads], rows);
}

function renderKinds({ stages }: LoadReport): Markup {
  const rows = stages.flatMap((stage) =>
    stage.kinds.map(({ kind, answers, oneIn, isReached }) => [
      nameStage(stage),
      CALL_WORDS[kind],
      groupDigits(answers),
      isReached ? `1 of ${groupDigits(oneIn)}` : 'not reached',
    ]),
  );
  return renderNumbers('Rarest fault that each stage would have seen', ['stage', 'kind', 'answers', 'fault in'], rows);
}

function renderChecker({ stages }: LoadReport): Markup {
  const rows = stages.map((stage) => {
    const { delay, cpu, machine, memory, heldBack } = stage.generator;
    return [
      nameStage(stage),
      formatDuration(delay),
      cpu.toFixed(2),
      machine === undefined ? '–' : formatShare(machine),
      `${Math.round(memory / 1024 / 1024)} MiB`,
      formatDuration(heldBack),
    ];
  });
  const heads = ['stage', 'event-loop delay, 99 %', 'cores', 'whole machine', 'memory', 'held back'];
  return renderNumbers('The checker itself', heads, rows);
}

function renderNumbers(name: string, heads: readonly string[], rows: readonly (readonly Piece[])[]): Markup {
  return renderTable({ name, isCaptioned: true, kind: 'load-table', heads, rows });
}
