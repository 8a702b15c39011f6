/** Where a report goes: its files, and the format on stdout. */
import { COMMAND } from '../../contract/package-files.ts';
import { statSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DEFAULT_FILES, FORMAT_NAMES, type FormatName } from '../../settings/format-names.ts';
import { UsageError, usageError } from '../../usage-error.ts';
import type { CommandIo } from '../command-row.ts';
import type { Merged, Origin } from '../settings/merge-settings.ts';
import type { Detail } from '../../render/index.ts';
import { inert, formatInstant } from '../../text/layout.ts';
import { requireName } from '../../text/suggestion.ts';
import { AGENT } from '../../settings/settings-without-flag.ts';
import { toggle } from '../../settings/value-types.ts';

export interface Outputs {
  /** The format on stdout; everything else then goes to stderr. */
  readonly stdout?: FormatName;
  /** Why stdout has output for agents although nobody asked for it, such as `AI_AGENT is set`. */
  readonly agentSign?: string;
  readonly files: readonly { readonly format: FormatName; readonly path: string }[];
}

export const NO_FILES = 'none';
export const RERUN_FOLDER = 'wirecheck-rerun';

export function readOutputs(merged: Merged, io: Pick<CommandIo, 'cwd' | 'env' | 'stdout'>): Outputs {
  const { cwd } = io;
  const reporters = readReporters(merged.get('reporter') ?? [], {
    names: FORMAT_NAMES,
    cwd,
    originOf: (index) => merged.origin('reporter', index),
  });
  const out = chooseFolder(merged);
  // Reporters replace the default files, unless `--out` also asks for them. Output for agents names the full report.
  const replacing = reporters.filter(({ format, path }) => format !== 'agent' || path !== undefined);
  const wantsDefaults = replacing.length === 0 || merged.origin('out') !== undefined;
  const folder = wantsDefaults && out !== undefined && out !== NO_FILES ? resolve(cwd, out) : undefined;
  if (folder !== undefined && statsOf(folder)?.isFile()) {
    const { label = '--out', at } = merged.origin('out') ?? {};
    throw new UsageError(`${label} names ${out}, which is a file: name a folder, or use --reporter html=FILE.`, at);
  }
  const stdout = reporters.find(({ path }) => path === undefined);
  // Whether the user or the config file says what stdout should show.
  const isChosen = (['reporter', 'quiet', 'verbose'] as const).some((name) => merged.origin(name) !== undefined);
  const agentSign = isChosen ? undefined : detectAgent(io);
  const files = Object.entries(DEFAULT_FILES) as [keyof typeof DEFAULT_FILES, string][];
  return {
    ...(stdout && { stdout: stdout.format }),
    ...(agentSign !== undefined && { stdout: 'agent', agentSign }),
    files: [
      ...(folder === undefined ? [] : files.map(([format, name]) => ({ format, path: join(folder, name) }))),
      ...reporters.flatMap(({ format, path }) => (path === undefined ? [] : [{ format, path }])),
    ],
  };
}

/** A rerun has a few cases only, and must not replace the whole report that it took them from. */
function chooseFolder(merged: Merged): string | undefined {
  const given = merged.origin('out');
  // The folder of the config file or of a variable is where the last report is.
  const isChosen = merged.get('last-failed') ? given?.kind === 'flag' : given !== undefined;
  return merged.get('rerun-failed') !== undefined && !isChosen ? RERUN_FOLDER : merged.get('out');
}

/** Tells an agent, whose person may wonder, why the output looks different. */
export function announceAgent(
  { agentSign }: { readonly agentSign?: string | undefined },
  { stdout }: Pick<CommandIo, 'stdout'>,
): void {
  if (agentSign === undefined) return;
  stdout.write(`Output for agents (${agentSign}); --reporter terminal for people\n`);
}

/** Nobody watches, or an agent does: no progress line. */
export function wantsNoProgress(merged: Merged, { stdout }: Outputs): boolean {
  return stdout === 'agent' || (merged.get('quiet') ?? false);
}

