/** What a board says, for all of its formats: its sentences, and the outlines of those formats that are documents. */
import { shorten } from '../../text/quote.ts';
import { posix } from 'node:path';
import { COMMAND } from '../../contract/package-files.ts';
import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import { groupBy } from '../../report/counts.ts';
import { count, formatDay, formatInstant, inert, listFirst } from '../../text/layout.ts';
import { argument } from '../../text/shell-text.ts';
import {
  asCode,
  type Document,
  fact,
  type ListItem,
  joinTexts,
  type MarkedText,
  type Table,
} from '../document/document.ts';
import { EXCUSE_WORDS, formatExcusedParts } from '../excused.ts';
import { LOOKS, lookOfOutcome, MAX_LINE, type Shade } from '../looks.ts';
import { exitFact } from '../report/agent.ts';
import { type Board, type BoardRun, type BoardTarget, excuseIn, type ReportSummary } from './board.ts';
import { EXCUSES } from '../../report/excuses/excuse-report.ts';
import type { AgentDocument } from '../document/write-agent.ts';

export function lookOfRun({ outcome, broken, excused }: BoardRun): ReturnType<typeof lookOfOutcome> {
  return lookOfOutcome(outcome, broken.should - excused.filter(({ level }) => level === 'should').length);
}

/** `2 of 8 targets fail, 1 not judged`. A single one is named; a long name is cut, since the counts are not. */
export function formatBoardVerdict({ targets }: Board): string {
  const whole = boardVerdict(targets);
  return whole.length <= MAX_LINE
    ? whole
    : boardVerdict(targets.map((each) => ({ ...each, name: shorten(each.name, SHORT_NAME) })));
}

/** Two of them fit into a verdict. */
const SHORT_NAME = 24;

function boardVerdict(targets: readonly BoardTarget[]): string {
  const failing = targets.filter(({ latest }) => latest.exit === EXIT.failed);
  const undecided = targets.filter(({ latest }) => latest.exit === EXIT.notJudged || latest.exit === EXIT.interrupted);
  const all = count(targets.length, 'target');
  const rest = undecided.length === 0 ? '' : `, ${undecided.length} not judged${nameSingle(undecided)}`;
  if (failing.length > 0)
    return `${failing.length} of ${all} ${failing.length === 1 ? 'fails' : 'fail'}${nameSingle(failing)}${rest}`;
  if (undecided.length > 0) return `${undecided.length} of ${all} not judged${nameSingle(undecided)}`;
  return targets.length === 1 ? `The target passes${nameSingle(targets)}` : `All ${all} pass`;
}

/** ` (production)`, where one target is meant. */
function nameSingle(targets: readonly BoardTarget[]): string {
  const [first] = targets;
  return targets.length === 1 && first ? ` (${first.name})` : '';
}

/** `3 targets`, or the name of the only one. */
export function formatTargets(targets: readonly BoardTarget[]): string {
  const [first] = targets;
  return targets.length === 1 && first ? first.name : count(targets.length, 'target');
}

/**
 * The targets that break a clause, by how: those that fail for it, then those that only warn, since it is a should for them.
 * Last those for which it does not count, by the excuse.
 */
export function listBreakers(board: Board, { id, level }: Board['clauses'][number]) {
  const ways = [undefined, ...EXCUSES].flatMap((excuse) =>
    (['fail', 'warn'] as const).map((verdict) => ({ excuse, verdict })),
  );
  return ways.flatMap(({ excuse, verdict }) => {
    const targets = board.targets.filter(
      ({ verdicts, latest }) => verdicts[id] === verdict && excuseIn(latest, id) === excuse,
    );
    return targets.length === 0 ? [] : [{ verdict, excuse, level: verdict === 'fail' ? level : 'should', targets }];
  });
}

/** `2 broken, 1 waived, 1 fixed`; empty for the first run of a target. */
export function formatSinceLastRun({ runs, latest }: BoardTarget): string {
  return formatUnchanged(runs) ?? `${countChanges(latest)}${formatBase(runs)}`;
}

/** Why there are no changes since the run before; empty for the first run, undefined if something has changed. */
export function formatUnchanged(runs: BoardTarget['runs']): string | undefined {
  const [before, latest] = runs.slice(-2);
  if (!before || !latest) return '';
  if (latest.outcome === 'not-judged') return 'not judged';
  if (before.profile !== latest.profile || before.edition !== latest.edition) return 'judged by another contract';
  if (listRunChanges(latest).length > 0) return undefined;
  return lastJudged(runs) === undefined ? 'not judged before' : `no change${formatBase(runs)}`;
}

/** ` since 2030-03-01`; empty if the target was judged in the run before. */
export function formatBase(runs: BoardTarget['runs']): string {
  const day = dayOfBase(runs);
  return day === undefined ? '' : ` since ${day}`;
}

