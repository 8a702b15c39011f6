/** The verdicts in which two reports on one recording differ, expectation by expectation. */
import type { CaseReport, ExpectationReport } from '../report.ts';
import type { Difference } from './verification.ts';

export type VerdictDifference = Extract<Difference, { readonly kind: 'verdict' | 'findings' }>;

/**
 * `isOtherVersion`: another version of wirecheck made the report. This one may have further cases, which no recording of that
 * one can answer.
 */
export function compareVerdicts(
  reported: readonly CaseReport[],
  judged: readonly CaseReport[],
  isOtherVersion: boolean,
): readonly VerdictDifference[] {
  const [theirs, ours] = [expectationsOf(reported), expectationsOf(judged)];
  const differences: VerdictDifference[] = [];
  for (const [key, own] of theirs) {
    const { case: id, clause } = own;
    const other = ours.get(key);
    if (other?.verdict !== own.verdict) {
      const now = other && { judged: other.verdict };
      differences.push({ kind: 'verdict', case: id, clause, reported: own.verdict, ...now });
    } else if (fingerprintsOf(own) !== fingerprintsOf(other)) {
      differences.push({ kind: 'findings', case: id, clause });
    }
  }
  for (const [key, { case: id, clause, verdict }] of ours) {
    const isNew = isOtherVersion && verdict === 'skipped';
    if (!theirs.has(key) && !isNew) differences.push({ kind: 'verdict', case: id, clause, judged: verdict });
  }
  return differences;
}

interface OwnExpectation extends ExpectationReport {
  readonly case: string;
}

/** A case may judge one clause more than once. */
function expectationsOf(cases: readonly CaseReport[]): ReadonlyMap<string, OwnExpectation> {
  const all = new Map<string, OwnExpectation>();
  const seen = new Map<string, number>();
  for (const { id, expectations } of cases) {
    for (const expectation of expectations) {
      const name = JSON.stringify([id, expectation.clause]);
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      all.set(`${name} ${number}`, { ...expectation, case: id });
    }
  }
  return all;
}

function fingerprintsOf({ findings }: ExpectationReport): string {
  return findings.map(({ fingerprint }) => fingerprint).join(' ');
}
