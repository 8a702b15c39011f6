// The table of docs/load.md: how far each gateway held, and what it breaks under load.
import { formatLoadVerdict } from '../../build/src/render/load-facts.js';
/** @import { Report } from '../../build/src/index.js' */
/** @import { MeasuredGateway } from './table.mjs' */

/**
 * @param {readonly MeasuredGateway[]} measured
 * @param {string} date
 */
export function formatLoadTable(measured, date) {
  return [
    '| gateway | measured | last line | found |',
    '|---|---|---|---|',
    ...measured.map(
      ({ title, version, load }) => `| ${title} ${version} | ${date} | ${lastLine(load)} | ${found(load) || '·'} |`,
    ),
  ].join('\n');
}

/** @param {Report} report */
function lastLine({ load, ending }) {
  return load ? `\`${formatLoadVerdict(load.verdict, ending)}\`` : 'not judged';
}

/**
 * Each clause that is broken, with its counts.
 * @param {Report} report
 */
function found({ clauses, load }) {
  return clauses
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id, level }) => {
      const counts = load?.counts.filter(({ clause, broken }) => clause === id && broken > 0) ?? [];
      const [first] = counts;
      const from = first?.firstAt === undefined ? '' : `, from ${first.firstAt} in flight`;
      return `${level}: \`${id}\`${first ? ` (${first.broken} of ${first.judged}${from})` : ''}`;
    })
    .join('<br>');
}