/** The same files, in a folder of their own. */
export function inFolder({ files }: Outputs, name: string): Outputs {
  return { files: files.map(({ format, path }) => ({ format, path: join(dirname(path), name, basename(path)) })) };
}

export interface ChosenFormat<Name extends string> {
  readonly format: Name;
  /** Where it goes; absent for stdout. */
  readonly path?: string;
}

interface ReporterOptions<Name extends string> {
  readonly names: readonly Name[];
  readonly cwd: string;
  /** Whose formats they are, if not those of a report, such as ` for a board`. */
  readonly whose?: string;
  readonly originOf?: (index: number) => Origin | undefined;
}

export function readReporters<Name extends string>(
  texts: readonly string[],
  { names, cwd, whose = '', originOf }: ReporterOptions<Name>,
): readonly ChosenFormat<Name>[] {
  const chosen = texts.map((text, index): ChosenFormat<Name> => {
    const { label = '--reporter', at } = originOf?.(index) ?? {};
    const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const format = requireName('Unknown reporter', name.trim(), names, { whose, ...(at && { at }) });
    if (file?.trim() === '')
      throw usageError.VALUE_MISSING(`${label} ${format}= needs a file name after the equals sign.`, at);
    return { format, ...(file !== undefined && { path: resolve(cwd, file.trim()) }) };
  });
  const [, another] = chosen.filter(({ path }) => path === undefined);
  if (another) {
    throw usageError.CONFLICT(
      `Only one reporter can write to stdout: give the others a file, as in ${another.format}=FILE.`,
    );
  }
  return chosen;
}

/** Set by an agent, whatever the value. */
const VARIABLES = [
  ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE', 'REPL_ID', 'GEMINI_CLI', 'CODEX_SANDBOX', 'CODEX_THREAD_ID'],
  ...['OPENCODE', 'AUGMENT_AGENT', 'GOOSE_PROVIDER', 'JUNIE_DATA', 'JUNIE_SHIM_PATH', 'COPILOT_AGENT', 'COPILOT_CLI'],
  'CURSOR_AGENT',
] as const;

/** Everybody may have set these; an agent sets them to a value of its own. */
const VALUES: Readonly<Record<string, RegExp>> = { PATH: /\.pi[\\/]agent/, EDITOR: /devin/, TERM_PROGRAM: /kiro/ };

/** `AI_AGENT is set` or `EDITOR names one`; undefined where nothing says so, or a person reads along. */
export function detectAgent({ env, stdout }: Pick<CommandIo, 'env' | 'stdout'>): string | undefined {
  const isOff = toggle.parse((env[AGENT.variable] ?? '').trim()) === false;
  if (stdout.isTerminal === true || isOff) return undefined;
  const variable = VARIABLES.find((name) => (env[name] ?? '') !== '');
  if (variable !== undefined) return `${variable} is set`;
  const named = Object.entries(VALUES).find(([name, pattern]) => pattern.test(env[name] ?? ''));
  return named && `${named[0]} names one`;
}

/** The names of files that other commands look for. */

/** What a run calls its report, and the page beside it. */
export const REPORT_FILE = 'report.json';
export const REPORT_PAGE = 'report.html';
/** The folder, in that of a report that judged next to nothing, which keeps the report before it. */
export const KEPT_FOLDER = 'last-judged';
export const MATRIX_PAGE = 'clients.html';
export const BOARD_PAGE = 'board.html';
export const BOARD_FOLDER = 'wirecheck-board';

export function shownDetail(merged: Merged): Detail {
  if (merged.get('quiet')) return 'quiet';
  return merged.get('verbose') ? 'verbose' : 'normal';
}

// The report and the page that a run wrote last, found by the folders that runs write to. No record of runs is kept.

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
  const remedy = stats.isDirectory() ? 'name the folder of a report' : `make one with \`${COMMAND} render\``;
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
