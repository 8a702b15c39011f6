// Which request shows which fault: each fault is checked once, and a finding names its request.
import { DEFAULT_SETTINGS, run } from '../../build/src/index.js';
import { FAULTS } from '../../build/src/gateway/catalogue.js';
import { withGateway } from '../../build/selftest/in-memory.js';
/** @import { FaultId } from '../../build/src/gateway/catalogue.js' */
/** @import { Report } from '../../build/src/index.js' */

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
function checkFault(fault) {
  return withGateway({ fault, eventGapMs: 0 }, true, ({ baseUrl, keys, forbiddenModel, hooks }) =>
    run({ ...DEFAULT_SETTINGS, baseUrl, forbiddenModel, retries: 0, timeouts: TIMEOUTS }, keys, hooks),
  );
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
