import { acceptedKey } from '../accepted-key.ts';
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
    return broken([finding(accepted, { mismatch: 'prefix', expected: 'sk-service-', ...found })]);
  },
};