/** When the target was last judged, if that was not in the run before. */
export function dayOfBase(runs: BoardTarget['runs']): string | undefined {
  const last = lastJudged(runs);
  return last === undefined || last === runs.at(-2) ? undefined : inert(formatDay(last.startedAt), 10);
}

/** The last run before the latest that was judged. */
function lastJudged(runs: BoardTarget['runs']): BoardRun | undefined {
  return runs.slice(0, -1).findLast(({ outcome }) => outcome !== 'not-judged');
}

const RUN_CHANGES = [
  { kind: 'appeared', word: 'newly broken', shade: 'fail' },
  { kind: 'found', word: 'first judged, broken', shade: 'warn' },
  { kind: 'countsAgain', word: 'no longer excused', shade: 'fail' },
  { kind: 'accepted', word: 'now excused', shade: 'warn' },
  { kind: 'fixed', word: 'fixed', shade: 'pass' },
] as const;

/** What has changed since the clauses were last judged, in the words of every format. */
export function listRunChanges(run: BoardRun): readonly { word: string; shade: Shade; clauses: readonly string[] }[] {
  return RUN_CHANGES.map((change) => ({ ...change, clauses: run[change.kind] })).filter(
    ({ clauses }) => clauses.length > 0,
  );
}

/** `2 broken, 1 waived, 1 no longer excused, 1 fixed`; empty if nothing has changed. */
export function countChanges(run: BoardRun): string {
  const { appeared, found, countsAgain, accepted, fixed } = run;
  return [
    ...countByExcuse(run, [...appeared, ...found, ...accepted]),
    ...(countsAgain.length > 0 ? [`${countsAgain.length} no longer excused`] : []),
    ...(fixed.length > 0 ? [`${fixed.length} fixed`] : []),
  ].join(', ');
}

/** `2 (1 waived)`. A zero would say that nothing is broken, which nobody knows of a target that was not judged. */
export function countBroken(run: BoardRun, level: 'must' | 'should'): string | undefined {
  const number = run.broken[level];
  return run.outcome !== 'not-judged' || number > 0
    ? `${number}${formatExcusedOf(run, { [level]: number })}`
    : undefined;
}

/** `1 must and 2 should`; empty if nothing is broken. */
export function countLevels({ broken }: BoardRun): string {
  const levels = (['must', 'should'] as const).filter((level) => broken[level] > 0);
  return levels.map((level) => `${broken[level]} ${level}`).join(' and ');
}

/** `1 must and 2 should clauses broken (1 waived)`. */
export function formatBroken(run: BoardRun): string {
  const { broken, outcome } = run;
  const levels = countLevels(run);
  if (levels === '') return outcome === 'not-judged' ? 'not judged' : 'nothing broken';
  const noun = (broken.should || broken.must) === 1 ? 'clause' : 'clauses';
  return `${levels} ${noun} broken${formatExcusedOf(run, broken)}`;
}

/** Those judged by one edition share a table: a verdict of another means something else. */
export function byEdition(targets: readonly BoardTarget[]) {
  const groups = groupBy(targets, ({ latest: { edition } }) =>
    edition === undefined ? 'No edition' : `Edition ${edition}`,
  );
  return [...groups].map(([title, own]) => ({ title, own }));
}

export function listBoardNotices(board: Board): readonly string[] {
  const profiles = [...groupBy(board.targets, ({ latest }) => latest.profile ?? 'v1')];
  const listed = profiles.map(([profile, own]) => `${profile} (${formatTargets(own)})`).join(', ');
  const differ = `These targets were judged by different contracts: ${listed}. Their verdicts do not mean the same.`;
  return [...(profiles.length < 2 ? [] : [differ]), ...noticeOfVersions(board)];
}

/** Hashes of the contract and the suites, whatever the profile: the most common first. */
export function listVersions({ contracts }: Pick<Board, 'contracts'>): readonly string[] {
  const sum = (own: Board['contracts']): number => own.reduce((all, { targets }) => all + targets, 0);
  const byHash = [...groupBy(contracts, ({ hash }) => hash)];
  return byHash.toSorted(([, a], [, b]) => sum(b) - sum(a)).map(([hash]) => hash);
}

function noticeOfVersions(board: Board): readonly string[] {
  const { targets } = board;
  const versions = listVersions(board);
  if (versions.length < 2) return [];
  const listed = versions.map(
    (hash) => `${hash.slice(0, 8)} (${formatTargets(targets.filter(({ latest }) => latest.contract === hash))})`,
  );
  const others = targets.filter(({ latest }) => latest.contract !== versions[0]);
  const [differ, are, them] = others.length === 1 ? ['differs', 'is', 'it'] : ['differ', 'are', 'them'];
  return [
    `These reports were made with ${versions.length} versions of the contract and suites: ${listed.join(', ')}. ${formatTargets(others)} ${differ} from the first and ${are} marked; check ${them} again with one version to compare them.`,
  ];
}

