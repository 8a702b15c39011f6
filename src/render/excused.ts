/** What is broken and does not count: waived, or in the baseline already. Every format shows it, apart from what counts. */
import { groupBy } from '../report/counts.ts';
import { countsAsFailed } from '../report/exemptions/expected.ts';
import type {
  CaseReport,
  Excuse,
  ExpectationReport,
  FindingReport,
  OlderFinding,
  Report,
  SinceBaseline,
  WaiverReport,
} from '../report/report.ts';
import { inert } from '../text/inert.ts';

/** A finding, or an expectation that names none. */
export interface Place {
  readonly expectation: ExpectationReport;
  readonly finding?: FindingReport;
}

export function excuseOf({ expectation, finding }: Place): Excuse | undefined {
  if (finding === undefined) return expectation.excused;
  if (finding.waiver !== undefined) return 'waived';
  return finding.since === 'standing' ? 'standing' : undefined;
}

/** Clauses of which something is excused in this way. One may be excused in both ways, and count all the same. */
export function excusedClauses(report: Report, excuse: Excuse): readonly string[] {
  return failedClauses(report, (place) => excuseOf(place) === excuse);
}

/** Clauses of which something failed and nothing that failed counts. */
export function clausesApart(report: Report): readonly string[] {
  const counting = failedClauses(report, ({ expectation }) => countsAsFailed(expectation));
  return failedClauses(report, () => true).filter((clause) => !counting.includes(clause));
}

function failedClauses(report: Report, isMeant: (place: Place) => boolean): readonly string[] {
  const failed = report.cases.flatMap(({ expectations }) => expectations.filter(({ verdict }) => verdict === 'fail'));
  const meant = failed.filter((expectation) =>
    expectation.findings.length === 0
      ? isMeant({ expectation })
      : expectation.findings.some((finding) => isMeant({ expectation, finding })),
  );
  return [...new Set(meant.map(({ clause }) => clause))];
}

/** It failed without failing the run. */
export function isExcused({ verdict, expectations }: CaseReport): boolean {
  return verdict === 'fail' && !expectations.some(countsAsFailed);
}

/** Ids of the cases that failed without failing the run. */
export function excusedCases(report: Report): readonly string[] {
  return report.cases.filter(isExcused).map(({ id }) => id);
}

/** Why it does not count, or why it counts only now. One line; undefined where there is neither waiver nor baseline. */
export function formatExcuse(report: Report, { expectation, finding }: Place): string | undefined {
  if (finding === undefined) return expectation.excused;
  const waiver = finding.waiver === undefined ? undefined : report.waivers?.entries[finding.waiver - 1];
  if (waiver) return formatWaiverTerm(waiver);
  return finding.since && SINCE_TEXTS[finding.since](report);
}

function formatWaiverTerm({ until, announced, owner, link, reason }: WaiverReport): string {
  const term = announced
    ? `removal announced for ${inert(announced.date, 10)}`
    : `waived until ${inert(until ?? '', 10)}`;
  const by = owner === undefined ? '' : ` by ${inert(owner, 80)}`;
  const links = [link, announced?.link].filter((each) => each !== undefined).map((each) => inert(each, 300));
  return `${term}${by}: ${inert(reason, 400)}${links.length === 0 ? '' : ` (${links.join(', ')})`}`;
}

const SINCE_TEXTS: Record<SinceBaseline, (report: Report) => string> = {
  standing: (report) => `stands since ${baselineDay(report)}`,
  new: (report) => `new since ${baselineDay(report)}`,
  'new-case': () => 'new because the case is new, or looks at more now: the suites of the baseline did not have it',
  'not-asked': () => 'not asked in the baseline, so it may have been there before',
};

/** `2030-12-31`, the day of the baseline's run. */
export function baselineDay({ baseline }: Report): string {
  return inert(baseline?.startedAt.slice(0, 10) ?? '', 10);
}

/** Waivers of no use any more, where they fail the run. */
export function staleWaivers({ waivers }: Report): readonly WaiverReport[] {
  return waivers?.failOnUnused ? waivers.entries.filter(({ state }) => state === 'unused') : [];
}

export interface OlderByClause {
  readonly clause: string;
  readonly cases: readonly string[];
}

/** Findings of the baseline that this run does not have. Every text is inert. */
export function olderByClause(findings: readonly OlderFinding[]): readonly OlderByClause[] {
  return [...groupBy(findings, ({ clause }) => clause)].map(([clause, group]) => ({
    clause: inert(clause),
    cases: [...new Set(group.map((finding) => inert(finding.case)))],
  }));
}
