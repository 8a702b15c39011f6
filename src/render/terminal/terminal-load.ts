/** The stages of a run under load, with recovery and budgets. */
import type { LoadStage } from '../../report/load-report.ts';
import { formatDuration } from '../../text/duration.ts';
import { groupDigits, hang, table } from '../../text/layout.ts';
import { formatBudget, formatDuring, formatRampEnd, formatRecovery, nameStage, stageRemarks } from '../load-facts.ts';
import { factLine } from './terminal-facts.ts';
import type { Page, Section } from './page.ts';

const HEADS = ['In flight', 'calls', 'answered', 'rejected', 'failed', 'broken', 'silent', 'first text', 'end'];

/** Width in columns of the whole table. */
const FULL_TABLE = 84;
/** Plain replies end sooner than streams have text. */
const TIMED_IN_TABLE = 'first text of streams, end of all answered calls';
/** Columns that a narrow table leaves out: calls and end. */
const WIDE_ONLY: ReadonlySet<number> = new Set([1, HEADS.length - 1]);

export function loadSections(page: Page): readonly Section[] {
  const { load } = page.report;
  if (!load) return [];
  const isNarrow = page.options.width < FULL_TABLE;
  const columns = (row: readonly string[]) => (isNarrow ? row.filter((_, at) => !WIDE_ONLY.has(at)) : row);
  if (load.stages.length === 0) return [];
  const [head = '', ...rows] = table([HEADS, ...load.stages.map(cells)].map(columns));
  const remarks = load.stages.flatMap((stage) =>
    stageRemarks(stage).flatMap((remark) =>
      hang(`${nameStage(stage)}: `, remark, page.options.width).map((line) => page.paint('quiet', line)),
    ),
  );
  const legend = hang('', `Times are medians: ${isNarrow ? 'of streams' : TIMED_IN_TABLE}.`, page.options.width);
  const rampEnd = formatRampEnd(load, page.report.ending);
  return [
    [page.paint('strong', head), ...rows, ...legend.map((line) => page.paint('quiet', line)), ...remarks],
    [
      ...(rampEnd === undefined ? [] : factLine(page, 'Ramp', rampEnd)),
      ...factLine(page, 'Recovery', formatRecovery(load.recovery)),
      ...(load.during ? factLine(page, 'Command', formatDuring(load.during)) : []),
      ...load.budgets.flatMap((budget) => factLine(page, 'Budget', formatBudget(budget))),
    ],
  ];
}

/** A dot for zero, so that the other numbers stand out. Times are medians. */
function cells(stage: LoadStage): readonly string[] {
  const { calls, outcomes, times } = stage;
  const number = (value: number): string => (value === 0 ? '·' : groupDigits(value));
  const median = (time: keyof typeof times): string => {
    const own = times[time];
    return own ? formatDuration(own.p50) : '·';
  };
  return [
    nameStage(stage),
    ...[calls, outcomes.answered, outcomes.rejected, outcomes.failed, outcomes.broken, outcomes.unanswered].map(number),
    median('first-text'),
    median('end'),
  ];
}
