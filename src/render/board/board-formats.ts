/** The formats of a board. The writers of every document lay out those for a terminal, for Markdown and for agents. */
import { writeAgent } from '../document/write-agent.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import { boardHtml } from './board-html.ts';
import { agentOutline, markdownOutline, terminalOutline } from './board-text.ts';
import type { Board } from './board.ts';

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
