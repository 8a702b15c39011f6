/** The report and the page that a run wrote last, found by the folders that runs write to. No record of runs is kept. */
import { formatInstant, inert } from '../../text/layout.ts';
import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { usageError } from '../../usage-error.ts';
import type { Merged } from '../settings/merge-settings.ts';
import {
  NO_FILES,
  RERUN_FOLDER,
  BOARD_FOLDER,
  BOARD_PAGE,
  KEPT_FOLDER,
  MATRIX_PAGE,
  REPORT_FILE,
  REPORT_PAGE,
} from './outputs.ts';

interface FoundFile {
  /** Its name as the user would write it. */
  readonly file: string;
  readonly writtenAt: Date;
}

/** `2030-03-01 09:12 UTC` */
export function formatWritten({ writtenAt }: FoundFile): string {
  return formatInstant(writtenAt.toISOString());
}

const PAGES = [REPORT_PAGE, MATRIX_PAGE, BOARD_PAGE];

/** `usual`: settings without flags, since a flag says where this run writes. */
export function findLastReport(usual: Merged, cwd: string): FoundFile {
  const folder = usual.get('out') ?? NO_FILES;
  const found = folder === NO_FILES ? undefined : ownOrKept(folder, REPORT_FILE, cwd);
  if (found) return found;
  const where =
    folder === NO_FILES ? 'Runs write no report here' : `There is no ${REPORT_FILE} in ${inert(folder, 300)}`;
  throw usageError.FILE_MISSING(`${where}: name the report of the last run with --rerun-failed.`);
}

/** The newest page of the last runs, reruns and boards. */
export function findLastPage(usual: Merged, cwd: string): FoundFile {
  const out = usual.get('out') ?? NO_FILES;
  const folders = [...(out === NO_FILES ? [] : [out]), RERUN_FOLDER, BOARD_FOLDER];
  const newest = newestOf(folders.flatMap((folder) => pagesIn(folder, cwd)));
  if (newest) return newest;
  throw usageError.FILE_MISSING(
    `There is no report in ${inert(folders.join(', '), 300)}: name its folder or its file.`,
  );
}

/** The page that was named, or that of a folder, or the one beside a report. */
export function findNamedPage(name: string, cwd: string): FoundFile {
  const stats = statsOf(resolve(cwd, name));
  const shown = inert(name, 300);
  if (!stats) throw usageError.FILE_MISSING(`Cannot find ${shown}: check the path.`);
  if (stats.isFile() && /\.html?$/i.test(name)) return { file: name, writtenAt: stats.mtime };
  const newest = newestOf(stats.isDirectory() ? pagesIn(name, cwd) : pagesBeside(name, cwd));
  if (newest) return newest;
  const remedy = stats.isDirectory() ? 'name the folder of a report' : 'make one with `wirecheck render`';
  throw usageError.FILE_MISSING(`${shown} has no HTML page: ${remedy}.`);
}

function pagesBeside(name: string, cwd: string): readonly FoundFile[] {
  if (basename(name) !== REPORT_FILE) return [];
  return [fileAt(join(dirname(name), REPORT_PAGE), cwd) ?? []].flat();
}

/** The pages of the folder itself; if it has none, of those in it: several targets have a folder each. */
function pagesIn(folder: string, cwd: string): readonly FoundFile[] {
  const own = PAGES.flatMap((page) => ownOrKept(folder, page, cwd) ?? []);
  if (own.length > 0) return own;
  return foldersIn(resolve(cwd, folder)).flatMap((name) =>
    PAGES.flatMap((page) => fileAt(join(folder, name, page), cwd) ?? []),
  );
}

/** The report that a run kept, whose own judged next to nothing, or else its own. */
function ownOrKept(folder: string, name: string, cwd: string): FoundFile | undefined {
  return fileAt(join(folder, KEPT_FOLDER, name), cwd) ?? fileAt(join(folder, name), cwd);
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

function fileAt(file: string, cwd: string): FoundFile | undefined {
  const stats = statsOf(resolve(cwd, file));
  return stats?.isFile() ? { file, writtenAt: stats.mtime } : undefined;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function newestOf(found: readonly FoundFile[]): FoundFile | undefined {
  return found.toSorted((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime())[0];
}
