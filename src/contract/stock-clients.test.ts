import { describe, expect, it } from 'vitest';
import { FAULTS } from '../gateway/index.ts';
import { loadContract } from './read-contract.ts';
import { CLIENT_CALLS, EFFECTS, loadStockClients } from './stock-clients.ts';

const { measured, clients, mismatches } = loadStockClients();

// That every kind of mismatch is found in its faults is tested with the golden verdicts, which judge them all.
describe('the measured clients', () => {
  it('names the day, the versions and at least one mismatch', () => {
    expect(measured).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(Object.values(clients).every(({ label, version }) => label !== '' && version !== '')).toBe(true);
    expect(mismatches.length).toBeGreaterThan(0);
  });

  it('names only judged clauses, known faults that break them, known clients, calls and effects', () => {
    for (const { clause, call, faults, affected, unaffected } of mismatches) {
      expect(loadContract().clause(clause)?.level, clause).toMatch(/must|should/);
      for (const fault of faults) expect(FAULTS[fault as keyof typeof FAULTS]?.breaks, fault).toContain(clause);
      expect(CLIENT_CALLS).toContain(call);
      for (const id of [...Object.keys(affected), ...unaffected]) expect(Object.keys(clients)).toContain(id);
      for (const effect of Object.values(affected)) expect(EFFECTS).toContain(effect);
    }
  });

  it('names no client as both affected and unaffected', () => {
    for (const { affected, unaffected } of mismatches) {
      expect(unaffected.filter((id) => id in affected)).toEqual([]);
    }
  });
});
