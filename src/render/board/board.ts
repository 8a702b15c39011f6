/**
 * Many reports as one board: the latest state of each target, what changed since, and where targets differ. Of a report, a
 * board keeps a summary, so that hundreds fit in memory: verdicts, and the evidence of failures.
 */
import type { Level, Subject } from '../../contract/contract.ts';
import { packageVersion } from '../../contract/package-files.ts';
import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import { withoutUndefined } from '../../json.ts';
import { groupBy } from '../../report/counts.ts';
import type { Excuse } from '../../report/excuses/excuse-report.ts';
import { firstTextTime, type NoFirstText } from '../../report/first-text-time.ts';
import type { CauseReport, OutcomeName, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import type { Count, Duration, Integer, PositiveInteger } from '../../scalars.ts';
import { inert } from '../../text/layout.ts';
import { badge } from '../badge.ts';
import { brokenLevel, statesOf } from '../clause-states.ts';
import { formatFinding, formatSeenIn } from '../finding-text.ts';
import { type RootCause, foldFindings, type VerdictName } from '../fold.ts';
import { causeReportOf } from '../json.ts';
import { formatEdition, formatProfile, shortDigest } from '../profile-text.ts';
import { formatTarget } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';

/** What a board has of a cause. */
const CAUSE_FIELDS = ['clause', 'level', 'verdict', 'excused', 'requirement', 'expected', 'actual', 'repeat'] as const;

/** A cause of failure, with as much evidence as fits in a few lines. */
export interface BoardEntry extends Pick<CauseReport, (typeof CAUSE_FIELDS)[number]> {
  readonly case: string;
  readonly cases: Integer;
  /** `2 cases, 45 answers`, `3 scenarios` */
  readonly seenIn: string;
  readonly request?: string;
  /** The beginning of the answer. */
  readonly answer?: { readonly status: Integer; readonly body: string };
}

export interface BoardClause {
  readonly id: string;
  /** The level at which it is broken, if it is. */
  readonly level: Level | 'none';
  readonly part: string;
  readonly summary: string;
}

/** A broken clause of which nothing counts. */
export interface ExcusedClause {
  readonly clause: string;
  /** The level at which it is broken. */
  readonly level: Level | 'none';
  /** One that needs a waiver as well as the baseline is waived. */
  readonly excuse: Excuse;
}

/** Where a report was read from, and the page beside it, as paths from the board. */
export interface ReportPlace {
  readonly report: string;
  readonly page?: string;
}

export interface ReportSummary extends ReportPlace {
  /** Reports with the same key are on the same target. */
  readonly key: string;
  readonly subject: Subject | 'gateway';
  readonly name: string;
  readonly target: string;
  readonly model?: string;
  readonly startedAt: string;
  readonly tool: string;
  readonly contract: string;
  /** Name and digest of the edition. */
  readonly edition?: string;
  /** Name, version, changes and digest of the profile; absent for v1 as it is. */
  readonly profile?: string;
  readonly outcome: OutcomeName;
  readonly exit: Report['outcome']['exit'];
  readonly verdict: string;
  /** Milliseconds to the first text of a stream; absent if that is not known. */
  readonly firstText?: Duration;
  /** Why it is not known. */
  readonly noFirstText?: NoFirstText;
  readonly clauses: readonly BoardClause[];
  /** The verdicts by clause; those that no case tests are left out. */
  readonly verdicts: Readonly<Record<string, VerdictName>>;
  /** Clauses that are not judged because they never came up in the run. */
  readonly idle: readonly string[];
  readonly entries: readonly BoardEntry[];
  readonly excused: readonly ExcusedClause[];
  /** The verdict in the format of a badge. */
  readonly badge: string;
}

/** Characters of an answer: enough to recognise it. */
const MAX_BODY = 400;
const MAX_NAME = 120;

export function summarizeReport(report: Report, place: ReportPlace): ReportSummary {
  const { provenance, target, outcome, profile } = report;
  const model = provenance.settings['model'];
  const firstText = firstTextTime(report);
  const entries = foldFindings(report);
  return {
    ...place,
    subject: traitsOf(report).name,
    key: keyOf(report),
    // An address can be checked in several ways, with a row each.
    name: inert(
      target.name ?? target.client?.name ?? `${target.baseUrl}${report.subject ? ` (${report.subject})` : ''}`,
      MAX_NAME,
    ),
    target: inert(formatTarget(report), 300),
    ...(typeof model === 'string' && { model: inert(model, MAX_NAME) }),
    startedAt: provenance.startedAt,
    tool: report.tool.version,
    contract: provenance.contractHash,
    ...withoutUndefined({ edition: formatEdition(report) }),
    ...(profile && { profile: inert(`${formatProfile(profile)} [${shortDigest(profile)}]`, 300) }),
    outcome: outcome.name,
    exit: outcome.exit,
    verdict: inert(verdictLine(report), 600),
    ...(typeof firstText === 'number' ? { firstText } : { noFirstText: firstText }),
    clauses: report.clauses.map((clause) => {
      const { id, part, summary } = clause;
      return { id, level: brokenLevel(report, clause), part, summary: inert(summary, 300) };
    }),
    verdicts: Object.fromEntries(report.clauses.flatMap(({ id, verdict }) => (verdict ? [[id, verdict]] : []))),
    idle: [...statesOf(report)].flatMap(([id, { shade }]) => (shade === 'idle' ? [id] : [])),
    entries: entries.map((entry) => describeEntry(report, entry)),
    excused: report.clauses.flatMap((clause) => {
      const excuse = excuseOfAll(entries.filter(({ expectation }) => expectation.clause === clause.id));
      return excuse ? [{ clause: clause.id, level: brokenLevel(report, clause), excuse }] : [];
    }),
    badge: badge(report, {}),
  };
}

/** Undefined if the clause counts, or is not broken. */
export function excuseIn({ excused }: Pick<ReportSummary, 'excused'>, clause: string): Excuse | undefined {
  return excused.find((each) => each.clause === clause)?.excuse;
}

/** Undefined if one of the causes counts, and without causes. */
function excuseOfAll(causes: readonly RootCause[]): Excuse | undefined {
  const excuses = causes.map(({ excused }) => excused);
  if (excuses.length === 0 || excuses.includes(undefined)) return undefined;
  return excuses.includes('waived') ? 'waived' : 'known';
}

/** A name stands for one target, wherever it moves; an address, for the model that was asked for there. */
function keyOf({ subject, target: { name, baseUrl, client, upstream }, provenance }: Report): string {
  const given = name ?? client?.name;
  return JSON.stringify([
    subject,
    ...(given === undefined ? [baseUrl, upstream?.url, provenance.settings['model']] : [given]),
  ]);
}

function describeEntry(report: Report, entry: RootCause): BoardEntry {
  const { request } = formatFinding(report, entry);
  const answer = answerOf(report, entry);
  return {
    ...pick(causeReportOf(report, entry), CAUSE_FIELDS),
    case: entry.case.id,
    cases: entry.cases.length,
    seenIn: formatSeenIn(report, entry),
    ...withoutUndefined({ request, answer }),
  };
}

function answerOf({ exchanges }: Report, { finding }: RootCause): BoardEntry['answer'] {
  const exchange = finding && exchanges.find(({ id }) => id === finding.exchange);
  const answer = exchange?.attempts[finding?.attempt ?? 0]?.answer;
  return answer && { status: answer.status, body: inert(answer.body.text.slice(0, MAX_BODY), MAX_BODY) };
}

/** Fields that it lacks stay absent. */
function pick<Value extends object, Name extends keyof Value>(value: Value, names: readonly Name[]): Pick<Value, Name> {
  const picked = names.filter((name) => name in value).map((name) => [name, value[name]]);
  return Object.fromEntries(picked) as Pick<Value, Name>;
}

/** What a board has of a summary. */
const RUN_FIELDS = [
  'report',
  'page',
  'startedAt',
  'tool',
  'contract',
  'edition',
  'profile',
  'outcome',
  'exit',
  'verdict',
  'firstText',
  'noFirstText',
  'excused',
] as const;
const TARGET_FIELDS = ['subject', 'name', 'target', 'model', 'verdicts', 'idle', 'badge'] as const;

/** One report on a target. */
export interface BoardRun extends Pick<ReportSummary, (typeof RUN_FIELDS)[number]> {
  /** Broken clauses by level. */
  readonly broken: { readonly must: Integer; readonly should: Integer };
  /** Clauses that are broken now, and passed when they were last judged. */
  readonly appeared: readonly string[];
  /** Broken now, and never judged before. */
  readonly found: readonly string[];
  /** Broken now and when they were last judged, excused then and no longer: a waiver may have expired. */
  readonly countsAgain: readonly string[];
  /** Broken now and when they were last judged, and excused only now. */
  readonly accepted: readonly string[];
  /** Clauses that pass now, and were broken when they were last judged. */
  readonly fixed: readonly string[];
}

export interface BoardTarget extends Pick<ReportSummary, (typeof TARGET_FIELDS)[number]> {
  /** Oldest first. The state of the target is that of the last one. */
  readonly runs: readonly BoardRun[];
  readonly latest: BoardRun;
  readonly entries: readonly BoardEntry[];
}

export interface BoardContract {
  /** The hash of the contract and the suites. */
  readonly hash: string;
  /** What was changed about the contract; absent for the contract as it is. */
  readonly profile?: string;
  readonly targets: PositiveInteger;
}

/** A clause with the number of targets that break it, and of those for which it is waived or in the baseline. */
export interface CountedClause extends BoardClause {
  readonly broken: Count;
  readonly excused: Count;
}

/**
 * The latest state and the history of many targets, as `wirecheck board --reporter json` writes them.
 *
 * @title a board
 */
export interface Board {
  readonly format: 'wirecheck-board';
  readonly version: 2;
  readonly tool: { readonly name: 'wirecheck'; readonly version: string };
  readonly title?: string;
  readonly exit: SummaryExit;
  /** What the latest runs were judged by, with the number of targets. The most common first. */
  readonly contracts: readonly BoardContract[];
  readonly clauses: readonly CountedClause[];
  /** Most urgent first: failing targets, then those that were not judged. */
  readonly targets: readonly BoardTarget[];
}

export interface BoardOptions {
  readonly title?: string;
  readonly failOn: 'must' | 'none';
}

/** The same reports give the same board, in whatever order they come. */
export function makeBoard(summaries: Iterable<ReportSummary>, { title, failOn }: BoardOptions): Board {
  const groups = new Map<string, ReportSummary[]>();
  for (const summary of summaries) addSummary(groups, summary);
  const targets = [...groups.values()].map(makeTarget).toSorted(compareTargets);
  const exits = targets.map(({ latest }) => latest.exit);
  return {
    format: 'wirecheck-board',
    version: 2,
    tool: { name: 'wirecheck', version: packageVersion() },
    ...(title !== undefined && { title }),
    exit: failOn === 'none' ? EXIT.passed : worstExit(exits),
    contracts: countContracts(targets),
    clauses: listClauses([...groups.values()].map((runs) => runs.at(-1)).filter((run) => run !== undefined)),
    targets,
  };
}

/** A report that is given twice counts once. Only the latest run of a target keeps its evidence. */
function addSummary(groups: Map<string, ReportSummary[]>, summary: ReportSummary): void {
  const runs = groups.get(summary.key) ?? [];
  groups.set(summary.key, runs);
  if (runs.some(({ startedAt, verdict }) => startedAt === summary.startedAt && verdict === summary.verdict)) return;
  const at = runs.findIndex(({ startedAt }) => startedAt > summary.startedAt);
  runs.splice(at === -1 ? runs.length : at, 0, summary);
  for (const [index, run] of runs.entries())
    if (index < runs.length - 1 && run.entries.length > 0) runs[index] = { ...run, entries: [] };
}

function makeTarget(runs: readonly ReportSummary[]): BoardTarget {
  // Each clause as it was last judged.
  const judged = new Map<string, { readonly isBroken: boolean; readonly isExcused: boolean }>();
  const described = runs.map((run, index): BoardRun => {
    // By another contract, a verdict of the run before means something else.
    const before = runs[index - 1];
    const isFirst = run.profile !== before?.profile || run.edition !== before?.edition || index === 0;
    if (isFirst) judged.clear();
    const broken = run.clauses.filter(({ id }) => isBroken(run, id));
    const ids = broken.map(({ id }) => id);
    const still = ids.filter((id) => judged.get(id)?.isBroken);
    const isExcused = (id: string): boolean => excuseIn(run, id) !== undefined;
    const changes = {
      broken: {
        must: broken.filter(({ level }) => level === 'must').length,
        should: broken.filter(({ level }) => level === 'should').length,
      },
      appeared: ids.filter((id) => judged.get(id)?.isBroken === false),
      found: isFirst ? [] : ids.filter((id) => !judged.has(id)),
      countsAgain: still.filter((id) => judged.get(id)?.isExcused && !isExcused(id)),
      accepted: still.filter((id) => !judged.get(id)?.isExcused && isExcused(id)),
      fixed: [...judged].flatMap(([id, last]) => (last.isBroken && run.verdicts[id] === 'pass' ? [id] : [])),
    };
    for (const [id, verdict] of Object.entries(run.verdicts))
      if (verdict === 'pass' || isBroken(run, id))
        judged.set(id, { isBroken: verdict !== 'pass', isExcused: isExcused(id) });
    return { ...pick(run, RUN_FIELDS), ...changes };
  });
  const [last, latest] = [runs.at(-1), described.at(-1)];
  if (!last || !latest) throw new Error('A target has at least one run.');
  return { ...pick(last, TARGET_FIELDS), runs: described, latest, entries: last.entries };
}

function isBroken({ verdicts }: Pick<ReportSummary, 'verdicts'>, clause: string): boolean {
  return verdicts[clause] === 'fail' || verdicts[clause] === 'warn';
}

/** Targets that fail come first, then those that were not judged. */
const EXIT_ORDER: readonly number[] = [EXIT.failed, EXIT.bug, EXIT.interrupted, EXIT.notJudged, EXIT.passed];

function compareTargets(left: BoardTarget, right: BoardTarget): number {
  const [a, b] = [left.latest, right.latest];
  return (
    EXIT_ORDER.indexOf(a.exit) - EXIT_ORDER.indexOf(b.exit) ||
    b.broken.must - a.broken.must ||
    b.broken.should - a.broken.should ||
    compareText(left.name, right.name) ||
    compareText(left.target, right.target)
  );
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** An interrupted run was not judged to its end. */
function worstExit(exits: readonly BoardRun['exit'][]): Board['exit'] {
  if (exits.includes(EXIT.failed)) return EXIT.failed;
  return exits.length === 0 || exits.some((exit) => exit !== EXIT.passed) ? EXIT.notJudged : EXIT.passed;
}

function countContracts(targets: readonly BoardTarget[]): readonly BoardContract[] {
  const groups = groupBy(targets, ({ latest: { contract, profile = '' } }) => `${contract} ${profile}`);
  return [...groups.values()]
    .flatMap((own): readonly BoardContract[] => {
      const [first] = own;
      if (!first) return [];
      const { contract, profile } = first.latest;
      return [{ hash: contract, ...(profile !== undefined && { profile }), targets: own.length }];
    })
    .toSorted(
      (a, b) => b.targets - a.targets || compareText(a.hash, b.hash) || compareText(a.profile ?? '', b.profile ?? ''),
    );
}

/**
 * In the order of the contract: the first report that has a clause says what follows what. By profiles, a clause may have
 * several levels. The strictest counts, of those targets that break it if any does.
 */
function listClauses(latest: readonly ReportSummary[]): Board['clauses'] {
  const inOrder = latest.toSorted(
    (a, b) => compareText(b.startedAt, a.startedAt) || compareText(a.name, b.name) || compareText(a.target, b.target),
  );
  const clauses = new Map<string, BoardClause>();
  for (const { clauses: own, verdicts } of inOrder) {
    for (const clause of own)
      if (verdicts[clause.id] !== undefined && !clauses.has(clause.id)) clauses.set(clause.id, clause);
  }
  const given = latest.flatMap((run) =>
    run.clauses.map(({ id, level }) => ({ id, level, isBroken: isBroken(run, id) })),
  );
  const byClause = groupBy(given, ({ id }) => id);
  return [...clauses.values()].map((clause) => {
    const own = byClause.get(clause.id) ?? [];
    const broken = latest.filter((run) => isBroken(run, clause.id));
    const excused = broken.filter((run) => excuseIn(run, clause.id) !== undefined);
    const level = strictestOf(own.filter((each) => each.isBroken)) ?? strictestOf(own) ?? clause.level;
    return { ...clause, level, broken: broken.length, excused: excused.length };
  });
}

function strictestOf(clauses: readonly Pick<BoardClause, 'level'>[]): Level | undefined {
  return (['must', 'should', 'observe'] as const).find((level) => clauses.some((each) => each.level === level));
}
