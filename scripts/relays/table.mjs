// The table of docs/relay.md: what each gateway breaks, and what was recorded.
import { formatObserved, isItemList } from '../../build/src/verdict/observation.js';
/** @import { ClauseReport, Report } from '../../build/src/index.js' */
/** @import { Counts } from '../../build/src/report/report.js' */
/** @import { Judged } from './measure.mjs' */

/** @typedef {Judged & { name: string, title: string }} MeasuredGateway */

/**
 * @param {readonly MeasuredGateway[]} measured
 * @param {string} date
 */
export function formatTable(measured, date) {
  const clauses = (/** @type {ClauseReport['level']} */ level) => {
    const broken = measured.flatMap(({ report }) => report.clauses.filter((clause) => isBroken(clause, level)));
    return [...new Map(broken.map((clause) => [clause.id, clause])).values()];
  };
  /**
   * @param {string} first
   * @param {(gateway: MeasuredGateway) => string} cellOf
   */
  const row = (first, cellOf) => `| ${first} | ${measured.map(cellOf).join(' | ')} |`;
  const rowsOf = (/** @type {ClauseReport['level']} */ level) =>
    clauses(level).map((clause) =>
      row(`${level}: ${clause.summary.replace(/\.$/, '')} (\`${clause.id}\`)`, ({ report }) =>
        breaks(report, clause.id),
      ),
    );
  return [
    row('', ({ title, version }) => `${title} ${version}`),
    `|---|${measured.map(() => '---|').join('')}`,
    row('measured', () => date),
    row('configuration', ({ name }) => `\`--print-config ${name}\``),
    row('cases that pass', ({ report: { counts } }) => `${counts.cases.pass} of ${judged(counts.cases)}`),
    ...rowsOf('must'),
    ...rowsOf('should'),
    row('recorded: a client leaves a plain call', ({ report }) => leaving(report, 'relay/leave-plain')),
    row('recorded: a client leaves a stream', ({ report }) => leaving(report, 'relay/leave-stream')),
    row('recorded: upstream calls when the upstream fails', ({ report }) => retries(report)),
  ].join('\n');
}

/**
 * @param {ClauseReport} clause
 * @param {ClauseReport['level']} wanted
 */
function isBroken({ level, verdict }, wanted) {
  return level === wanted && (verdict === 'fail' || verdict === 'warn');
}

/** @param {Counts} counts */
function judged({ pass, fail, warn, inconclusive }) {
  return pass + fail + warn + inconclusive;
}

/**
 * The cases that break a clause: all of them by name if they are few.
 * @param {Report} report
 * @param {string} clause
 */
function breaks({ cases }, clause) {
  const broken = cases.filter(({ expectations }) =>
    expectations.some(({ clause: other, verdict }) => other === clause && (verdict === 'fail' || verdict === 'warn')),
  );
  if (broken.length === 0) return '·';
  const names = broken.map(({ id }) => id.replace('relay/', ''));
  return names.length > 4 ? `${names.length} cases, such as ${names[0]}` : names.join(', ');
}

/**
 * @param {Report} report
 * @param {string} id
 */
function leaving(report, id) {
  const value = observation(report, id, 'relay.leaving')?.value;
  if (value === undefined || isItemList(value)) return 'not judged';
  if (typeof value === 'object' && 'kind' in value && value.kind === 'stopped') return 'the upstream call stops';
  return value === 'still-open' ? 'the upstream call stays open' : `the upstream call ${formatObserved(value)}`;
}

/** @param {Report} report */
function retries(report) {
  const value = observation(report, 'relay/calls-per-call', 'relay.calls')?.value;
  if (value === undefined || !isItemList(value)) return '1';
  const counts = value.map((item) => (typeof item === 'object' && 'count' in item ? item.count : 1));
  return `up to ${Math.max(...counts)}`;
}

/**
 * @param {Report} report
 * @param {string} id
 * @param {string} clause
 */
function observation({ cases }, id, clause) {
  const expectation = cases
    .find((testCase) => testCase.id === id)
    ?.expectations.find((other) => other.clause === clause);
  return expectation?.observations?.[0];
}
