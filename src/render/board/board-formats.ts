/** The formats of a board. */
import type { Board } from './board.ts';
import { boardAgent, type BoardOptions } from './board-agent.ts';
import { boardHtml } from './board-html.ts';
import { boardMarkdown } from './board-markdown.ts';
import { boardTerminal } from './board-terminal.ts';

export const BOARD_FORMATS = {
  terminal: boardTerminal,
  html: boardHtml,
  json: (board) => `${JSON.stringify(board, undefined, 2)}\n`,
  markdown: boardMarkdown,
  agent: boardAgent,
} satisfies Record<string, (board: Board, options: BoardOptions) => string>;

export type BoardFormatName = keyof typeof BOARD_FORMATS;
export const BOARD_FORMAT_NAMES = Object.keys(BOARD_FORMATS) as readonly BoardFormatName[];
