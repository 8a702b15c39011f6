// The figures that have a limit. Everything else is only reported.

const MEGABYTE = 1e6;

/** Each with what was measured; `least` or `most` is the limit. */
export function gatesOf({ cost, refused, neverStopping, traffic, startUp, judging, busy }) {
  const { used } = cost.find(({ run }) => run === 'default');
  const cell = (latency) => traffic.find((one) => one.latency === latency && one.concurrency === 4).ratio.median;
  // Of fewer, the start of the process would be most of the time.
  const judged = judging.find(({ exchanges }) => exchanges === 100_000);
  const gates = [
    { figure: 'requests of a default run', actual: used.requests, most: 120 },
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
    { figure: 'time to the first request over `node -e 0`', actual: startUp.firstRequestRatio.median, most: 6 },
    { figure: 'last answer to the end of the process over `node -e 0`', actual: startUp.restRatio.median, most: 6 },
    // As fast as the package, but for what such short times vary by.
    {
      figure: '`--version` of the bundle over that of the package',
      actual: startUp.bundleVersionRatio.median,
      most: 1.1,
    },
    {
      figure: 'time to the first request of the bundle over that of the package',
      actual: startUp.bundleFirstRequestRatio.median,
      most: 1.1,
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
  ];
  return gates.map((gate) => ({ ...gate, reached: isReached(gate) }));
}

function isReached({ actual, least = -Infinity, most = Infinity }) {
  return actual >= least && actual <= most;
}

/** The figure, its limit and how far off it is. */
export function formatMiss({ figure, actual, least, most }) {
  const limit = least ?? most;
  const percent = Math.round(Math.abs(actual / limit - 1) * 100);
  return `${figure}: ${formatFigure(actual)}, should be at ${least === undefined ? 'most' : 'least'} ${formatFigure(limit)} (${percent} % off)`;
}

export function formatFigure(value) {
  return value < 100 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString('en');
}
