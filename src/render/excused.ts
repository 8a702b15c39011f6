/** Failures and warnings that do not count: waived, or already in the baseline. Every format shows them, apart from those that count. */

import { groupBy } from '../report/counts.ts';
import { excuses } from '../report/excuses/apply-excuses.ts';
import { type Excuse, EXCUSES, type OlderFinding, type WaiverReport } from '../report/excuses/excuse-report.ts';
import type { WaiverEntry } from '../report/excuses/waivers.ts';
import type { CaseReport, ExpectationReport, FindingReport, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { count, formatDay, inert } from '../text/layout.ts';
import { asCode, type List, listCodes, type MarkedText, spansOf } from './document/document.ts';

/** A finding of a case that is broken, with its expectation; an expectation without findings has one without a finding. */
export interface BrokenMember {
  readonly verdict: 'fail' | 'warn';
  readonly case: CaseReport;
  readonly expectation: ExpectationReport;
  readonly finding?: FindingReport;
}

type Place = Pick<BrokenMember, 'expectation' | 'finding'>;

export function membersOf(testCase: CaseReport): readonly BrokenMember[] {
  return testCase.expectations.flatMap((expectation): readonly BrokenMember[] => {
    const { verdict, findings } = expectation;
    if (verdict !== 'fail' && verdict !== 'warn') return [];
    const member = { verdict, case: testCase, expectation };
    return findings.length === 0 ? [member] : findings.map((finding) => ({ ...member, finding }));
  });
}

export function excuseOf({ expectation, finding }: Place): Excuse | undefined {
  if (finding === undefined) return expectation.excused;
  if (finding.waiver !== undefined) return 'waived';
  return finding.since === 'known' ? 'known' : undefined;
}

type BrokenVerdict = BrokenMember['verdict'];

/** Clauses with a failure, or a warning, that is excused in this way. Other findings of the same clause may count. */
export function excusedClauses(report: Report, excuse: Excuse, verdict: BrokenVerdict): readonly string[] {
  return clausesBroken(report, verdict, (member) => excuseOf(member) === excuse);
}

/** Clauses whose failures, or warnings, are all excused. */
export function fullyExcusedClauses(report: Report, verdict: BrokenVerdict): readonly string[] {
  const counting = clausesBroken(report, verdict, ({ expectation }) => expectation.excused === undefined);
  return clausesBroken(report, verdict, () => true).filter((clause) => !counting.includes(clause));
}

function clausesBroken(report: Report, verdict: BrokenVerdict, isMeant: (member: BrokenMember) => boolean) {
  const meant = report.cases.flatMap(membersOf).filter((each) => each.verdict === verdict && isMeant(each));
  return [...new Set(meant.map(({ expectation }) => expectation.clause))];
}

const CASES_WITH: Readonly<Record<BrokenVerdict, string>> = { fail: 'broken cases', warn: 'cases with warnings' };

/** `1 of the broken cases is waived, 2 are in the baseline.`, and the same of warnings; nothing if all of them count. */
export function countExcused(report: Report): readonly string[] {
  return Object.entries(CASES_WITH).flatMap(([verdict, casesWith]) => {
    const broken = report.cases
      .filter((each) => each.verdict === verdict)
      .map(({ expectations }) => expectations.filter((each) => each.verdict === verdict));
    const excused = broken.filter((own) => own.every((each) => each.excused !== undefined));
    // A case that needs a waiver as well as the baseline is accepted by somebody.
    const waived = excused.filter((own) =>
      own.some((each) => each.excused === 'waived' || each.findings.some(({ waiver }) => waiver !== undefined)),
    ).length;
    const numbers = { waived, known: excused.length - waived };
    const parts = EXCUSES.filter((excuse) => numbers[excuse] > 0).map((excuse, at) => {
      const of = at === 0 ? ` of the ${casesWith}` : '';
      return `${numbers[excuse]}${of} ${numbers[excuse] === 1 ? 'is' : 'are'} ${EXCUSE_WORDS[excuse]}`;
    });
    return parts.length === 0 ? [] : [`${parts.join(', ')}.`];
  });
}

/** `counting`: clauses with warnings that are not excused. `words`: all of them, `3 clauses (1 waived, 1 in the baseline)`. */
export function countWarnings(report: Report): { counting: number; words: string } {
  // Not by the verdicts of clauses: one that another case could not judge is inconclusive, and has its warning all the same.
  const warned = clausesBroken(report, 'warn', () => true);
  const excused = fullyExcusedClauses(report, 'warn');
  const accepted = excusedClauses(report, 'waived', 'warn');
  const waived = excused.filter((clause) => accepted.includes(clause)).length;
  const parts = formatExcusedParts(warned.length, { waived, known: excused.length - waived });
  const words = warned.length === 0 ? '' : `${count(warned.length, 'clause')}${parts}`;
  return { counting: warned.length - excused.length, words };
}

/** Tables show it where a verdict has its own sign. */
export const EXCUSED_SIGN = '~';
export const EXCUSE_WORDS: Readonly<Record<Excuse, string>> = { waived: 'waived', known: 'in the baseline' };

/** ` (1 waived, 1 in the baseline)`, of this many; empty if all of them count. */
export function formatExcusedParts(all: number, excused: Readonly<Record<Excuse, number>>): string {
  const parts = EXCUSES.filter((excuse) => excused[excuse] > 0).map((excuse) => {
    if (excused[excuse] < all) return `${excused[excuse]} ${EXCUSE_WORDS[excuse]}`;
    return `${all === 1 ? '' : 'all '}${EXCUSE_WORDS[excuse]}`;
  });
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
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

const SINCE_TEXTS: Record<NonNullable<FindingReport['since']>, (report: Report) => string> = {
  known: (report) => `already in the baseline of ${baselineDay(report)}`,
  new: (report) => `new since ${baselineDay(report)}`,
  'new-case': () => 'new case or expectation: the baseline did not have it',
  'not-asked': () => 'not judged in the baseline, so it may be older',
  'waiver-expired': (report) => `in the baseline of ${baselineDay(report)}, but its waiver has expired`,
};

/** `2030-12-31`, the day of the baseline's run. */
export function baselineDay({ baseline }: Report): string {
  return inert(formatDay(baseline?.startedAt ?? ''), 10);
}

/** `not in the baseline of 2030-03-01`, or why the failures that count do so nevertheless. */
export function formatCountedSince(report: Report): string {
  if (!report.baseline) return '';
  const counted = report.cases
    .flatMap(({ expectations }) => expectations.filter(({ verdict, excused }) => verdict === 'fail' && !excused))
    .flatMap(({ findings }) => findings.filter(({ waiver, since }) => waiver === undefined && since !== 'known'));
  const isDue = ({ since }: FindingReport): boolean => since === 'waiver-expired';
  const words = [
    ...(counted.length > 0 && counted.every(isDue) ? [] : [`not in the baseline of ${baselineDay(report)}`]),
    ...(counted.some(isDue) ? ['with an expired waiver'] : []),
  ];
  return words.join(' or ');
}

/** Unused waivers, if they fail the run. */
export function staleWaivers({ waivers }: Report): readonly WaiverReport[] {
  return waivers?.failOnUnused ? waivers.entries.filter(({ state }) => state === 'unused') : [];
}

/** `7 cases` */
export function countOlder(report: Report, findings: readonly OlderFinding[]): string {
  return count(countIds(findings.map((finding) => finding.case)), traitsOf(report).caseWord);
}

/** Findings of the baseline that this run does not have. */
export function listOlder(report: Report) {
  const { fixed = [], notJudged = [] } = report.baseline ?? {};
  return [
    { title: `Fixed since ${baselineDay(report)}`, sign: '✓', findings: fixed },
    { title: 'In the baseline, but not judged in this run', sign: '?', findings: notJudged },
  ];
}

/** What the baseline has and this run does not. */
export function olderLists(report: Report, mostIds: number): readonly List[] {
  return listOlder(report).map(({ title, sign, findings }) => ({
    kind: 'list',
    heading: `${title}: ${countOlder(report, findings)}`,
    items: olderTexts(findings, mostIds).map((text) => ({ text, sign })),
    noun: 'clause',
  }));
}

/** `errors.code in auth/a, auth/b and 3 more` */
export function olderTexts(findings: readonly OlderFinding[], mostIds: number): readonly MarkedText[] {
  return [...groupBy(findings, ({ clause }) => clause)].map(([clause, own]) => {
    const cases = [...new Set(own.map((each) => each.case))];
    return [asCode(inert(clause)), ' in ', ...spansOf(listCodes(cases, mostIds))];
  });
}

/** Undefined without a baseline, and if it was judged by the same contract. */
export function otherContractOfBaseline({ baseline }: Report): string | undefined {
  return baseline?.sameContract === false
    ? 'Its contract, profile or built-in suites differ from those of this run.'
    : undefined;
}

interface Cause {
  readonly expectation: { readonly clause: string };
  /** Each as its case and, if it has one, its fingerprint. */
  readonly findings: readonly string[];
}

/**
 * Every cause with the cases of its findings, whether the waiver covers some of it or not: findings are waived one by one,
 * so that a case may have some of both.
 */
export function coverCauses(waiver: WaiverEntry, causes: readonly Cause[]) {
  return causes.map(({ expectation: { clause }, findings }) => {
    const rows = findings.map((finding) => {
      const [id = '', fingerprint] = finding.split(' ');
      return { id, isCovered: excuses({ entry: waiver }, { case: id, clause }, fingerprint || undefined) };
    });
    const idsWhere = (isMeant: boolean) => rows.filter(({ isCovered }) => isCovered === isMeant).map(({ id }) => id);
    return { clause, covered: idsWhere(true), left: idsWhere(false) };
  });
}

/** `1 cause in 7 cases`; `3 causes, 1 of them in part, in 3 cases` */
export function formatCovered(causes: ReturnType<typeof coverCauses>, caseWord: string): string {
  const covered = causes.filter((cause) => cause.covered.length > 0);
  if (covered.length === 0) return 'no cause';
  const parts = covered.filter(({ left }) => left.length > 0).length;
  const cases = `in ${count(countIds(covered.flatMap((cause) => cause.covered)), caseWord)}`;
  if (parts === 0) return `${count(covered.length, 'cause')} ${cases}`;
  if (parts === covered.length) return `a part of ${count(parts, 'cause')}, ${cases}`;
  return `${count(covered.length, 'cause')}, ${parts} of them in part, ${cases}`;
}

/** How many different ones. */
export function countIds(ids: readonly string[]): number {
  return new Set(ids).size;
}
