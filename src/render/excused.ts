/** Failures that do not count: waived, or already in the baseline. Every format shows them, apart from those that count. */
import { groupBy } from '../report/counts.ts';
import { countsAsFailed } from '../report/excuses/expected.ts';
import type { CaseReport, ExpectationReport, FindingReport, Report } from '../report/report.ts';
import type { Excuse, OlderFinding, SinceBaseline, WaiverReport } from '../report/excuses/excuse-report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';

/** A finding, or an expectation that names none. */
export interface Place {
  readonly expectation: ExpectationReport;
  readonly finding?: FindingReport;
}

export function excuseOf({ expectation, finding }: Place): Excuse | undefined {
  if (finding === undefined) return expectation.excused;
  if (finding.waiver !== undefined) return 'waived';
  return finding.since === 'known' ? 'known' : undefined;
}

/** Clauses with a finding that is excused in this way. Other findings of the same clause may count. */
export function excusedClauses(report: Report, excuse: Excuse): readonly string[] {
  return failedClauses(report, (place) => excuseOf(place) === excuse);
}

/** Clauses whose failures are all excused. */
export function fullyExcusedClauses(report: Report): readonly string[] {
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

/** Failed, without failing the run. */
function isExcused({ verdict, expectations }: CaseReport): boolean {
  return verdict === 'fail' && !expectations.some(countsAsFailed);
}

/** `1 of the failed cases is waived, 2 are in the baseline.`; undefined if all of them count. */
export function countExcused(report: Report): string | undefined {
  const excused = report.cases.filter(isExcused);
  // A case that needs a waiver as well as the baseline is accepted by somebody.
  const waived = excused.filter(({ expectations }) => expectations.some(isWaivedInPart)).length;
  const known = excused.length - waived;
  const parts = [
    ...(waived > 0 ? [[waived, 'waived'] as const] : []),
    ...(known > 0 ? [[known, 'in the baseline'] as const] : []),
  ].map(
    ([number, words], at) =>
      `${number}${at === 0 ? ' of the failed cases' : ''} ${number === 1 ? 'is' : 'are'} ${words}`,
  );
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`;
}

function isWaivedInPart({ verdict, excused, findings }: ExpectationReport): boolean {
  return verdict === 'fail' && (excused === 'waived' || findings.some(({ waiver }) => waiver !== undefined));
}

/** Why a finding does not count, or how it compares with the baseline. One line; undefined without waiver and baseline. */
export function formatExcuse(report: Report, { expectation, finding }: Place): string | undefined {
  if (finding === undefined) return expectation.excused === 'known' ? SINCE_TEXTS.known(report) : expectation.excused;
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
  known: (report) => `already in the baseline of ${baselineDay(report)}`,
  new: (report) => `new since ${baselineDay(report)}`,
  'new-case': () => 'new case or expectation: the baseline did not have it',
  'not-asked': () => 'not judged in the baseline, so it may be older',
};

/** `2030-12-31`, the day of the baseline's run. */
export function baselineDay({ baseline }: Report): string {
  return inert(baseline?.startedAt.slice(0, 10) ?? '', 10);
}

/** Unused waivers, if they fail the run. */
export function staleWaivers({ waivers }: Report): readonly WaiverReport[] {
  return waivers?.failOnUnused ? waivers.entries.filter(({ state }) => state === 'unused') : [];
}

export interface OlderByClause {
  readonly clause: string;
  readonly cases: readonly string[];
}

/** `7 cases` */
export function countOlder(report: Report, findings: readonly OlderFinding[]): string {
  return count(new Set(findings.map((finding) => finding.case)).size, traitsOf(report).caseWord);
}

/** Findings of the baseline that this run does not have. Every text is inert. */
export function olderByClause(findings: readonly OlderFinding[]): readonly OlderByClause[] {
  return [...groupBy(findings, ({ clause }) => clause)].map(([clause, group]) => ({
    clause: inert(clause),
    cases: [...new Set(group.map((finding) => inert(finding.case)))],
  }));
}

/** Undefined without a baseline, and if it was judged by the same contract. */
export function otherContractOfBaseline({ baseline }: Report): string | undefined {
  return baseline?.sameContract === false
    ? 'Its contract, profile or built-in suites differ from those of this run.'
    : undefined;
}
