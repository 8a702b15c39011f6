/** Kinds of mismatch that stock clients were measured on: each has to be found in the faults that it was measured with. */
import { loadStockClients, type MismatchKind } from '../src/contract/stock-clients.ts';
import type { Report } from '../src/report/report.ts';

/** A kind that is not found has a name or place in `schemas/clients.json` that is out of date. */
export function missingKinds({ affected }: Report, fault: string): readonly string[] {
  const found = new Set(affected?.mismatches.map(identity));
  return loadStockClients()
    .mismatches.filter((kind) => kind.faults.includes(fault) && !found.has(identity(kind)))
    .map((kind) => `stock clients were measured on ${identity(kind)}, which was not found`);
}

function identity({ clause, call, mismatch, actual, pointer = 'no place' }: MismatchKind): string {
  return `${clause} in ${call}: ${mismatch}, ${actual}, ${pointer}`;
}
