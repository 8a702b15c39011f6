/**
 * Marks broken expectations that do not count: those that a waiver accepts, and those already in the baseline. Nothing is
 * removed, and no verdict changes.
 */
import type { Subject } from '../../contract/contract.ts';
import type { NamedWaiver, Notice } from '../../exchange/notice.ts';
import { withoutUndefined } from '../../json.ts';
import { isSelected, matchesGlob } from '../../plan/select.ts';
import type { DescribedSettings } from '../../settings/setting-flags.ts';
import { BUILT_IN_SUITES, RECORDED_SUITE } from '../../suite/suite-names.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { groupBy, isBroken, isSettled } from '../counts.ts';
import type { ExpectationReport, FindingReport, Report } from '../report.ts';
import { DRAWN_CASES } from '../subject-traits.ts';
import type { Excuse, OlderFinding, SinceBaseline, WaiverReport, WaiverState } from './excuse-report.ts';
import { type CaseClause, isNamed, keyOf, type Waiver, type WaiverEntry, type Waivers } from './waivers.ts';

export interface Excuses {
  readonly waivers?: Waivers;
  readonly failOnUnusedWaivers?: boolean;
  readonly baseline?: Baseline;
  /** The day for expiry, as `2030-12-31`. Default: the day (UTC) on which the run started. */
  readonly today?: string;
}

export interface ExcusedVerdict extends ExpectationReport {
  readonly case: string;
}

/** What the run was limited to. */
export interface RunScope {
  /** Cases that judged less than usual: they may find something broken, but cannot show that it was fixed. */
  readonly partial: readonly string[];
  /** Cases that judged fewer answers since the run went badly: they cannot show either that something was fixed. */
  readonly cutShort?: readonly string[] | undefined;
  readonly settings: DescribedSettings;
}

const WHOLE: RunScope = { partial: [], settings: {} };

export function applyExcuses(verdicts: readonly Verdict[], excuses: Excuses, judgedOn: JudgedOn, scope = WHOLE) {
  const { waivers, baseline, failOnUnusedWaivers = false } = excuses;
  const { today } = judgedOn;
  const { cutShort = [] } = scope;
  const isLikeBaseline = baseline !== undefined && hasSameChoice(baseline, scope.settings);
  const marked = verdicts.map((verdict) => markExcused(verdict, excuses, today, isLikeBaseline));
  const cutOrPartial = new Set([...scope.partial, ...cutShort]);
  const entries = waivers && waiverReports(waivers, verdicts, judgedOn, cutOrPartial);
  return {
    verdicts: marked,
    ...(waivers && entries && { waivers: { file: waivers.file, today, failOnUnused: failOnUnusedWaivers, entries } }),
    ...(baseline && {
      baseline: compareToBaseline(baseline, verdicts, judgedOn, isLikeBaseline ? new Set(cutShort) : cutOrPartial),
    }),
    notices: (entries ?? []).flatMap(
      (entry) => noticeOn(entry, nameWaiver(waivers?.file ?? '', entry), failOnUnusedWaivers) ?? [],
    ),
  };
}

function markExcused(verdict: Verdict, given: Excuses, today: string, isLikeBaseline: boolean): ExcusedVerdict {
  if (!isBroken(verdict)) return verdict;
  const { waivers, baseline } = given;
  const inForce = waivers?.waivers.map((waiver) => (holdsOn(waiver, today) ? waiver : undefined)) ?? [];
  // An expired waiver set a deadline, so the baseline does not excuse the finding either.
  const expired = waivers?.waivers.filter((waiver) => timeState(waiver, today) === 'expired') ?? [];
  const markOf = (fingerprint: string | undefined): Mark => {
    const waiver = inForce.findIndex((each) => each !== undefined && excuses(each, verdict, fingerprint)) + 1;
    const since = baseline?.sinceOf(verdict, fingerprint, isLikeBaseline);
    const isDue = since === 'known' && expired.some((each) => excuses(each, verdict, fingerprint));
    return { ...(waiver > 0 && { waiver }), ...(since && { since: isDue ? 'waiver-expired' : since }) };
  };
  const findings = verdict.findings.map((finding) => ({ ...finding, ...markOf(finding.fingerprint) }));
  // A user's own check may report a broken clause without a finding.
  const excused = excuseOf(findings.length > 0 ? findings : [markOf(undefined)]);
  return { ...verdict, findings, ...(excused && { excused }) };
}

