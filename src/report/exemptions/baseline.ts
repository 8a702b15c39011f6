/** An older report to measure against: only what it had not yet counts. */
import { isSelected } from '../../plan/select.ts';
import { BUILT_IN_SUITES, RECORDED_SUITE } from '../../suite/load-suites.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { type Expected, isBroken, isSettled, keyOf } from './expected.ts';
import type { BaselineReport, OlderFinding, Report, SinceBaseline } from '../report.ts';

export interface Baseline {
  readonly file: string;
  readonly report: Pick<Report, 'target' | 'provenance'>;
  /** Fingerprints of everything that was found then, at whatever level. */
  readonly fingerprints: ReadonlySet<string>;
  readonly broken: readonly OlderFinding[];
  brokenWithoutFinding(expected: Expected): boolean;
  /**
   * Whether the older run judged the expectation. `unasked`: it could not tell, or the case was not among those that were
   * chosen for it; `unheard-of`: the case was chosen, by suite and by name, and the suites of that time did not have it.
   */
  knew(expected: Expected): 'judged' | 'unasked' | 'unheard-of';
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
      if (judged.has(key)) return 'judged';
      return known.has(key) || !wasChosen(report, expected.case) ? 'unasked' : 'unheard-of';
    },
  };
}

/**
 * Whether a run would have had the case, had there been one of that name. Its hash does not tell: it does not speak of the
 * suites of users, and a report does not name the cases that were deselected.
 */
function wasChosen({ cases, provenance: { settings } }: Report, id: string): boolean {
  const globs = (name: 'only' | 'skip') => [settings[name] ?? []].flat().map(String);
  if (!isSelected({ only: globs('only'), skip: globs('skip') }, id)) return false;
  const had = new Set(cases.map(({ suite }) => suite));
  const suite = id.split('/')[0] ?? id;
  const tookAll = settings['suites'] === undefined && !had.has(RECORDED_SUITE);
  return had.has(suite) || (tookAll && BUILT_IN_SUITES.some((builtIn) => builtIn === suite));
}

const SINCE: Record<ReturnType<Baseline['knew']>, SinceBaseline> = {
  judged: 'new',
  unasked: 'not-asked',
  'unheard-of': 'new-case',
};

export function sinceBaseline(baseline: Baseline, expected: Expected, fingerprint: string): SinceBaseline {
  return baseline.fingerprints.has(fingerprint) ? 'standing' : SINCE[baseline.knew(expected)];
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
    sameContract: provenance.contractHash === contractHash,
    fixed: gone.filter((one) => told.has(keyOf(one))),
    notJudged: gone.filter((one) => !told.has(keyOf(one))),
  };
}

/** One expectation may show the same mismatch in several answers. */
function unique(findings: readonly OlderFinding[]): readonly OlderFinding[] {
  return [...new Map(findings.map((finding) => [finding.fingerprint, finding])).values()];
}
