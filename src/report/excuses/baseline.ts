/** An older report to compare with: only findings that are not in it count. */
import { isSelected } from '../../plan/select.ts';
import { BUILT_IN_SUITES, RECORDED_SUITE } from '../../suite/suite-names.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import type { JudgedOn } from './apply-waivers.ts';
import { type Expected, isBroken, isSettled, keyOf } from './expected.ts';
import type { Report } from '../report.ts';
import type { DescribedSettings } from '../../settings/described-settings.ts';
import type { BaselineReport, OlderFinding, SinceBaseline } from './excuse-report.ts';

export interface Baseline {
  readonly file: string;
  readonly report: Pick<Report, 'subject' | 'target' | 'provenance' | 'profile'>;
  /** Fingerprints of all its findings, at every level. */
  readonly fingerprints: ReadonlySet<string>;
  readonly broken: readonly OlderFinding[];
  brokenWithoutFinding(expected: Expected): boolean;
  /**
   * Whether the older run judged the expectation. `not-judged`: inconclusive, skipped, not selected, or judged on less
   * than this run has; `unknown-case`: selected, but its suites did not have it.
   */
  coverageOf(expected: Expected, hadSameChoice: boolean): 'judged' | 'not-judged' | 'unknown-case';
}

export function readBaseline(report: Report, file: string): Baseline {
  const all = report.cases.flatMap(({ id, expectations, partial = false }) =>
    expectations.map((expectation) => ({ case: id, ...expectation, partial })),
  );
  const judged = new Map(all.filter(isSettled).map((each) => [keyOf(each), each]));
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
    coverageOf: (expected, hadSameChoice) => {
      const key = keyOf(expected);
      const older = judged.get(key);
      if (older && (hadSameChoice || !older.partial)) return 'judged';
      return known.has(key) || !wasSelected(report, expected.case) ? 'not-judged' : 'unknown-case';
    },
  };
}

/**
 * Whether the run selected this id. Its contract hash leaves out suites of users, and its report leaves out cases that
 * were not selected.
 */
function wasSelected({ cases, provenance: { settings } }: Report, id: string): boolean {
  const globs = (name: 'only' | 'skip') => [settings[name] ?? []].flat().map(String);
  if (!isSelected({ only: globs('only'), skip: globs('skip') }, id)) return false;
  const had = new Set(cases.filter(({ partial }) => !partial).map((testCase) => suiteOf(testCase.id)));
  const suite = suiteOf(id);
  const tookAll = settings['suites'] === undefined && !had.has(RECORDED_SUITE);
  return had.has(suite) || (tookAll && BUILT_IN_SUITES.some((builtIn) => builtIn === suite));
}

function suiteOf(id: string): string {
  return id.split('/')[0] ?? id;
}

const SINCE: Record<ReturnType<Baseline['coverageOf']>, SinceBaseline> = {
  judged: 'new',
  'not-judged': 'not-asked',
  'unknown-case': 'new-case',
};

export function sinceBaseline(
  baseline: Baseline,
  expected: Expected,
  fingerprint: string,
  hadSameChoice: boolean,
): SinceBaseline {
  return baseline.fingerprints.has(fingerprint) ? 'known' : SINCE[baseline.coverageOf(expected, hadSameChoice)];
}

/** Whether both runs chose the same cases, so that what was judged on a part can be compared. */
export function hasSameChoice({ report }: Baseline, settings: DescribedSettings): boolean {
  const choiceOf = ({ only, skip, suites }: DescribedSettings) => JSON.stringify([only, skip, suites]);
  return choiceOf(report.provenance.settings) === choiceOf(settings);
}

/**
 * Findings of the baseline that this run does not have. They are fixed only if their case now keeps the clause. One that
 * is gone while its case breaks the clause in another way is neither: an answer of its status may just not have come.
 */
export function compareToBaseline(
  baseline: Baseline,
  verdicts: readonly Verdict[],
  { contractHash, profile }: Pick<JudgedOn, 'contractHash' | 'profile'>,
  partial: ReadonlySet<string>,
): BaselineReport {
  const found = new Set(verdicts.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)));
  const settled = new Set(verdicts.filter((each) => isSettled(each) && !partial.has(each.case)).map(keyOf));
  const broken = new Set(verdicts.filter(isBroken).map(keyOf));
  const gone = unique(baseline.broken).filter(({ fingerprint }) => !found.has(fingerprint));
  const { target, provenance, profile: older } = baseline.report;
  return {
    file: baseline.file,
    baseUrl: target.baseUrl,
    startedAt: provenance.startedAt,
    sameContract: provenance.contractHash === contractHash && older?.digest === profile,
    fixed: gone.filter((finding) => settled.has(keyOf(finding)) && !broken.has(keyOf(finding))),
    notJudged: gone.filter((finding) => !settled.has(keyOf(finding))),
  };
}

/** One expectation may show the same mismatch in several answers. */
function unique(findings: readonly OlderFinding[]): readonly OlderFinding[] {
  return [...new Map(findings.map((finding) => [finding.fingerprint, finding])).values()];
}
