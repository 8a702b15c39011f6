import type { Exchange } from '../../exchange/exchange.ts';
import { KEY_PREFIX } from '../../exchange/secrets/credentials.ts';
import { acceptedKey, acceptsKey } from '../accepted-key.ts';
import type { Check } from '../check.ts';
import { HOLDS, broken, finding, inconclusive, skipped } from '../finding.ts';

export const keyPrefix: Check = {
  summary: 'A key that is accepted starts with sk-service-.',
  needsNoExchange: true,
  execute: ({ run }) => {
    const facts = run.traffic.keys.find(({ role }) => role === 'full');
    if (!facts) return skipped('no key was given');
    const accepted = acceptedKey(run);
    if (!accepted) return inconclusive('no request with the key was answered');
    if (facts.hasPrefix) return HOLDS;
    const found = { actualType: 'another prefix', actual: 'a key without this prefix' };
    // What somebody else recorded may have been sent with several keys.
    const lacking = run.traffic.exchanges.find((one) => acceptsKey(one) && !showsPrefix(one)) ?? accepted;
    return broken([finding(lacking, { mismatch: 'prefix', expected: KEY_PREFIX, ...found })]);
  },
};

/** What every key begins with is never hidden. */
function showsPrefix({ request }: Exchange): boolean {
  const value = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  return value.includes(KEY_PREFIX);
}
