/** The table of areas. */
import type { Counts } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { table, wrap } from '../../text/layout.ts';
import type { VerdictName } from '../fold.ts';
import { tableNotes } from '../headings.ts';
import { total, VERDICT_ORDER } from '../totals.ts';
import type { Page, Section } from './page.ts';

/** Width in columns of the table with full heads. */
const FULL_TABLE = 72;

const SHORT_HEAD: Partial<Record<VerdictName, string>> = {
  inconclusive: 'inconc.',
  observed: 'obs.',
  skipped: 'skip.',
};

export function areaTable({ report, options, paint }: Page): Section {
  if (report.areas.length === 0) return [];
  const isNarrow = options.width < FULL_TABLE;
  const [head = '', ...rows] = table([
    ['Area', 'cases', ...VERDICT_ORDER.map((verdict) => (isNarrow && SHORT_HEAD[verdict]) || verdict)],
    ...report.areas.map(({ area, cases }) => row(inert(area, 40), cases)),
    row('all', report.counts.cases),
  ]);
  const last = rows.pop() ?? '';
  const notes = wrap(tableNotes(report).join(' '), options.width).filter(Boolean);
  return [paint('strong', head), ...rows, paint('strong', last), ...notes.map((line) => paint('quiet', line))];
}

/** A dot for zero, so that the other numbers stand out. */
function row(name: string, counts: Counts): string[] {
  const cells = VERDICT_ORDER.map((verdict) => (counts[verdict] === 0 ? '·' : String(counts[verdict])));
  return [name, String(total(counts)), ...cells];
}
