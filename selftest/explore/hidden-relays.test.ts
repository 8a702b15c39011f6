import { describe, expect, it } from 'vitest';
import { loadRelayContract } from '../../src/gather/relay/read-relay-suite.ts';
import { RIGHT_RELAYS } from '../relays/catalogue.ts';
import { HIDDEN_RELAYS } from './hidden-relays.ts';
import { EXPLORED_RELAYS } from './try-explore.ts';

it('All correct relays but those that tell a 400 as 500 are explored', () => {
  const left = Object.keys(RIGHT_RELAYS).filter((id) => !EXPLORED_RELAYS.includes(id));
  expect(left).toEqual(['relay-own-statuses', 'relay-passes-refusals-on']);
});

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