type Mark = Pick<FindingReport, 'waiver' | 'since'>;

function excuseOf(marks: readonly Mark[]): Excuse | undefined {
  if (marks.every(({ waiver }) => waiver !== undefined)) return 'waived';
  return marks.every(({ waiver, since }) => waiver !== undefined || since === 'known') ? 'known' : undefined;
}

// Which waivers apply on a day, what each of them excuses, and which are no longer needed.

interface JudgedOn {
  /** The day for expiry. */
  readonly today: string;
  readonly contractHash: string;
  /** The digest of its changes to the contract, if there are any. */
  readonly profile?: string | undefined;
  /** Absent for a gateway. */
  readonly subject?: Subject | undefined;
}

/** ISO dates sort as strings. */
function holdsOn({ entry: { until, announced } }: Waiver, today: string): boolean {
  return (until === undefined || today <= until) && (announced === undefined || announced.date <= today);
}

/** Whether the waiver names the finding, regardless of its dates. Without a fingerprint: the whole expectation. */
export function excuses({ entry }: Pick<Waiver, 'entry'>, expected: CaseClause, fingerprint?: string): boolean {
  if (!isNamed(entry, expected)) return false;
  return entry.fingerprint === undefined || (fingerprint !== undefined && matchesGlob(entry.fingerprint, fingerprint));
}

function waiverReports({ waivers }: Waivers, verdicts: readonly Verdict[], on: JudgedOn, partial: ReadonlySet<string>) {
  const { today, subject } = on;
  const broken = verdicts.filter(isBroken);
  const whole = verdicts.filter((verdict) => !partial.has(verdict.case));
  return waivers.map((waiver): WaiverReport => {
    const matched = broken.flatMap((verdict) => {
      const fingerprints =
        verdict.findings.length === 0 ? [undefined] : new Set(verdict.findings.map(({ fingerprint }) => fingerprint));
      return [...fingerprints].filter((fingerprint) => excuses(waiver, verdict, fingerprint));
    });
    const { line, matchesNothing } = waiver;
    const state = timeState(waiver, today) ?? (matched.length > 0 ? 'in-use' : stateOfIdle(waiver, whole, subject));
    return { ...waiver.entry, line, state, findings: matched.length, ...(matchesNothing && { matchesNothing }) };
  });
}

function timeState(waiver: Waiver, today: string): WaiverState | undefined {
  if (holdsOn(waiver, today)) return undefined;
  return waiver.entry.announced ? 'pending' : 'expired';
}

/**
 * For a waiver that excuses nothing. It is unused only if everything it names was tested and passed: an expectation that
 * was deselected, inconclusive, flaky, or skipped for lack of an extra key may fail again. An answer with nothing to judge,
 * such as a completion where an error was expected, counts neither way.
 */
function stateOfIdle({ names, matchesNothing }: Waiver, verdicts: readonly Verdict[], subject: Subject | undefined) {
  if (matchesNothing) return 'unused';
  const byName = groupBy(verdicts, keyOf);
  // One file serves gateways, clients and relays, and a run can settle only what it names on its own side. Only a run that
  // draws requests has cases for them.
  const draws = verdicts.some(isDrawn);
  const own = names
    .filter((name) => name.subject === subject && (draws || !isDrawn(name)))
    .map((name) => byName.get(keyOf(name)) ?? []);
  const isCertain = own.every(
    (each) => each.length > 0 && each.every((verdict) => passed(verdict) || gaveNothing(verdict)),
  );
  return isCertain && own.some((each) => each.some(passed)) ? 'unused' : 'undecided';
}

function isDrawn({ case: id }: CaseClause): boolean {
  return id.startsWith(DRAWN_CASES);
}

function passed(verdict: Verdict): boolean {
  return isSettled(verdict) && !isBroken(verdict);
}

function gaveNothing({ verdict, reason }: Verdict): boolean {
  return verdict === 'skipped' && reason?.kind !== 'needs';
}

// Notices about waivers that are unused, expired or not in effect yet.

export function nameWaiver(file: string, waiver: WaiverEntry & Pick<Waiver, 'line'>): NamedWaiver {
  const { line, case: caseGlob, clause, fingerprint } = waiver;
  return { file, line, ...withoutUndefined({ case: caseGlob, clause, fingerprint }) };
}