/** The clauses that most targets break; must clauses first, and last those that count for no target. */
export function mostBroken({ clauses }: Board): Board['clauses'] {
  const counts = ({ broken, excused }: Board['clauses'][number]): number => Number(broken > excused);
  return clauses
    .filter(({ broken }) => broken > 0)
    .toSorted(
      (a, b) => counts(b) - counts(a) || Number(b.level === 'must') - Number(a.level === 'must') || b.broken - a.broken,
    );
}

/** A moment, to the minute. */
export function formatTime(instant: string): string {
  return formatInstant(inert(instant, 40));
}

// Broken clauses of a run that do not count, in the words of every format of a board.

type Excused = Pick<ReportSummary, 'excused'>;

/** ` (waived)`; empty if the clause counts. */
export function formatExcuseIn(run: Excused, clause: string): string {
  const excuse = excuseIn(run, clause);
  return excuse ? ` (${EXCUSE_WORDS[excuse]})` : '';
}

/** ` (1 waived, 1 in the baseline)`, of all broken clauses of these levels; empty if all of them count. */
export function formatExcusedOf(
  { excused }: Excused,
  broken: Readonly<Partial<Record<'must' | 'should', number>>>,
): string {
  const own = excused.filter(({ level }) => Object.hasOwn(broken, level));
  const waived = own.filter(({ excuse }) => excuse === 'waived').length;
  const all = Object.values(broken).reduce((sum, number) => sum + number, 0);
  return formatExcusedParts(all, { waived, known: own.length - waived });
}

/** `2 broken, 1 waived`: how many of the clauses count, and how many are excused in which way. */
function countByExcuse(run: Excused, clauses: readonly string[]): readonly string[] {
  const excuses = clauses.map((clause) => excuseIn(run, clause));
  return [undefined, ...EXCUSES].flatMap((excuse) => {
    const number = excuses.filter((each) => each === excuse).length;
    return number === 0 ? [] : [`${number} ${excuse ? EXCUSE_WORDS[excuse] : 'broken'}`];
  });
}

// The outlines of the formats that are documents.

const TERMINAL = { targets: 40, name: 60 };
const MARKDOWN = { targets: 200, clauses: 15, changes: 4 };
const AGENT = { clauses: 12, names: 20, notices: 3 };

/** A line per target, those that need attention first, and the verdict. */
export function terminalOutline(board: Board): Document {
  const { targets } = board;
  const shown = targets.slice(0, TERMINAL.targets);
  const names = shown.map(({ name }) => inert(name, TERMINAL.name));
  const width = Math.max(...names.map((name) => name.length));
  const left = targets.length - shown.length;
  const lines = shown.map(({ runs, latest }, at) => {
    const changes = countChanges(latest);
    const since = changes === '' ? '' : ` (${changes}${formatBase(runs) || ' since the last run'})`;
    const { sign } = LOOKS[lookOfRun(latest).shade];
    return { lead: `${sign} ${(names[at] ?? '').padEnd(width)}  `, text: `${latest.verdict}${since}` };
  });
  const more = left > 0 ? [{ lead: '  ', text: `and ${count(left, 'more target')}` }] : [];
  const sentences = [...listBoardNotices(board), formatBoardVerdict(board)];
  return [[{ kind: 'lines', lines: [...lines, ...more] }], sentences.map((text) => ({ kind: 'paragraph', text }))];
}

/** A job summary has the failing targets first, then the clauses that most of them break. */
export function markdownOutline(board: Board): Document {
  const { targets, title } = board;
  const shown = targets.slice(0, MARKDOWN.targets);
  const most = mostBroken(board);
  const clauses = most.slice(0, MARKDOWN.clauses);
  const notices = listBoardNotices(board);
  const left = targets.length - shown.length;
  const broken = clauses.flatMap((clause) =>
    listBreakers(board, clause).map(({ level, excuse, targets: own }): readonly MarkedText[] => [
      asCode(inert(clause.id, 80)),
      level,
      [asCode(inert(formatTargets(own), 80)), excuse ? ` (${EXCUSE_WORDS[excuse]})` : ''],
    ]),
  );
  return [
    title === undefined ? [] : [{ kind: 'heading', level: 1, text: title }],
    [{ kind: 'heading', level: 2, text: formatBoardVerdict(board) }],
    notices.length === 0 ? [] : [{ kind: 'note', lines: notices }],
    byEdition(shown).flatMap(({ title: edition, own }) => [
      { kind: 'heading', level: 3, text: edition } as const,
      tableOf(['', 'target', 'must', 'should', 'since last run', 'checked'], own.map(targetRow)),
    ]),
    left > 0 ? [{ kind: 'paragraph', text: `and ${count(left, 'more target')}` }] : [],
    broken.length === 0 ? [] : [tableOf(['clause', 'level', 'broken by'], broken)],
    most.length > clauses.length
      ? [{ kind: 'paragraph', text: `and ${count(most.length - clauses.length, 'more clause')}` }]
      : [],
  ];
}

