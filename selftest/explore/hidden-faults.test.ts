import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/read-contract.ts';
import { FIXED_FAULTS, HIDDEN_FAULTS } from './hidden-faults.ts';

describe('The faults with a hidden trigger', () => {
  it('are at least thirty, each with a title of its own', () => {
    const titles = Object.values(HIDDEN_FAULTS).map(({ title }) => title);
    expect(titles.length).toBeGreaterThanOrEqual(30);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each(Object.entries({ ...HIDDEN_FAULTS, ...FIXED_FAULTS }))(
    '%s breaks clauses that are judged',
    (_id, { breaks }) => {
      for (const clause of breaks) expect(['must', 'should'], clause).toContain(loadContract().clause(clause)?.level);
    },
  );
});
