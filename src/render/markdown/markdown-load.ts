/** The stages of a run under load. */
import type { LoadStage } from '../../report/load-report.ts';
import type { Report } from '../../report/report.ts';
import { formatDuration } from '../../text/duration.ts';
import { groupDigits } from '../../text/layout.ts';
import { formatBudget, formatDuring, formatRampEnd, formatRecovery, nameStage, stageRemarks } from '../load-facts.ts';
import { prose } from './markdown-text.ts';

/** A search for the smallest load may add many. */
const MAX_STAGES = 30;

const HEADS = ['In flight', 'calls', 'rejected', 'failed', 'broken', 'not answered', 'first text', '95 %', '99 %'];

export function loadPart({ load, ending }: Report): readonly string[] {
  if (!load) return [];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const facts = [
    ...load.stages
      .slice(0, MAX_STAGES)
      .flatMap((stage) => stageRemarks(stage).map((remark) => `${stage.inFlight} in flight: ${remark}.`)),
    ...[formatRampEnd(load, ending) ?? []].flat(),
    formatRecovery(load.recovery),
    ...(load.during ? [`${formatDuring(load.during)}.`] : []),
    ...load.budgets.map((budget) => `Budget: ${formatBudget(budget)}.`),
  ];
  return [
    [
      row(HEADS),
      row(['---', ...HEADS.slice(1).map(() => '--:')]),
      ...load.stages.slice(0, MAX_STAGES).map((stage) => row(cells(stage))),
    ].join('\n'),
    facts.map((fact) => `- ${prose(fact, Infinity)}`).join('\n'),
  ];
}

function cells(stage: LoadStage): readonly string[] {
  const { calls, outcomes, times } = stage;
  const first = times['first-text'];
  const number = (value: number): string => (value === 0 ? '·' : groupDigits(value));
  const time = (value: number | undefined): string => (value === undefined ? '·' : formatDuration(value));
  return [
    nameStage(stage),
    groupDigits(calls),
    ...[outcomes.rejected, outcomes.failed, outcomes.broken, outcomes.unanswered].map(number),
    time(first?.p50),
    time(first?.p95),
    time(first?.p99),
  ];
}
