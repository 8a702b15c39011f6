/** A board for a job summary: the targets that fail first, then the clauses that most of them break. */
import { count } from '../../text/layout.ts';
import { OUTCOME_LOOKS } from '../looks.ts';
import { cell, code, prose } from '../markdown/markdown-text.ts';
import { EXCUSE_WORDS } from '../excused.ts';
import type { Board, BoardRun, BoardTarget } from './board.ts';
import { formatExcuseIn } from './board-excused.ts';
import {
  countBroken,
  formatBoardVerdict,
  formatTargets,
  dayOfBase,
  formatUnchanged,
  listBoardNotices,
  listBreakers,
  mostBroken,
} from './board-text.ts';

const MAX_TARGETS = 200;
const MAX_CLAUSES = 15;
const MAX_CHANGES = 4;

export function boardMarkdown(board: Board): string {
  const { targets, title } = board;
  const shown = targets.slice(0, MAX_TARGETS);
  const clauses = mostBroken(board).slice(0, MAX_CLAUSES);
  return `${[
    ...(title === undefined ? [] : [`# ${prose(title)}`]),
    `## ${prose(formatBoardVerdict(board))}`,
    ...listBoardNotices(board).map((notice) => `> ${prose(notice)}`),
    [
      '| | target | must | should | since last run | checked |',
      '|---|---|--:|--:|---|---|',
      ...shown.map(formatRow),
    ].join('\n'),
    ...(shown.length < targets.length ? [`and ${count(targets.length - shown.length, 'more target')}`] : []),
    ...(clauses.length === 0
      ? []
      : [
          [
            '| clause | level | broken by |',
            '|---|---|--:|',
            ...clauses.flatMap((clause) =>
              listBreakers(board, clause).map(
                ({ level, excuse, targets: own }) =>
                  `| ${cell(clause.id, 80)} | ${level} | ${cell(formatTargets(own), 80)}${excuse ? ` (${EXCUSE_WORDS[excuse]})` : ''} |`,
              ),
            ),
          ].join('\n'),
        ]),
  ].join('\n\n')}\n`;
}

function formatRow({ name, latest, runs }: BoardTarget): string {
  const { outcome, startedAt } = latest;
  const cells = [
    OUTCOME_LOOKS[outcome].mark,
    `${cell(name, 80)}${latest.profile === undefined ? '' : ` by ${cell(latest.profile, 120)}`}`,
    countBroken(latest, 'must') ?? '–',
    countBroken(latest, 'should') ?? '–',
    formatSince(runs),
    startedAt.slice(0, 10),
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatSince(runs: BoardTarget['runs']): string {
  const [before, latest] = runs.slice(-2);
  if (!before || !latest) return '';
  if (latest.outcome === 'not-judged') return 'not judged';
  return before.profile === latest.profile ? formatChanges(runs, latest) : 'judged by another contract';
}

function formatChanges(runs: BoardTarget['runs'], run: BoardRun): string {
  const { appeared, found, countsAgain, accepted, fixed } = run;
  const day = dayOfBase(runs);
  const words = [
    ...listSome('broken since', appeared, run),
    ...listSome('first judged, broken', found, run),
    ...listSome('counts again', countsAgain, run),
    ...listSome('now excused', accepted, run),
    ...listSome('fixed', fixed, run),
  ];
  return words.length === 0
    ? formatUnchanged(runs)
    : [...words, ...(day === undefined ? [] : [`compared with ${day}`])].join('; ');
}

function listSome(word: string, clauses: readonly string[], run: BoardRun): readonly string[] {
  if (clauses.length === 0) return [];
  const named = clauses
    .slice(0, MAX_CHANGES)
    .map((id) => `${code(id, 80).replaceAll('|', '')}${formatExcuseIn(run, id)}`);
  const more = clauses.length - named.length;
  return [`${word}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
