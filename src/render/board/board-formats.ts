/** The formats of a board. Terminal, Markdown and agents get a document, which the writers of every document lay out. */
import { posix } from 'node:path';
import { COMMAND } from '../../contract/package-files.ts';
import { EXIT, type SummaryExit } from '../../exit-codes.ts';
import { groupBy } from '../../report/counts.ts';
import { count, formatDay, inert, listFirst } from '../../text/layout.ts';
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
import { writeAgent } from '../document/write-agent.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import { EXCUSE_WORDS } from '../excused.ts';
import { LOOKS, OUTCOME_LOOKS } from '../looks.ts';
import { exitFact } from '../report/agent.ts';
import { boardHtml } from './board-html.ts';
import {
  countBroken,
  countChanges,
  dayOfBase,
  formatBase,
  formatBoardVerdict,
  formatBroken,
  formatExcuseIn,
  formatTargets,
  formatTime,
  formatUnchanged,
  listBoardNotices,
  listBreakers,
  listRunChanges,
  mostBroken,
} from './board-text.ts';
import type { Board, BoardRun, BoardTarget } from './board.ts';

/** `from`: the folder that paths of reports start from, as seen from the working directory. */
export const BOARD_FORMATS = {
  // A line is as long as its verdict.
  terminal: (board) => writeTerminal(terminalOutline(board), { width: Infinity, colour: false }),
  html: boardHtml,
  json: (board) => `${JSON.stringify(board, undefined, 2)}\n`,
  markdown: (board) => writeMarkdown(markdownOutline(board)),
  agent: (board, { from = '' } = {}) => writeAgent(agentOutline(board, from)),
} satisfies Record<string, (board: Board, options?: { readonly from?: string }) => string>;

export type BoardFormatName = keyof typeof BOARD_FORMATS;
export const BOARD_FORMAT_NAMES = Object.keys(BOARD_FORMATS) as readonly BoardFormatName[];

const TERMINAL = { targets: 40, name: 60 };
const MARKDOWN = { targets: 200, clauses: 15, changes: 4 };
const AGENT = { clauses: 12, names: 20, notices: 3 };

/** A line per target, those that need attention first, and the verdict. */
function terminalOutline(board: Board): Document {
  const { targets } = board;
  const shown = targets.slice(0, TERMINAL.targets);
  const names = shown.map(({ name }) => inert(name, TERMINAL.name));
  const width = Math.max(...names.map((name) => name.length));
  const left = targets.length - shown.length;
  const lines = shown.map(({ runs, latest }, at) => {
    const changes = countChanges(latest);
    const since = changes === '' ? '' : ` (${changes}${formatBase(runs) || ' since the last run'})`;
    const { sign } = LOOKS[OUTCOME_LOOKS[latest.outcome].shade];
    return { lead: `${sign} ${(names[at] ?? '').padEnd(width)}  `, text: `${latest.verdict}${since}` };
  });
  const more = left > 0 ? [{ lead: '  ', text: `and ${count(left, 'more target')}` }] : [];
  const sentences = [...listBoardNotices(board), formatBoardVerdict(board)];
  return [[{ kind: 'lines', lines: [...lines, ...more] }], sentences.map((text) => ({ kind: 'paragraph', text }))];
}

/** A job summary has the failing targets first, then the clauses that most of them break. */
function markdownOutline(board: Board): Document {
  const { targets, title } = board;
  const shown = targets.slice(0, MARKDOWN.targets);
  const clauses = mostBroken(board).slice(0, MARKDOWN.clauses);
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
    [tableOf(['', 'target', 'must', 'should', 'since last run', 'checked'], shown.map(targetRow))],
    left > 0 ? [{ kind: 'paragraph', text: `and ${count(left, 'more target')}` }] : [],
    broken.length === 0 ? [] : [tableOf(['clause', 'level', 'broken by'], broken)],
  ];
}

function tableOf(heads: readonly string[], rows: Table['rows']): Table {
  return { kind: 'table', columns: heads.map((head) => ({ head })), rows, isText: true };
}

function targetRow({ name, latest, runs }: BoardTarget): readonly MarkedText[] {
  const { outcome, startedAt, profile } = latest;
  return [
    OUTCOME_LOOKS[outcome].mark,
    [asCode(inert(name, 80)), ...(profile === undefined ? [] : [' by ', asCode(inert(profile, 120))])],
    countBroken(latest, 'must') ?? '–',
    countBroken(latest, 'should') ?? '–',
    sinceLastRun(runs, latest),
    formatDay(startedAt),
  ];
}

function sinceLastRun(runs: BoardTarget['runs'], latest: BoardRun): MarkedText {
  const day = dayOfBase(runs);
  const compared = day === undefined ? [] : [`compared with ${day}`];
  return formatUnchanged(runs) ?? joinTexts([...runChanges(latest, MARKDOWN.changes), ...compared], '; ');
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
function agentOutline(board: Board, from: string): Document {
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
  const { outcome, startedAt, report } = latest;
  const path = posix.join(from.replaceAll('\\', '/'), report);
  // Of a target that was not judged, both say so.
  const state = [...new Set([OUTCOME_LOOKS[outcome].word, formatBroken(latest)])].join(', ');
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
