/** The identity of a finding: stable while the same thing is wrong in the same place, whatever the value. */
import { createHash } from 'node:crypto';
import type { RunView } from './check.ts';
import { nameExpectedType } from './expected.ts';
import { maskIndices } from './finding.ts';
import type { Finding } from './verdict.ts';

export function fingerprintOf(clause: string, caseId: string, finding: Finding, run: RunView): string {
  const request = run.traffic.exchanges.find(({ id }) => id === finding.exchange)?.request;
  const parts = [
    clause,
    caseId,
    request?.endpoint ?? '',
    request?.mode ?? '',
    finding.pointer === undefined ? '' : maskIndices(finding.pointer),
    finding.mismatch,
    // Only types are stable between runs; other expectations may contain numbers of this run.
    finding.mismatch === 'type' ? nameExpectedType(finding.expected) : '',
    finding.actualType,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
