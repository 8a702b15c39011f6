// Requests, completions and tokens of a run beside those of its plan; faults and variants tried a second.
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../build/src/gateway/index.js';
import { neverStops } from '../../build/selftest/never-stops.js';
import { DEFAULT_SETTINGS, plan, run } from '../../build/src/index.js';
import { listSubjects } from '../../build/selftest/test-subjects.js';
import { BUILT_IN_SUITES } from '../../build/src/suite/suite-names.js';
import { repeat, runNode, summaries } from './measure.mjs';

export async function measureCost() {
  const gateway = await startGateway();
  const runs = [
    { name: 'default', changes: {} },
    { name: '--strict', changes: { strict: true } },
    ...BUILT_IN_SUITES.map((suite) => ({ name: `--suite ${suite}`, changes: { suites: [suite] } })),
  ];
  const rows = [];
  for (const { name, changes } of runs) {
    const settings = { ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, ...changes };
    const { cost, outcome } = await run(settings, { full: gateway.keys.full });
    if (outcome.exit !== 0) throw new Error(`A run with ${name} on the conforming gateway ended with ${outcome.exit}.`);
    const { least, most } = plan(settings);
    rows.push({ run: name, used: cost.used, least, most });
  }
  await gateway.close();
  return rows;
}

/** The one request without `max_tokens`: the plan names it, and a model that never stops fills its context. */
const UNBOUNDED = 'chat/only-required-fields';

/** Tokens that a run makes a model generate that never stops by itself: with and without the request that allows it. */
export async function measureNeverStopping() {
  const measureTokens = async (/** @type {readonly string[]} */ skip) => {
    let tokens = 0;
    const gateway = await startGateway({ modifiers: [neverStops((more) => void (tokens += more))] });
    await run({ ...DEFAULT_SETTINGS, baseUrl: gateway.baseUrl, skip }, { full: gateway.keys.full });
    await gateway.close();
    return tokens;
  };
  return { skipped: UNBOUNDED, without: await measureTokens([UNBOUNDED]), whole: await measureTokens([]) };
}

/** A sample is typical enough: all of them would take minutes. */
const EVERY = 16;
const ROUNDS = 3;
const RUN_PART = fileURLToPath(new URL('../selftest/run-part.mjs', import.meta.url));

export async function measureSelftest() {
  const all = listSubjects('gateway');
  const names = all.filter((_, place) => place % EVERY === 0).map(({ id }) => id);
  const part = { kind: 'trials', names, isWriting: true, isThorough: true };
  const rounds = await repeat(ROUNDS, async () => {
    const { wall } = await runNode([RUN_PART, JSON.stringify(part)]);
    return { wall, perSecond: (names.length / wall) * 1_000 };
  });
  return { tried: names.length, of: all.length, ...summaries(rounds) };
}
