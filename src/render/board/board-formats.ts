/** The formats of a board. */
import type { Board } from './board.ts';
import { boardHtml } from './board-html.ts';
import { boardMarkdown } from './board-markdown.ts';

export const BOARD_FORMATS = {
  html: boardHtml,
  json: (board) => `${JSON.stringify(board, undefined, 2)}\n`,
  markdown: boardMarkdown,
} satisfies Record<string, (board: Board) => string>;

export type BoardFormatName = keyof typeof BOARD_FORMATS;
export const BOARD_FORMAT_NAMES = Object.keys(BOARD_FORMATS) as readonly BoardFormatName[];