function tableOf(heads: readonly string[], rows: Table['rows']): Table {
  return { kind: 'table', columns: heads.map((head) => ({ head })), rows, isText: true };
}

function targetRow({ name, latest, runs }: BoardTarget): readonly MarkedText[] {
  const { startedAt, profile } = latest;
  const day = dayOfBase(runs);
  const compared = day === undefined ? [] : [`compared with ${day}`];
  return [
    lookOfRun(latest).mark,
    [asCode(inert(name, 80)), ...(profile === undefined ? [] : [' by ', asCode(inert(profile, 120))])],
    countBroken(latest, 'must') ?? '–',
    countBroken(latest, 'should') ?? '–',
    formatUnchanged(runs) ?? joinTexts([...runChanges(latest, MARKDOWN.changes), ...compared], '; '),
    formatDay(startedAt),
  ];
}

/** Each with its first clauses. */
function runChanges(run: BoardRun, most: number): readonly MarkedText[] {
  return listRunChanges(run).map(({ word, clauses }): MarkedText => {
    const named = clauses.slice(0, most).map((id): MarkedText => [asCode(inert(id, 80)), formatExcuseIn(run, id)]);
    const more = clauses.length - named.length;
    return [`${word}: `, ...[joinTexts(named, ', ')].flat(), more > 0 ? ` and ${more} more` : ''];
  });
}

/**
 * Evidence has text of the targets, so it is left to the report of each target. Names and addresses are those that the users
 * of the reports gave.
 */
export function agentOutline(board: Board, from: string): AgentDocument {
  const isPassing = ({ latest }: BoardTarget): boolean => latest.exit === EXIT.passed;
  const urgent = board.targets.filter((target) => !isPassing(target));
  const passing = board.targets.filter(isPassing).map(({ name }) => inert(name, 50));
  const notices = listBoardNotices(board).slice(0, AGENT.notices);
  return [
    [
      { kind: 'heading', level: 2, text: formatBoardVerdict(board) },
      { kind: 'facts', facts: notices.flatMap((notice) => fact('Note', inert(notice, 400))) },
    ],
    [{ kind: 'list', heading: '', items: urgent.map((target) => agentItem(target, from)), noun: 'target' }],
    [
      {
        kind: 'facts',
        facts: [
          ...fact('Passing', listFirst(passing, AGENT.names) || undefined),
          exitFact(board.exit, MEANINGS[board.exit](urgent.length)),
        ],
      },
    ],
  ];
}

/** `urgent`: targets that fail or were not judged. */
const MEANINGS: Readonly<Record<SummaryExit, (urgent: number) => string>> = {
  [EXIT.passed]: (urgent) =>
    urgent === 0 ? 'the latest run of every target passed' : 'failures do not count (--fail-on none)',
  [EXIT.failed]: () => 'the latest run of a target failed',
  [EXIT.notJudged]: () => 'no target failed, but one was not judged',
};

function agentItem({ name, latest, entries, runs }: BoardTarget, from: string): ListItem {
  const { startedAt, report } = latest;
  const path = posix.join(from.replaceAll('\\', '/'), report);
  // Of a target that was not judged, both say so.
  const state = [...new Set([lookOfRun(latest).word, formatBroken(latest)])].join(', ');
  const changes = runChanges(latest, AGENT.clauses);
  return {
    text: `${inert(name, 120)}: ${state}`,
    topic: inert(name, 50),
    facts: [
      ...fact('Run', `${formatTime(startedAt)}, ${count(runs.length, 'report')} on this target`),
      ...[...groupBy(entries, ({ level }) => level)].flatMap(([level, own]) => {
        const clauses = [...new Set(own.map(({ clause }) => clause))];
        const names = clauses.map((id) => `${inert(id, 80)}${formatExcuseIn(latest, id)}`);
        return fact(`Broken (${level})`, listFirst(names, AGENT.clauses));
      }),
      ...(changes.length === 0 ? [] : fact('Since the run before', joinTexts(changes, '; '))),
      ...fact('Details', `${COMMAND} render ${argument(path)} --reporter agent`),
    ],
  };
}
