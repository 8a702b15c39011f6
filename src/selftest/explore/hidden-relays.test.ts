import { describe, expect, it } from 'vitest';
import { loadRelayContract } from '../../relay/relay-contract.ts';
import { HIDDEN_RELAYS } from './hidden-relays.ts';

describe('The relays with a hidden trigger', () => {
  it('are at least ten, each with a title of its own', () => {
    const titles = Object.values(HIDDEN_RELAYS).map(({ title }) => title);
    expect(titles.length).toBeGreaterThanOrEqual(10);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each(Object.entries(HIDDEN_RELAYS))('%s breaks clauses that are judged', (_id, { breaks }) => {
    for (const clause of breaks)
      expect(['must', 'should'], clause).toContain(loadRelayContract().clause(clause)?.level);
  });
});
