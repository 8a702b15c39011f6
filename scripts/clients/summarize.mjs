// From results to claims: which kind of mismatch affects which client.

/** Clauses that one call of a client cannot show: they depend on what was sent, or on two answers. */
const BEYOND_ONE_CALL = /^(request|limits|tolerance|auth|errors)\.|^completion\.ids-differ$/;

export function isMeasurable({ clause }) {
  return !BEYOND_ONE_CALL.test(clause);
}

/**
 * A claim needs a gateway with nothing else wrong in that call, and the same result wherever the kind was measured. A
 * client whose results differ is left out: the kind does not decide what it does. Where such a client is left out,
 * nobody may say that no client is affected.
 */
export function summarize(trials, results) {
  const groups = new Map();
  for (const { id, kind, calls, kinds } of trials) {
    if (kind !== 'fault') continue;
    for (const call of calls) {
      const own = kinds.filter((each) => each.call === call);
      if (own.length !== 1 || !isMeasurable(own[0])) continue;
      const key = JSON.stringify(own[0]);
      const group = groups.get(key) ?? { ...own[0], faults: [], seen: new Map() };
      groups.set(key, group);
      group.faults.push(id);
      for (const { client, effect } of results.filter((result) => result.trial === id && result.call === call)) {
        if (effect !== 'unsupported') group.seen.set(client, [...(group.seen.get(client) ?? []), effect]);
      }
    }
  }
  return [...groups.values()].flatMap(({ seen, ...kind }) => {
    const clients = [...seen];
    const affected = clients.filter(([, effects]) => effects.every(Boolean)).map(([id, [effect]]) => [id, effect]);
    const unaffected = clients.filter(([, effects]) => !effects.some(Boolean)).map(([id]) => id);
    if (affected.length === 0 && unaffected.length < clients.length) return [];
    return [{ ...kind, affected: Object.fromEntries(affected), unaffected }];
  });
}

/** Reading: what breaks an SDK of OpenAI, or two stock clients of different families, is a should. */
export function isImplied(clients, failing) {
  const families = new Set(failing.map((id) => clients[id].family));
  return failing.some((id) => clients[id].official) || families.size > 1;
}

/** A line per entry: short to read, and short to compare. */
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
