/** `wirecheck board REPORT…` */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Board, makeBoard, type ReportSummary, summarizeReport } from '../render/board/board.ts';
import { BOARD_FORMAT_NAMES, type BoardFormatName, BOARD_FORMATS } from '../render/board/board-html.ts';
import { toFileNames } from '../text/file-name.ts';
import { inert } from '../text/layout.ts';
import { usageError } from '../usage-error.ts';
import { loadReport, writeWhole } from './files/user-files.ts';
import {
  NO_FILES,
  BOARD_FOLDER,
  BOARD_PAGE,
  REPORT_FILE,
  REPORT_PAGE,
  type ChosenFormat,
  readReporters,
} from './files/outputs.ts';
import { deliverFormats, prepareFormats } from './files/deliver.ts';
import { inputOf } from './files/prepare-files.ts';
import { readChoice } from './settings/merge-settings.ts';
import { writeUndisturbed } from './check-subject.ts';
import type { Call, OwnOptions } from './command-row.ts';

/** Formats that, on stdout, take the place of the text that is there anyway, and not of the files. */
const TEXTS: ReadonlySet<BoardFormatName> = new Set(['terminal', 'agent']);
export const BOARD_FAIL_ON = ['must', 'none'] as const;

export function boardCommand({ words: named, options: flags, io }: Call): number {
  const { cwd } = io;
  const failOn = readChoice('--fail-on', flags.failOn, BOARD_FAIL_ON);
  const folder = flags.out === NO_FILES ? undefined : resolve(cwd, flags.out ?? BOARD_FOLDER);
  const outputs = readOutputs(flags, folder, cwd);
  const files = named.flatMap((path) => findReports(path, cwd));
  const html = outputs.find(({ format, path }) => format === 'html' && path !== undefined)?.path;
  const from = html === undefined ? cwd : dirname(html);
  const { title } = flags;
  const board = makeBoard(summarize(files, cwd, from), { failOn, ...(title !== undefined && { title }) });
  // Once every report is read: otherwise, a wrong one would leave an empty folder.
  const read = files.map((file) => inputOf(`The report ${inert(file, 300)}`, file, cwd));
  prepareFormats(outputs, read, 'board', '--out or --reporter');
  const isWritten = outputs.some(({ path }) => path !== undefined && dirname(path) === folder);
  const badges = folder !== undefined && isWritten ? listBadges(board, folder) : [];
  const render = (format: BoardFormatName): string => BOARD_FORMATS[format](board, { from: relative(cwd, from) });
  writeUndisturbed(io, () => {
    for (const { path, text } of badges) writeWhole(path, text);
    deliverFormats(outputs, render, flags.reporter !== undefined, io);
  });
  return board.exit;
}

/** One at a time: hundreds of reports would not fit in memory. */
function* summarize(files: readonly string[], cwd: string, from: string): Generator<ReportSummary> {
  for (const file of files) {
    const path = resolve(cwd, file);
    const page = join(dirname(path), REPORT_PAGE);
    yield summarizeReport(loadReport(file, cwd), {
      report: toLink(from, path),
      ...(existsSync(page) && { page: toLink(from, page) }),
    });
  }
}

/** Never taken for an address of its own, whatever the folders are called. */
function toLink(from: string, path: string): string {
  return `./${relative(from, path).replaceAll('\\', '/')}`;
}

/** A folder means every report below it. */
function findReports(path: string, cwd: string): readonly string[] {
  const place = resolve(cwd, path);
  if (!existsSync(place) || !statSync(place).isDirectory()) return [path];
  const found = readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.split(/[\\/]/).at(-1) === REPORT_FILE)
    .toSorted();
  if (found.length === 0)
    throw usageError.FILE_MISSING(
      `${inert(path, 300)} has no ${REPORT_FILE}: name the folder that runs wrote to, or the reports themselves.`,
    );
  return found.map((file) => join(path, file));
}

function readOutputs(
  { reporter = [] }: OwnOptions,
  folder: string | undefined,
  cwd: string,
): readonly ChosenFormat<BoardFormatName>[] {
  const chosen = readReporters(reporter, { names: BOARD_FORMAT_NAMES, cwd, whose: ' for a board' });
  const isReplaced = chosen.some(({ format, path }) => path !== undefined || !TEXTS.has(format));
  if (isReplaced || folder === undefined) return chosen;
  return [
    ...chosen,
    { format: 'html', path: join(folder, BOARD_PAGE) },
    { format: 'json', path: join(folder, 'board.json') },
    { format: 'markdown', path: join(folder, 'board.md') },
  ];
}

function listBadges({ targets }: Board, folder: string): readonly { readonly path: string; readonly text: string }[] {
  const names = targets.map(({ name }) => name);
  const files = toFileNames(names, 'target');
  return targets.map(({ badge }, at) => ({ path: join(folder, 'badges', `${files[at]}.json`), text: badge }));
}
