/** Many reports on one page: the latest state of each target, what changed since, and where targets differ. */
import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import { packageVersion } from '../../contract/package-files.ts';
import { groupBy } from '../../report/counts.ts';
import type { VerdictName } from '../fold.ts';
import { type BoardClause, type BoardEntry, excuseIn, pick, type ReportSummary } from './summary.ts';
import type { Count, Integer, PositiveInteger } from '../../scalars.ts';

/** What a board has of a summary. */
const RUN_FIELDS = [
  'report',
  'page',
  'startedAt',
  'tool',
  'contract',
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
  /** Of the contract and the suites. */
  readonly hash: string;
  /** What was changed about the contract; absent for the contract as it is. */
  readonly profile?: string;
  readonly targets: PositiveInteger;
}

/** With the number of targets that break it, and of those for which it is waived or in the baseline. */
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

/** A clause, when it was last judged. */
interface LastJudged {
  readonly verdict: VerdictName;
  readonly isExcused: boolean;
}

function makeTarget(runs: readonly ReportSummary[]): BoardTarget {
  const judged = new Map<string, LastJudged>();
  const described = runs.map((run, index) => {
    // By another contract, a verdict of the run before means something else.
    const isFirst = index === 0 || run.profile !== runs[index - 1]?.profile;
    if (isFirst) judged.clear();
    const before = isFirst ? undefined : new Map(judged);
    for (const [id, verdict] of Object.entries(run.verdicts))
      if (isJudged(verdict)) judged.set(id, { verdict, isExcused: excuseIn(run, id) !== undefined });
    return describeRun(run, before);
  });
  const [last, latest] = [runs.at(-1), described.at(-1)];
  if (!last || !latest) throw new Error('A target has at least one run.');
  return { ...pick(last, TARGET_FIELDS), runs: described, latest, entries: last.entries };
}

/** `before`: undefined for the first run by its contract. */
function describeRun(run: ReportSummary, before: ReadonlyMap<string, LastJudged> | undefined): BoardRun {
  const broken = run.clauses.filter(({ id }) => isBroken(run, id));
  const ids = broken.map(({ id }) => id);
  const still = ids.flatMap((id) => {
    const last = before?.get(id);
    return last && last.verdict !== 'pass' ? [{ id, was: last.isExcused, is: excuseIn(run, id) !== undefined }] : [];
  });
  return {
    ...pick(run, RUN_FIELDS),
    broken: {
      must: broken.filter(({ level }) => level === 'must').length,
      should: broken.filter(({ level }) => level === 'should').length,
    },
    appeared: before ? ids.filter((id) => before.get(id)?.verdict === 'pass') : [],
    found: before ? ids.filter((id) => !before.has(id)) : [],
    countsAgain: still.filter(({ was, is }) => was && !is).map(({ id }) => id),
    accepted: still.filter(({ was, is }) => !was && is).map(({ id }) => id),
    fixed: [...(before ?? [])].flatMap(([id, { verdict }]) =>
      verdict !== 'pass' && run.verdicts[id] === 'pass' ? [id] : [],
    ),
  };
}

function isJudged(verdict: VerdictName): boolean {
  return verdict === 'pass' || verdict === 'fail' || verdict === 'warn';
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
  const clauses = new Map<string, BoardClause>();
  const inOrder = latest.toSorted(
    (a, b) => compareText(b.startedAt, a.startedAt) || compareText(a.name, b.name) || compareText(a.target, b.target),
  );
  for (const { clauses: own, verdicts } of inOrder) {
    for (const clause of own)
      if (verdicts[clause.id] !== undefined && !clauses.has(clause.id)) clauses.set(clause.id, clause);
  }
  const strictest = strictestLevels(latest, () => true);
  const strictestBroken = strictestLevels(latest, isBroken);
  return [...clauses.values()].map((clause) => ({
    ...clause,
    level: strictestBroken.get(clause.id) ?? strictest.get(clause.id) ?? clause.level,
    broken: latest.filter((summary) => isBroken(summary, clause.id)).length,
    excused: latest.filter((summary) => isBroken(summary, clause.id) && excuseIn(summary, clause.id) !== undefined)
      .length,
  }));
}

const STRICTEST_FIRST: readonly BoardClause['level'][] = ['must', 'should', 'observe', 'none'];

function strictestLevels(
  summaries: readonly ReportSummary[],
  isMeant: (summary: ReportSummary, clause: string) => boolean,
): ReadonlyMap<string, BoardClause['level']> {
  const levels = new Map<string, BoardClause['level']>();
  for (const summary of summaries) {
    for (const { id, level } of summary.clauses) {
      const known = levels.get(id) ?? 'none';
      const isStricter = STRICTEST_FIRST.indexOf(level) < STRICTEST_FIRST.indexOf(known);
      if (isMeant(summary, id) && isStricter) levels.set(id, level);
    }
  }
  return levels;
}
