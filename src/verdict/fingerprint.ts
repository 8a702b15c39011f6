/** The identity of a finding: stable while the same thing is wrong in the same place, whatever the value. */
import { createHash } from 'node:crypto';
import type { Endpoint, Mode } from '../plan/plan.ts';
import { nameField } from './actual.ts';
import { nameExpectedType } from './expected.ts';
import { maskIndices } from './finding.ts';
import type { Finding } from './verdict.ts';

/** The part of a request that identifies a finding. */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly mode: Mode;
}

/** Several findings may be at one place of a description, such as its list of required fields. */
function namesIn({ expected, actual }: Finding): readonly string[] {
  if (expected.kind === 'all-values') return expected.missing.map(String);
  const field = nameField(actual);
  return field === undefined ? [] : [field];
}

/** `request`: of the exchange that shows the finding, if any does. */
export function fingerprintOf(clause: string, caseId: string, finding: Finding, request: Asked | undefined): string {
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
    // A cause such as a proxy often shows in one status only.
    ...(finding.status === undefined ? [] : [finding.status]),
    ...namesIn(finding),
    ...(finding.trigger ?? []),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
