// The figures that have a limit. Everything else is only reported.

const MEGABYTE = 1e6;
/** Milliseconds: the machine that the limit on tests was set on. */
const USUAL_START = 73;

/** @import { measureBusy } from './busy.mjs' */
/** @import { measureCost, measureNeverStopping, measureSelftest } from './cost.mjs' */
/** @import { measureEventStreams } from './event-streams.mjs' */
/** @import { measureJudging } from './judging.mjs' */
/** @import { measureLoad } from './load.mjs' */
/** @import { measurePools } from './pool.mjs' */
/** @import { measureRefused } from './refused.mjs' */
/** @import { measureStartUp } from './start-up.mjs' */
/** @import { measureTests } from './tests.mjs' */
/** @import { measureTraffic } from './traffic.mjs' */

/**
 * Everything that the bench measures.
 * @typedef {object} Measured
 * @property {{ date: string, node: string, cores: number }} machine
 * @property {Awaited<ReturnType<typeof measureCost>>} cost
 * @property {Awaited<ReturnType<typeof measureRefused>>} refused
 * @property {Awaited<ReturnType<typeof measureNeverStopping>>} neverStopping
 * @property {Awaited<ReturnType<typeof measureStartUp>>} startUp
 * @property {Awaited<ReturnType<typeof measureTraffic>>} traffic
 * @property {Awaited<ReturnType<typeof measureJudging>>} judging
 * @property {Awaited<ReturnType<typeof measureEventStreams>>} eventStreams
 * @property {Awaited<ReturnType<typeof measureBusy>>} busy
 * @property {Awaited<ReturnType<typeof measureSelftest>>} selftest
 * @property {Awaited<ReturnType<typeof measurePools>>} pools
 * @property {Awaited<ReturnType<typeof measureLoad>>} load
 * @property {Awaited<ReturnType<typeof measureTests>>} tests
 */

/**
 * A figure with its limit: `least` or `most`.
 * @typedef {{ figure: string, actual: number, least?: undefined, most: number }
 *   | { figure: string, actual: number, least: number, most?: undefined }} Limited
 * @typedef {Limited & { reached: boolean }} Gate
 */

/**
 * @param {Measured} measured
 * @returns {Gate[]}
 */
export function gatesOf({ cost, refused, neverStopping, traffic, startUp, judging, busy, load, tests }) {
  const { used } = find(cost, ({ run }) => run === 'default');
  const cell = (/** @type {number} */ latency) =>
    find(traffic, (row) => row.latency === latency && row.concurrency === 4).ratio.median;
  // Of fewer, the start of the process would be most of the time.
  const judged = find(judging, ({ exchanges }) => exchanges === 100_000);
  /** @type {Limited[]} */
  const gates = [
    { figure: 'requests of a default run', actual: used.requests, most: 140 },
    { figure: 'completions charged of a default run', actual: used.completions, most: 27 },
    { figure: 'completion tokens of a default run', actual: used.tokens, most: 600 },
    ...refused.map(({ status, requests }) => ({
      figure: `requests if every chat request gets ${status}`,
      actual: requests,
      most: 130,
    })),
    { figure: 'tokens of a run on a model that never stops', actual: neverStopping.without, most: 1_500 },
    { figure: 'traffic phase over the floor, 20 ms, concurrency 4', actual: cell(20), most: 1.3 },
    { figure: 'traffic phase over the floor, 200 ms, concurrency 4', actual: cell(200), most: 1.3 },
    { figure: '`wirecheck --version` over `node -e 0`', actual: startUp.versionRatio.median, most: 1.5 },
    { figure: 'time to the first request over `node -e 0`', actual: startUp.firstRequestRatio.median, most: 4.2 },
    { figure: 'last answer to the end of the process over `node -e 0`', actual: startUp.restRatio.median, most: 6 },
    // As fast as the package, but for what such short times vary by.
    {
      figure: '`--version` of the bundle over that of the package',
      actual: startUp.bundleVersionRatio.median,
      most: 1.1,
    },
    {
      // It is read as a whole, and the package only as far as a run needs it.
      figure: 'time to the first request of the bundle over that of the package',
      actual: startUp.bundleFirstRequestRatio.median,
      most: 1.2,
    },
    {
      figure: 'time to the first request of the executable over that of the package',
      actual: startUp.executableFirstRequestRatio.median,
      most: 1.3,
    },
    { figure: 'peak memory of a run, MB', actual: startUp.peakMemory.median / MEGABYTE, most: 130 },
    { figure: 'exchanges judged a second, of 100,000', actual: judged.perSecond.median, least: 5_000 },
    { figure: 'peak memory of judging 100,000, MB', actual: judged.peakMemory.median / MEGABYTE, most: 150 },
    {
      figure: `buffered streams found on a busy machine, of ${busy.runs}`,
      actual: busy.found,
      least: busy.runs * 0.95,
    },
    { figure: 'honest streams blamed there', actual: busy.blamed, most: 0 },
    { figure: 'answers under load a CPU second, over bare undici', actual: load.ratio.median, least: 0.5 },
    { figure: 'answers judged in a ramp to 64 of 60 s', actual: load.inRamp, least: 10_000 },
    {
      figure: `CPU seconds of \`npm test\`, on a machine that takes ${USUAL_START} ms for \`node -e 0\``,
      actual: (tests.cpu * USUAL_START) / tests.node.median,
      most: 300,
    },
  ];
  return gates.map((gate) => ({ ...gate, reached: isReached(gate) }));
}

/**
 * @template Row
 * @param {readonly Row[]} rows
 * @param {(row: Row) => boolean} isWanted
 */
function find(rows, isWanted) {
  const row = rows.find(isWanted);
  if (row === undefined) throw new Error('A figure with a limit was not measured.');
  return row;
}

/** @param {Limited} gate */
function isReached({ actual, least = -Infinity, most = Infinity }) {
  return actual >= least && actual <= most;
}

/**
 * The figure, its limit and how far off it is.
 * @param {Limited} gate
 */
export function formatMiss({ figure, actual, least, most }) {
  const limit = least ?? most;
  // There is no share of a limit of 0.
  const off = limit === 0 ? '' : ` (${Math.round(Math.abs(actual / limit - 1) * 100)} % off)`;
  return `${figure}: ${formatFigure(actual)}, should be at ${least === undefined ? 'most' : 'least'} ${formatFigure(limit)}${off}`;
}

/** @param {number} value */
export function formatFigure(value) {
  return value < 100 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString('en');
}
