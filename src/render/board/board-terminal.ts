/** A board in a terminal: a line per target that needs attention, and the verdict. */
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { LOOKS, OUTCOME_LOOKS } from '../looks.ts';
import type { Board, BoardTarget } from './board.ts';
import { countChanges, formatBase, formatBoardVerdict, listBoardNotices } from './board-text.ts';

const MAX_TARGETS = 40;
const MAX_NAME = 60;

export function boardTerminal(board: Board): string {
  const shown = board.targets.slice(0, MAX_TARGETS);
  const left = board.targets.length - shown.length;
  const names = shown.map(({ name }) => inert(name, MAX_NAME));
  const width = Math.max(...names.map((name) => name.length));
  return `${[
    ...shown.map((target, at) => formatLine(target, (names[at] ?? '').padEnd(width))),
    ...(left > 0 ? [`  and ${count(left, 'more target')}`] : []),
    '',
    ...listBoardNotices(board),
    formatBoardVerdict(board),
  ].join('\n')}\n`;
}

function formatLine({ runs, latest }: BoardTarget, name: string): string {
  const changes = countChanges(latest);
  const since = changes === '' ? '' : ` (${changes}${formatBase(runs) || ' since the last run'})`;
  return `${LOOKS[OUTCOME_LOOKS[latest.outcome].shade].sign} ${name}  ${latest.verdict}${since}`;
}
