import { describe, expect, it } from 'vitest';
import { loadStockClients } from '../contract/stock-clients.ts';
import { affectedByClause } from './affected.ts';
import { runGateway } from '../../test/kit/real-run.ts';

const measuredOn = (fault: string) => {
  const found = loadStockClients().mismatches.find(({ faults }) => faults.includes(fault));
  if (!found) throw new Error(`${fault} was not measured`);
  return found;
};

describe('the affected clients of a report', () => {
  it('are those that were measured on the same kind of mismatch, with their versions', async () => {
    const report = await runGateway({ fault: 'chat-id-number' }, { only: ['chat/every-completion'] });
    const { clients, measured } = loadStockClients();
    const { faults: _faults, affected, unaffected, ...kind } = measuredOn('chat-id-number');
    expect(report.affected).toEqual({
      measured,
      mismatches: [
        {
          ...kind,
          affected: Object.entries(affected).map(([id, effect]) => ({ client: clients[id]?.label, effect })),
          unaffected: unaffected.map((id) => clients[id]?.label),
        },
      ],
    });
  });

  it('are apart if some answers of the kind hurt them and others do not, but not if they make no such call', () => {
    const dependingOn = (clause: string, kind: string) =>
      affectedByClause(clause)?.mismatches.find(({ actual }) => actual === kind)?.depending;
    expect(dependingOn('endpoint.chat-json', 'not-json')).toHaveLength(3);
    expect(dependingOn('endpoint.models-json', 'not-json')).toBeUndefined();
  });

  it('are absent from a report whose mismatches were not measured, and from one without findings', async () => {
    const other = await runGateway({ fault: 'error-code-integer' }, { only: ['auth/missing-key*'] });
    expect(other.clauses.find(({ id }) => id === 'errors.code')?.verdict).toBe('fail');
    expect(other).not.toHaveProperty('affected');
    expect(await runGateway({}, { only: ['models/list'] })).not.toHaveProperty('affected');
  });
});
