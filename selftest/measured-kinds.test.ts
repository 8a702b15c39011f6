import { expect, it } from 'vitest';
import { conforming } from '../test/kit/sample-reports.ts';
import { loadStockClients } from '../src/contract/stock-clients.ts';
import { missingKinds } from './compare.ts';

const { mismatches } = loadStockClients();
const [fault = ''] = mismatches[0]?.faults ?? [];
const measured = mismatches.filter(({ faults }) => faults.includes(fault));

it('A measured kind that a run does not find is named, with its clause', () => {
  const { affected: _, ...report } = conforming();
  const problems = missingKinds(report, fault);
  expect(problems).toHaveLength(measured.length);
  expect(problems[0]).toContain(measured[0]?.clause);
});

it('A fault that nobody measured needs none', () => {
  expect(missingKinds(conforming(), 'a fault without measurements')).toEqual([]);
});
