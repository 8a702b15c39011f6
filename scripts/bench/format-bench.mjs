// The measurements as a page for people.
import { formatFigure } from './gates.mjs';
/** @import { Gate, Measured } from './gates.mjs' */
/** @import { Summary } from './measure.mjs' */

/** @param {Measured & { gates: readonly Gate[] }} measured */
export function formatBench(measured) {
  const { machine, gates, cost, neverStopping, traffic, startUp, judging, eventStreams, busy, selftest } = measured;
  const { pools, load, tests } = measured;
  const missed = gates.filter(({ reached }) => !reached).length;
  return `# Cost and speed, measured

Written by \`npm run bench\`; do not edit. ${machine.date}, Node ${machine.node}, ${machine.cores} cores. Times say little about another
machine: the ratios are what counts, since both sides of one were measured in turn. Medians, with the lowest and the
highest run in brackets.

## Figures to reach

${missed === 0 ? 'All reached.' : `${missed} missed.`}

${table(
  ['figure', 'limit', 'measured', ''],
  gates.map(({ figure, least, most, actual, reached }) => [
    figure,
    least === undefined ? `at most ${formatFigure(most)}` : `at least ${formatFigure(least)}`,
    formatFigure(actual),
    reached ? 'reached' : '**missed**',
  ]),
)}

## What a run costs

On the reference gateway, which conforms. The range in brackets is what \`wirecheck plan\` shows: at least to at most.

${table(
  ['run', 'requests', 'completions charged', 'completion tokens'],
  cost.map(({ run, used, least, most }) => [
    run === 'default' ? run : `\`${run}\``,
    .../** @type {const} */ (['requests', 'completions', 'tokens']).map(
      (name) => `${used[name]} (${formatFigure(least[name])} to ${formatFigure(most[name])})`,
    ),
  ]),
)}

A model that never stops by itself generates ${formatFigure(neverStopping.without)} tokens in a run without
\`${neverStopping.skipped}\`, the one request without \`max_tokens\`, and ${formatFigure(neverStopping.whole)} with it; its context has
4,096.

## Traffic phase

First request to last answer of a full run, against the reference gateway in another process. The floor sends the same
requests in the same waves at the same concurrency by bare undici, and looks at nothing that comes back. Bad
credentials and edits of \`max_tokens\` go one at a time in both.

${table(
  ['latency', 'concurrency', 'run', 'floor', 'ratio'],
  traffic.map(({ latency, concurrency, run, floor, ratio }) => [
    `${latency} ms`,
    concurrency,
    inMs(run),
    inMs(floor),
    withSpread(ratio),
  ]),
)}

## Outside the traffic phase

${table(
  ['', 'time', 'over `node -e 0`'],
  [
    ['`node -e 0`', inMs(startUp.node), ''],
    ['`wirecheck --version`', inMs(startUp.version), withSpread(startUp.versionRatio)],
    ['start of a run to its first request', inMs(startUp.firstRequest), withSpread(startUp.firstRequestRatio)],
    [
      'last answer to the end of the process: judging, four reports, the search for secrets in them',
      inMs(startUp.rest),
      withSpread(startUp.restRatio),
    ],
  ],
)}

${table(
  ['bundle and executable', 'time', 'over the package'],
  [
    ['`node wirecheck.mjs --version`', inMs(startUp.bundleVersion), withSpread(startUp.bundleVersionRatio)],
    [
      'start of a run of the bundle to its first request',
      inMs(startUp.bundleFirstRequest),
      withSpread(startUp.bundleFirstRequestRatio),
    ],
    ['`./wirecheck --version`', inMs(startUp.executableVersion), withSpread(startUp.executableVersionRatio)],
    [
      'start of a run of the executable to its first request',
      inMs(startUp.executableFirstRequest),
      withSpread(startUp.executableFirstRequestRatio),
    ],
  ],
)}

Peak memory of a run: ${inMb(startUp.peakMemory)}.

## Judging recordings

The exchanges of a run, over and over; \`wirecheck judge\` as a whole, from start to end of its process, which is most of
the time for a short recording.

${table(
  ['exchanges', 'time', 'exchanges a second', 'peak memory'],
  judging.map(({ exchanges, wall, perSecond, peakMemory }) => [
    formatFigure(exchanges),
    inMs(wall),
    withSpread(perSecond),
    inMb(peakMemory),
  ]),
)}

## Reading event streams

Megabytes a second. *Bare* is eventsource-parser alone, *reading* is what verdicts rest on (with the time of every event,
any line end, comments and unknown fields), *live* is the look at a stream while it comes.

${table(
  ['bytes a read', 'bare', 'reading', 'reading over bare', 'live'],
  eventStreams.map(({ bytesPerRead, bare, reading, readingRatio, live }) => [
    formatFigure(bytesPerRead),
    withSpread(bare),
    withSpread(reading),
    withSpread(readingRatio),
    withSpread(live),
  ]),
)}

## Streams on a busy machine

With ${busy.spinners} processes that do nothing but compute, of ${busy.runs} runs each: a gateway that sends the whole reply at the end was
found in ${busy.found}, one that streams was blamed in ${busy.blamed}.

## Self-test

${selftest.tried} of its ${selftest.of} faults and variants: ${withSpread(selftest.perSecond)} a second, each a full run that is judged twice.

## Rare faults

One replica of N is at fault, and each request goes to a replica chosen at random (seed ${pools.seed}). Of the ${pools.of} must faults
that a single replica can have and that are more than a 5xx, ${pools.rows[0]?.tried} were tried. If all that a run saw of one was a 5xx that a
retry replaced, it is not counted; an answer that broke off and was replaced is counted as not found. The cost is that of
a run on the reference gateway, which conforms; in brackets, that of the dearest of the runs on pools.

${table(
  ['`--detect`', 'replicas', 'must faults found', 'requests', 'completions charged'],
  pools.rows.map(({ rate, conforming, faults, found, requests, completions }) => [
    `1/${rate}`,
    rate,
    `${found} of ${faults}`,
    `${formatFigure(conforming.requests)} (${formatFigure(requests)})`,
    `${formatFigure(conforming.completions)} (${formatFigure(completions)})`,
  ]),
)}

## Load

Answers a CPU second of the generator, with the scripted upstream in its process, on the small relay in another. The bare
loop sends the same calls with undici, one for one: in the same stages, on the same kinds of connections, with as many
disconnects. It reads each body and looks at nothing. A ramp to 64 in flight of 60 s judged ${formatFigure(load.inRamp)} answers.

${table(['bare', 'judged', 'ratio'], [[withSpread(load.bare), withSpread(load.judged), withSpread(load.ratio)]])}

## Tests

\`npm test\` took ${formatFigure(Math.round(tests.wall))} s and ${formatFigure(Math.round(tests.cpu))} s of CPU, with the build. Before and after it,
\`node -e 0\` took ${inMs(tests.node)}, which says how fast the machine was.
`;
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number)[])[]} rows
 */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * @param {Summary} summary
 * @param {(value: number) => string} show
 */
function withSpread({ median, low, high }, show = formatFigure) {
  return `${show(median)} (${show(low)} to ${show(high)})`;
}

/** @param {Summary} times */
function inMs(times) {
  return `${withSpread(times, (time) => formatFigure(Math.round(time)))} ms`;
}

/** @param {Summary} sizes */
function inMb(sizes) {
  return `${withSpread(sizes, (size) => formatFigure(Math.round(size / 1e6)))} MB`;
}
