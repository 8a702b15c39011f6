/** Observations, tolerance, the table of areas, what the run cost, and where its time went. */
import type { Counts, Report } from '../../report/report.ts';
import { total, VERDICT_ORDER, seconds, formatTimeSpent } from '../totals.ts';
import { groupBy } from '../../report/counts.ts';
import type { VerdictName } from '../fold.ts';
import { inert } from '../../text/inert.ts';
import { formatObservations } from '../../verdict/observation.ts';
import { columnsOf, count, groupDigits, hang, padEnd, listFirst, table, wrap } from '../../text/layout.ts';
import type { Page, Section } from './page.ts';

const MOST_VALUES = 4;
const MOST_FIELDS = 6;

/** One line for each clause; the whole of it with `--verbose`. */
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
  return [paint('strong', 'Observed (where the contract is silent; never judged)'), ...lines];
}

function formatValues(observations: Report['observations']): string {
  return [...groupBy(observations, ({ name }) => name)]
    .map(([name, group]) => {
      const values = formatObservations(group.map(({ value }) => value)).map((value) => inert(value, 60));
      return `${inert(name, 60)}: ${values.length === 0 ? 'none' : listFirst(values, MOST_VALUES)}`;
    })
    .join('; ');
}

/** In both directions: what the target ignores in requests, and what it adds to answers. */
export function toleranceLine({ report, options }: Page): Section {
  const { unknownRequestFields: sent, unknownAnswerFields: extra } = report.tolerance;
  const requests =
    sent.asked === 0
      ? 'unknown request fields were not asked about'
      : `${sent.ignored} of ${sent.asked} unknown request fields ignored`;
  const fields = formatObservations(extra).map((field) => inert(field, 80));
  const answers =
    extra.length === 0
      ? 'answers add nothing to the contract'
      : `answers add ${count(extra.length, 'field')} to the contract: ${listFirst(fields, options.detail === 'verbose' ? Infinity : MOST_FIELDS)}`;
  return hang('Tolerance  ', `${requests}; ${answers}`, options.width);
}

export function costLine({ report, options }: Page): Section {
  const { used, least, most } = report.cost;
  // Somebody else's recording: nothing was planned, and what it cost is not known.
  if (most.requests === 0) return hang('Holds      ', count(used.requests, 'request'), options.width);
  const part = (name: 'requests' | 'completions' | 'tokens', one: string, more = '') =>
    `${count(used[name], one)}${more} (planned ${range(least[name], most[name])})`;
  const parts = [part('requests', 'request'), part('completions', 'completion', ' charged'), part('tokens', 'token')];
  return hang('Cost       ', parts.join(', '), options.width);
}

export function range(least: number, most: number): string {
  const [low, high] = [groupDigits(least), groupDigits(most)];
  return low === high ? low : `${low} to ${high}`;
}

/** Who took it, where that is known; with `--verbose`, the slowest requests as well. */
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

/** Columns that the table takes with its heads in full. */
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
  const note = 'A case counts once, by the worst of what was found in it.';
  const lines = wrap(note, options.width).map((line) => paint('quiet', line));
  return [paint('strong', head), ...rows, paint('strong', last), ...lines];
}

/** A dot for nothing, so that what is there stands out. */
function row(name: string, counts: Counts): string[] {
  const cells = VERDICT_ORDER.map((verdict) => (counts[verdict] === 0 ? '·' : String(counts[verdict])));
  return [name, String(total(counts)), ...cells];
}
