// From results to claims: which kind of mismatch affects which client.
/** @import { Effect, MeasuredMismatch, MismatchKind } from '../../build/src/contract/stock-clients.js' */
/** @import { Result, Trial } from './measure.mjs' */
/** @import { StockClient } from './stock.mjs' */

/**
 * What was seen of one kind of mismatch: the faults that have it, and the effects by client.
 * @typedef {MismatchKind & { faults: string[], seen: Map<string, (Effect | undefined)[]> }} Group
 */

/** Clauses that one call of a client cannot show: they depend on what was sent, or on two answers. */
const BEYOND_ONE_CALL = /^(request|limits|tolerance|auth|errors)\.|^completion\.ids-differ$/;

/** @param {MismatchKind} kind */
export function isMeasurable({ clause }) {
  return !BEYOND_ONE_CALL.test(clause);
}

/**
 * A claim needs a gateway with nothing else wrong in that call, and the same result wherever the kind was measured. A
 * client whose results differ is apart: the kind does not decide what it does. Where there is such a client, nobody may
 * say that no client is affected.
 * @param {readonly Trial[]} trials
 * @param {readonly Result[]} results
 * @returns {MeasuredMismatch[]}
 */
export function summarize(trials, results) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const { id, kind, calls, kinds } of trials) {
    if (kind !== 'fault') continue;
    for (const call of calls) {
      const [own, ...others] = kinds.filter((each) => each.call === call);
      if (own === undefined || others.length > 0 || !isMeasurable(own)) continue;
      const key = JSON.stringify(own);
      /** @type {Group} */
      const group = groups.get(key) ?? { ...own, faults: [], seen: new Map() };
      groups.set(key, group);
      group.faults.push(id);
      for (const { client, effect } of results.filter((result) => result.trial === id && result.call === call)) {
        if (effect !== 'unsupported') group.seen.set(client, [...(group.seen.get(client) ?? []), effect]);
      }
    }
  }
  return [...groups.values()].flatMap(({ seen, ...kind }) => {
    const clients = [...seen];
    const affected = clients.flatMap(([id, [effect, ...effects]]) =>
      effect !== undefined && effects.every(Boolean) ? [[id, effect]] : [],
    );
    const unaffected = clients.filter(([, effects]) => !effects.some(Boolean)).map(([id]) => id);
    if (affected.length === 0 && unaffected.length < clients.length) return [];
    const told = [...affected.map(([id]) => id), ...unaffected];
    const depending = clients.map(([id]) => id).filter((id) => !told.includes(id));
    return [
      { ...kind, affected: Object.fromEntries(affected), unaffected, ...(depending.length > 0 && { depending }) },
    ];
  });
}

/**
 * Reading: what breaks an SDK of OpenAI, or two stock clients of different families, is a should.
 * @param {readonly Pick<StockClient, 'id' | 'family' | 'official'>[]} clients
 * @param {readonly string[]} failing
 */
export function isImplied(clients, failing) {
  const hurt = clients.filter(({ id }) => failing.includes(id));
  return hurt.some(({ official }) => official) || new Set(hurt.map(({ family }) => family)).size > 1;
}

/**
 * A line per entry: short to read, and short to compare.
 * @param {string} measured
 * @param {readonly StockClient[]} clients
 * @param {readonly MeasuredMismatch[]} mismatches
 */
export function formatClientsFile(measured, clients, mismatches) {
  const named = clients.map(
    ({ id, name, label, version }) => `    ${JSON.stringify(id)}: ${JSON.stringify({ name, label, version })}`,
  );
  const lines = mismatches.map((each) => `    ${JSON.stringify(each)}`);
  return `{
  "measured": ${JSON.stringify(measured)},
  "clients": {
${named.join(',\n')}
  },
  "mismatches": [
${lines.join(',\n')}
  ]
}
`;
}
