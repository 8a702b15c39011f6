/**
 * One root cause, one entry. Display only: verdicts and exit code come from the unfolded findings. In counts, a `cause`
 * is an entry and a `finding` is one of the findings behind it.
 */
import type { CaseReport, Counts, Excuse, Report } from '../report/report.ts';
import { excuseOf } from './excused.ts';

export type VerdictName = keyof Counts;
export type ExpectationReport = CaseReport['expectations'][number];
export type FindingReport = ExpectationReport['findings'][number];

export interface Entry {
  readonly verdict: 'fail' | 'warn';
  /** Why it does not count. */
  readonly excused?: Excuse;
  readonly expectation: ExpectationReport;
  /** The first one seen; absent only for an expectation without findings. */
  readonly finding?: FindingReport;
  /** The case to show: the first that has a command to repeat it. */
  readonly case: CaseReport;
  readonly cases: readonly string[];
  /** Each as its case and, if it has one, its fingerprint. */
  readonly findings: readonly string[];
  /** Answers that show it, the first one included. */
  readonly answers: number;
  /** Places in these answers, the first one included. */
  readonly places: number;
}

interface Growing {
  readonly verdict: 'fail' | 'warn';
  expectation: ExpectationReport;
  finding: FindingReport | undefined;
  case: CaseReport;
  readonly cases: Set<string>;
  readonly findings: Set<string>;
  readonly answers: Set<string>;
  places: number;
}

/** Failures first, then warnings; within them in the order of the cases. */
export function foldFindings(report: Report): readonly Entry[] {
  const groups = new Map<string, Growing>();
  for (const one of report.cases) {
    for (const expectation of one.expectations) {
      const { verdict } = expectation;
      if (verdict !== 'fail' && verdict !== 'warn') continue;
      if (expectation.findings.length === 0) grow(groups, verdict, one, expectation, undefined);
      for (const finding of expectation.findings) grow(groups, verdict, one, expectation, finding);
    }
  }
  const entries = [...groups.values()].map(finish);
  return [
    ...entries.filter((entry) => entry.verdict === 'fail'),
    ...entries.filter((entry) => entry.verdict === 'warn'),
  ];
}

function grow(
  groups: Map<string, Growing>,
  verdict: 'fail' | 'warn',
  one: CaseReport,
  expectation: ExpectationReport,
  finding: FindingReport | undefined,
): void {
  const key = rootCause(verdict, expectation, finding);
  let group = groups.get(key);
  if (group === undefined) {
    group = {
      verdict,
      expectation,
      finding,
      case: one,
      cases: new Set(),
      findings: new Set(),
      answers: new Set(),
      places: 0,
    };
    groups.set(key, group);
  } else if (group.case.repeat === undefined && one.repeat !== undefined) {
    group.case = one;
    group.expectation = expectation;
    group.finding = finding;
  }
  group.cases.add(one.id);
  group.findings.add(`${one.id} ${finding?.fingerprint ?? ''}`);
  if (finding === undefined) return;
  group.answers.add(`${finding.exchange}#${finding.attempt}`);
  group.places += 1 + finding.more;
}

function finish(group: Growing): Entry {
  const { verdict, expectation, finding, places } = group;
  const excused = excuseOf({ expectation, ...(finding && { finding }) });
  return {
    verdict,
    ...(excused && { excused }),
    expectation,
    ...(finding && { finding }),
    case: group.case,
    cases: [...group.cases],
    findings: [...group.findings],
    answers: group.answers.size,
    places,
  };
}

/** Findings that count never share an entry with excused ones. */
function rootCause(
  verdict: string,
  { clause, excused }: ExpectationReport,
  finding: FindingReport | undefined,
): string {
  if (finding === undefined) return JSON.stringify([verdict, clause, excused]);
  const { mismatch, pointer = '', expected, actualType, waiver, since } = finding;
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return JSON.stringify([verdict, clause, mismatch, place, expected, actualType, waiver, since]);
}
