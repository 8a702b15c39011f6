// Which request shows which fault: each fault is checked once, and a finding names its request.
import { DEFAULT_SETTINGS, run } from '../../build/src/index.js';
import { FAULTS } from '../../build/src/gateway/catalogue.js';
import { startGateway } from '../../build/src/gateway/index.js';
import { openInMemory } from '../../build/selftest/in-memory.js';
/** @import { FaultId } from '../../build/src/gateway/catalogue.js' */
/** @import { DeploymentFacts } from '../../build/src/gateway/open-deployment.js' */
/** @import { Report, RunHooks } from '../../build/src/index.js' */

/** Fault → request of the suites → the clause that its answer breaks. @typedef {ReadonlyMap<string, ReadonlyMap<string, string>>} Showing */

const TIMEOUTS = { ...DEFAULT_SETTINGS.timeouts, attempt: 3_000, firstByte: 2_000, idle: 2_000 };

/** @returns {Promise<Showing>} */
export async function findShowing() {
  const showing = new Map();
  for (const [name, { breaks }] of Object.entries(FAULTS)) {
    showing.set(name, stepsIn(await checkFault(/** @type {FaultId} */ (name)), breaks));
  }
  return showing;
}

/** @param {FaultId} fault */
async function checkFault(fault) {
  const stop = new AbortController();
  const { baseUrl, facts, connect } = openInMemory({ fault, eventGapMs: 0 }, () => stop.abort());
  const report = await check(baseUrl, facts, { connect, signal: stop.signal });
  if (!stop.signal.aborted) return report;
  const gateway = await startGateway({ fault, eventGapMs: 0 });
  try {
    return await check(gateway.baseUrl, gateway, {});
  } finally {
    await gateway.close();
  }
}

/**
 * @param {string} baseUrl
 * @param {Pick<DeploymentFacts, 'keys' | 'forbiddenModel'>} facts
 * @param {RunHooks} hooks
 */
function check(baseUrl, { keys, forbiddenModel }, hooks) {
  return run({ ...DEFAULT_SETTINGS, baseUrl, forbiddenModel, retries: 0, timeouts: TIMEOUTS }, keys, hooks);
}

/**
 * @param {Report} report
 * @param {readonly string[]} breaks
 * @returns {ReadonlyMap<string, string>}
 */
function stepsIn({ cases, exchanges }, breaks) {
  const stepOf = new Map(exchanges.map(({ id, step }) => [id, step]));
  /** @type {Map<string, string>} */
  const found = new Map();
  const expectations = cases.flatMap((each) => each.expectations).filter(({ clause }) => breaks.includes(clause));
  for (const { clause, findings } of expectations) {
    for (const { exchange } of findings) {
      const step = stepOf.get(exchange);
      if (step !== undefined && !found.has(step)) found.set(step, clause);
    }
  }
  return found;
}
