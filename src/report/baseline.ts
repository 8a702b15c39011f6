/** An older report to measure against: only what it had not yet counts. */
import type { Verdict } from '../verdict/verdict.ts';
import { type Expected, isBroken, isSettled, keyOf } from './expected.ts';
import type { BaselineReport, OlderFinding, Report, SinceBaseline } from './report.ts';

export interface Baseline {
  readonly file: string;
  readonly report: Pick<Report, 'target' | 'provenance'>;
  /** Fingerprints of everything that was found then, at whatever level. */
  readonly fingerprints: ReadonlySet<string>;
  readonly broken: readonly OlderFinding[];
  brokenWithoutFinding(expected: Expected): boolean;
  /** Whether the older run knew the expectation, and whether it could tell. */
  knew(expected: Expected): 'judged' | 'undecided' | 'unknown';
}

export function readBaseline(report: Report, file: string): Baseline {
  const all = report.cases.flatMap((one) => one.expectations.map((expectation) => ({ case: one.id, ...expectation })));
  const judged = new Set(all.filter(isSettled).map(keyOf));
  const known = new Set(all.map(keyOf));
  const broken = all.filter(isBroken);
  const bare = new Set(broken.filter(({ findings }) => findings.length === 0).map(keyOf));
  return {
    file,
    report,
    fingerprints: new Set(all.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint))),
    broken: broken.flatMap(({ case: id, clause, findings }) =>
      findings.map(({ fingerprint }) => ({ case: id, clause, fingerprint })),
    ),
    brokenWithoutFinding: (expected) => bare.has(keyOf(expected)),
    knew: (expected) => {
      const key = keyOf(expected);
      return judged.has(key) ? 'judged' : known.has(key) ? 'undecided' : 'unknown';
    },
  };
}

export function sinceBaseline(
  baseline: Baseline,
  expected: Expected,
  fingerprint: string,
  contractHash: string,
): SinceBaseline {
  if (baseline.fingerprints.has(fingerprint)) return 'standing';
  const knew = baseline.knew(expected);
  if (knew === 'judged') return 'new';
  return knew === 'unknown' && !isSameContract(baseline, contractHash) ? 'new-case' : 'not-asked';
}

/** What became of the findings of the baseline. What this run could not tell is not called fixed. */
export function compareToBaseline(
  baseline: Baseline,
  verdicts: readonly Verdict[],
  contractHash: string,
): BaselineReport {
  const found = new Set(verdicts.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)));
  const told = new Set(verdicts.filter(isSettled).map(keyOf));
  const gone = unique(baseline.broken).filter(({ fingerprint }) => !found.has(fingerprint));
  const { target, provenance } = baseline.report;
  return {
    file: baseline.file,
    baseUrl: target.baseUrl,
    startedAt: provenance.startedAt,
    sameContract: isSameContract(baseline, contractHash),
    fixed: gone.filter((one) => told.has(keyOf(one))),
    untold: gone.filter((one) => !told.has(keyOf(one))),
  };
}

function isSameContract({ report }: Baseline, contractHash: string): boolean {
  return report.provenance.contractHash === contractHash;
}

/** One expectation may show the same mismatch in several answers. */
function unique(findings: readonly OlderFinding[]): readonly OlderFinding[] {
  return [...new Map(findings.map((finding) => [finding.fingerprint, finding])).values()];
}
