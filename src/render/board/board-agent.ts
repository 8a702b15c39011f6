/**
 * A board for coding agents and scripts, by the same rules as a report: `src/render/agent`. Evidence has text of the
 * targets, so it is left to the report of each target. Names and addresses are those that the users of the reports gave.
 */
import { posix } from 'node:path';
import { COMMAND } from '../../contract/package-files.ts';
import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import { groupBy } from '../../report/counts.ts';
import { argument } from '../../text/shell-text.ts';
import { inert } from '../../text/inert.ts';
import { count, listFirst } from '../../text/layout.ts';
import { MAX_SIZE, sizeOf, takeWhileFits } from '../agent/agent-size.ts';
import { formatExitLine } from '../agent/exit-line.ts';
import { disarmLines } from '../github/github-commands.ts';
import { OUTCOME_LOOKS } from '../looks.ts';
import type { Board, BoardRun, BoardTarget } from './board.ts';
import { formatExcuseIn } from './board-excused.ts';
import { formatBoardVerdict, formatBroken, formatTime, listBoardNotices } from './board-text.ts';

const MAX_CLAUSES = 12;
const MAX_NAMES = 20;
const MAX_NOTICES = 3;
/** Bytes that are kept for the names of targets without details. */
const MAX_LISTED = 1_200;

export interface BoardOptions {
  /** The folder that paths of reports start from, as seen from the working directory. */
  readonly from?: string;
}

export function boardAgent(board: Board, { from = '' }: BoardOptions = {}): string {
  const urgent = board.targets.filter(({ latest }) => latest.exit !== EXIT.passed);
  const passing = board.targets.filter(({ latest }) => latest.exit === EXIT.passed);
  const head = [
    formatBoardVerdict(board),
    ...listBoardNotices(board)
      .slice(0, MAX_NOTICES)
      .map((notice) => `Note: ${inert(notice, 400)}`),
  ];
  const tail = [
    ...(passing.length === 0 ? [] : ['', `Passing: ${listNames(passing)}`]),
    formatExitLine(board.exit, MEANINGS[board.exit](urgent.length)),
  ];
  const room = MAX_SIZE - sizeOf([...head, ...tail]) - MAX_LISTED;
  const shown = takeWhileFits(urgent, room, (target, index) => ['', ...targetLines(target, index + 1, from)]);
  const others = urgent.slice(shown.length);
  const more =
    others.length === 0 ? [] : ['', `${count(others.length, 'more target')} without details: ${listNames(others)}`];
  return disarmLines(`${[...head, ...shown.flat(), ...more, ...tail].join('\n')}\n`);
}

/** `urgent`: targets that fail or were not judged. */
const MEANINGS: Readonly<Record<SummaryExit, (urgent: number) => string>> = {
  [EXIT.passed]: (urgent) =>
    urgent === 0 ? 'the latest run of every target passed' : 'failures do not count (--fail-on none)',
  [EXIT.failed]: () => 'the latest run of a target failed',
  [EXIT.notJudged]: () => 'no target failed, but one was not judged',
};

function targetLines({ name, latest, entries, runs }: BoardTarget, number: number, from: string): readonly string[] {
  const { outcome, startedAt, report, appeared, found, countsAgain, accepted, fixed } = latest;
  const path = posix.join(from.replaceAll('\\', '/'), report);
  // Of a target that was not judged, both say so.
  const state = [...new Set([OUTCOME_LOOKS[outcome].word, formatBroken(latest)])].join(', ');
  return [
    `[${number}] ${inert(name, 120)}: ${state}`,
    `Run: ${formatTime(startedAt)}, ${count(runs.length, 'report')} on this target`,
    ...[...groupBy(firstOfEach(entries), ({ level }) => level)].flatMap(([level, own]) =>
      listClauses(
        `Broken (${level})`,
        own.map(({ clause }) => clause),
        latest,
      ),
    ),
    ...listClauses('Broken since the run before', appeared, latest),
    ...listClauses('First judged in this run', found, latest),
    ...listClauses('No longer excused since the run before', countsAgain, latest),
    ...listClauses('Excused since the run before', accepted, latest),
    ...listClauses('Fixed since the run before', fixed, latest),
    `Details: ${COMMAND} render ${argument(path)} --reporter agent`,
  ];
}

/** The worst entry of each clause, in the order of failures. */
function firstOfEach(entries: BoardTarget['entries']): BoardTarget['entries'] {
  return [...groupBy(entries, ({ clause }) => clause).values()].flatMap((own) => own.slice(0, 1));
}

function listClauses(label: string, clauses: readonly string[], run: BoardRun): readonly string[] {
  if (clauses.length === 0) return [];
  const names = clauses.map((id) => `${inert(id, 80)}${formatExcuseIn(run, id)}`);
  return [`${label}: ${listFirst(names, MAX_CLAUSES)}`];
}

function listNames(targets: readonly BoardTarget[]): string {
  return listFirst(
    targets.map(({ name }) => inert(name, 50)),
    MAX_NAMES,
  );
}