function noticeOn(waiver: WaiverReport, named: NamedWaiver, failOnUnused: boolean): Notice | undefined {
  const { until = '', announced, findings, matchesNothing } = waiver;
  switch (waiver.state) {
    case 'in-use':
      return undefined;
    case 'undecided':
      // With --fail-on-unused-waivers, the user needs to know which waivers this run could not decide.
      return failOnUnused ? { kind: 'waiver-undecided', ...named } : undefined;
    case 'unused':
      return { kind: 'waiver-unused', ...named, ...(matchesNothing && { matchesNothing }) };
    case 'expired':
      return { kind: 'waiver-expired', until, isBroken: findings > 0, ...named };
    case 'pending':
      return findings === 0 || !announced ? undefined : { kind: 'waiver-pending', date: announced.date, ...named };
  }
}

// An older report to compare with: only findings that are not in it count.

export interface Baseline {
  readonly file: string;
  readonly report: Pick<Report, 'subject' | 'target' | 'provenance' | 'profile'>;
  readonly broken: readonly OlderFinding[];
  /** What the older run says of something broken. Without a fingerprint: of the whole expectation. */
  sinceOf(expected: CaseClause, fingerprint: string | undefined, hadSameChoice: boolean): SinceBaseline;
}

export function readBaseline(report: Report, file: string): Baseline {
  const all = report.cases.flatMap(({ id, expectations, partial = false }) =>
    expectations.map((expectation) => ({ case: id, ...expectation, partial })),
  );
  const judged = new Map(all.filter(isSettled).map((each) => [keyOf(each), each]));
  const selected = new Set(all.map(keyOf));
  const broken = all.filter(isBroken);
  const bare = new Set(broken.filter(({ findings }) => findings.length === 0).map(keyOf));
  // At every level.
  const fingerprints = new Set(all.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)));
  return {
    file,
    report,
    broken: broken.flatMap(({ case: id, clause, findings }) =>
      findings.map(({ fingerprint }) => ({ case: id, clause, fingerprint })),
    ),
    sinceOf: (expected, fingerprint, hadSameChoice) => {
      const key = keyOf(expected);
      if (fingerprint === undefined ? bare.has(key) : fingerprints.has(fingerprint)) return 'known';
      const older = judged.get(key);
      // Otherwise it was inconclusive, skipped, not selected, or judged on less than this run has.
      if (older && (hadSameChoice || !older.partial)) return 'new';
      return selected.has(key) || !wasSelected(report, expected.case) ? 'not-asked' : 'new-case';
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

/** Whether both runs chose the same cases, so that what was judged on a part can be compared. */
function hasSameChoice({ report }: Baseline, settings: DescribedSettings): boolean {
  const choiceOf = ({ only, skip, suites }: DescribedSettings) => JSON.stringify([only, skip, suites]);
  return choiceOf(report.provenance.settings) === choiceOf(settings);
}

/**
 * Findings of the baseline that this run does not have. They are fixed only if their case now keeps the clause. One that
 * is gone while its case breaks the clause in another way is neither: an answer of its status may just not have come.
 */
function compareToBaseline(
  baseline: Baseline,
  verdicts: readonly Verdict[],
  on: JudgedOn,
  partial: ReadonlySet<string>,
) {
  const found = new Set(verdicts.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)));
  const settled = new Set(verdicts.filter((each) => isSettled(each) && !partial.has(each.case)).map(keyOf));
  const broken = new Set(verdicts.filter(isBroken).map(keyOf));
  // One expectation may show the same mismatch in several answers.
  const older = new Map(baseline.broken.map((finding) => [finding.fingerprint, finding]));
  const gone = [...older.values()].filter(({ fingerprint }) => !found.has(fingerprint));
  const { target, provenance, profile: before } = baseline.report;
  return {
    file: baseline.file,
    baseUrl: target.baseUrl,
    startedAt: provenance.startedAt,
    sameContract: provenance.contractHash === on.contractHash && before?.digest === on.profile,
    fixed: gone.filter((finding) => settled.has(keyOf(finding)) && !broken.has(keyOf(finding))),
    notJudged: gone.filter((finding) => !settled.has(keyOf(finding))),
  };
}
