/** Tables of a report: areas by verdict, and stages under load. */

import type { LoadStage } from '../../report/load-report.ts';
import type { Counts, Report } from '../../report/report.ts';
import { count, formatDuration, groupDigits, inert } from '../../text/layout.ts';
import { asCode, type Block, type Column, type MarkedText } from '../document/document.ts';
import type { VerdictName } from '../fold.ts';
import { nameStage, stageRemarks } from '../load-facts.ts';
import { total, VERDICT_ORDER } from '../run-text.ts';
import { tableNotes } from '../unjudged.ts';

const SHORT_HEAD: Partial<Record<VerdictName, string>> = {
  inconclusive: 'inconc.',
  observed: 'obs.',
  skipped: 'skip.',
};

const AREA_COLUMNS: readonly Column[] = [
  { head: 'Area' },
  { head: 'cases' },
  ...VERDICT_ORDER.map((verdict) => ({ head: verdict, short: SHORT_HEAD[verdict] ?? verdict })),
];

/** A dot for zero, so that the other numbers stand out. */
function formatNumber(number: number): string {
  return number === 0 ? '·' : groupDigits(number);
}

/** `most`: areas. */
export function areaTable(report: Report, most = Infinity): readonly Block[] {
  const { areas, counts } = report;
  if (areas.length === 0) return [];
  const row = (name: MarkedText, own: Counts): readonly MarkedText[] => [
    name,
    groupDigits(total(own)),
    ...VERDICT_ORDER.map((verdict) => formatNumber(own[verdict])),
  ];
  const more = areas.length - Math.min(areas.length, most);
  const notes = tableNotes(report).join(' ');
  return [
    {
      kind: 'table',
      columns: AREA_COLUMNS,
      rows: [
        ...areas.slice(0, most).map(({ area, cases }) => row(asCode(inert(area, 40)), cases)),
        ...(more > 0 ? [[count(more, 'more area'), ...AREA_COLUMNS.slice(1).map(() => '')]] : []),
        row('all', counts.cases),
      ],
      hasTotal: true,
    },
    ...(notes === '' ? [] : [{ kind: 'paragraph', text: notes, tone: 'quiet' } as const]),
  ];
}

const STAGE_COLUMNS: readonly Column[] = [
  { head: 'In flight' },
  { head: 'calls', isOptional: true },
  ...['answered', 'rejected', 'failed', 'broken', 'silent', 'first text'].map((head) => ({ head })),
  ...['95 %', '99 %', 'end'].map((head) => ({ head, isOptional: true })),
];

/** `most`: stages, since a search for the smallest load may add many. */
export function loadTable({ load }: Report, most = Infinity): readonly Block[] {
  const stages = (load?.stages ?? []).slice(0, most);
  if (stages.length === 0) return [];
  const remarks = stages.flatMap((stage) =>
    stageRemarks(stage).map((text) => ({ lead: `${nameStage(stage)}: `, text, tone: 'quiet' as const })),
  );
  return [
    { kind: 'table', columns: STAGE_COLUMNS, rows: stages.map(stageRow) },
    { kind: 'paragraph', text: TIMES, tone: 'quiet' },
    ...(remarks.length === 0 ? [] : [{ kind: 'lines', lines: remarks } as const]),
  ];
}

/** Plain replies end sooner than streams have text. */
const TIMES = 'Times are medians: first text of streams, with its 95 % and 99 %, and end of all answered calls.';

function stageRow(stage: LoadStage): readonly MarkedText[] {
  const { calls, outcomes, times } = stage;
  const first = times['first-text'];
  const numbers = [calls, outcomes.answered, outcomes.rejected, outcomes.failed, outcomes.broken, outcomes.unanswered];
  const shown = [first?.p50, first?.p95, first?.p99, times.end?.p50];
  return [
    nameStage(stage),
    ...numbers.map(formatNumber),
    ...shown.map((time) => (time === undefined ? '·' : formatDuration(time))),
  ];
}
