/** Observations, tolerance, the table of areas, cost and time. */
import type { Counts, Report } from '../../report/report.ts';
import { total, VERDICT_ORDER, seconds, formatTimeSpent } from '../totals.ts';
import { groupBy } from '../../report/counts.ts';
import type { VerdictName } from '../fold.ts';
import { inert } from '../../text/inert.ts';
import { formatObservations } from '../../verdict/observation.ts';
import { columnsOf, count, groupDigits, hang, padEnd, listFirst, table, wrap } from '../../text/layout.ts';
import type { Page, Section } from './page.ts';

const MAX_VALUES = 4;
const MAX_FIELDS = 6;

/** One line per clause, cut off at the width unless `--verbose`. */
export function observationSection({ report, options, paint }: Page): Section {
  const byClause = [...groupBy(report.observations, ({ clause }) => clause)];
  if (byClause.length === 0) return [];
  const label = Math.max(...byClause.map(([clause]) => columnsOf(clause))) + 4;
  const lines = byClause.flatMap(([clause, group]) => {
    const name = padEnd(`  ${clause}`, label);
    const words = formatValues(group);
    if (options.detail === 'verbose') return hang(name, words, options.width);
    const [first = '', ...rest] = hang(name, words, options.width - 2);
    return rest.length === 0 ? first : `${first} …`;
  });
  return [paint('strong', 'Observed (not specified by the contract, never judged)'), ...lines];
}

function formatValues(observations: Report['observations']): string {
  return [...groupBy(observations, ({ name }) => name)]
    .map(([name, group]) => {
      const values = formatObservations(group.map(({ value }) => value)).map((value) => inert(value, 60));
      return `${inert(name, 60)}: ${values.length === 0 ? 'none' : listFirst(values, MAX_VALUES)}`;
    })
    .join('; ');
}

/** Unknown fields in both directions: ignored in requests, added to answers. Of a gateway's front only. */
export function toleranceLine({ report, options }: Page): Section {
  if (report.subject !== undefined) return [];
  const { unknownRequestFields: sent, unknownAnswerFields: extra } = report.tolerance;
  const requests =
    sent.asked === 0
      ? 'unknown request fields were not tested'
      : `${sent.ignored} of ${sent.asked} unknown request fields ignored`;
  const fields = formatObservations(extra).map((field) => inert(field, 80));
  const answers =
    extra.length === 0
      ? 'answers have no extra fields'
      : `answers have ${count(extra.length, 'extra field')}: ${listFirst(fields, options.detail === 'verbose' ? Infinity : MAX_FIELDS)}`;
  return hang('Tolerance  ', `${requests}; ${answers}`, options.width);
}

export function costLine({ report, options }: Page): Section {
  const { used, least, most } = report.cost;
  if (report.subject === 'client') return hang('Received   ', count(used.requests, 'request'), options.width);
  // A foreign recording: nothing was planned, and its cost is unknown.
  if (most.requests === 0) return hang('Holds      ', count(used.requests, 'request'), options.width);
  const part = (name: 'requests' | 'completions' | 'tokens', one: string, more = '') =>
    `${count(used[name], one)}${more}${report.subject === undefined ? ` (planned ${range(least[name], most[name])})` : ''}`;
  const parts = [part('requests', 'request'), part('completions', 'completion', ' charged'), part('tokens', 'token')];
  return hang('Cost       ', parts.join(', '), options.width);
}

export function range(least: number, most: number): string {
  const [low, high] = [groupDigits(least), groupDigits(most)];
  return low === high ? low : `${low} to ${high}`;
}

/** Split between target and checker if known; with `--verbose`, also the slowest requests. */
export function timeLines({ report, options }: Page): Section {
  const { time, provenance } = report;
  const wall = seconds(Date.parse(provenance.endedAt) - Date.parse(provenance.startedAt));
  if (!time) return hang('Time       ', wall, options.width);
  const slowest = options.detail === 'verbose' ? time.slowest : [];
  return [
    ...hang('Time       ', `${wall}: ${formatTimeSpent(time)}`, options.width),
    ...slowest.flatMap(({ exchange, time: took }, place) =>
      hang(place === 0 ? 'Slowest    ' : ' '.repeat(11), `${Math.round(took)} ms  ${inert(exchange)}`, options.width),
    ),
  ];
}

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
  const note = 'Each case counts once, by its worst verdict.';
  const lines = wrap(note, options.width).map((line) => paint('quiet', line));
  return [paint('strong', head), ...rows, paint('strong', last), ...lines];
}

/** A dot for zero, so that the other numbers stand out. */
function row(name: string, counts: Counts): string[] {
  const cells = VERDICT_ORDER.map((verdict) => (counts[verdict] === 0 ? '·' : String(counts[verdict])));
  return [name, String(total(counts)), ...cells];
}
