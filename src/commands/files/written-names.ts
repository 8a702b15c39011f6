/** The names of files that other commands look for. */

/** What a run calls its report, and the page beside it. */
export const REPORT_FILE = 'report.json';
export const REPORT_PAGE = 'report.html';
/** In the folder of a report that judged next to nothing: the report before it. */
export const KEPT_FOLDER = 'last-judged';
export const MATRIX_PAGE = 'clients.html';
export const BOARD_PAGE = 'board.html';
export const BOARD_FOLDER = 'wirecheck-board';
