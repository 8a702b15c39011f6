/** Writes and prints the report of a check, and makes sure that no secret is in it. */
import { relative, basename, dirname, join } from 'node:path';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { withoutUndefined } from '../../json.ts';
import type { FormatName } from '../../settings/format-names.ts';
import type { Report, Product } from '../../report/report.ts';
import type { CommandIo, Screen } from '../command-row.ts';
import type { Inputs } from '../settings/read-settings.ts';
import {
  announceAgent,
  detectAgent,
  type Outputs,
  KEPT_FOLDER,
  REPORT_FILE,
  REPORT_PAGE,
  type ChosenFormat,
  shownDetail,
} from './outputs.ts';
import { refuseLeaks } from './secret-guard.ts';
import { groupBy } from '../../report/counts.ts';
import { type Detail, render } from '../../render/index.ts';
import type { UsageError } from '../../usage-error.ts';
import type { Merged } from '../settings/merge-settings.ts';
import { writeWhole, requireWritable, loadReport } from './user-files.ts';
import { addCauses } from '../../render/json.ts';
import { listAll } from '../../text/layout.ts';
import { isSealed, sealReport } from '../../report/seal-report.ts';
import { withoutBodies } from '../../report/without-bodies.ts';
import { changesOf } from '../../contract/profile/profile.ts';
import { placeOfLevel } from '../settings/config-file.ts';
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, appendFileSync } from 'node:fs';
import { isBarelyBegun } from '../../exchange/ending.ts';
import { type Input, refuseOverwrites } from './prepare-files.ts';

interface Delivery {
  readonly outputs: Outputs;
  readonly inputs: Inputs;
  readonly scanner: Scanner;
  /** Other files of the same run, which are also searched for secrets. */
  readonly written?: readonly string[];
  readonly recordingDigest?: string | undefined;
}

export async function deliverReport(report: Report, delivery: Delivery): Promise<void> {
  const { outputs, inputs, scanner, written: others = [] } = delivery;
  const { io } = inputs;
  const kept = reportToDeliver(report, inputs, delivery.recordingDigest);
  const before = keepJudged(kept, outputs);
  const written = writeFiles(kept, outputs, io.cwd);
  const withheld = [...tellGithub(kept, outputs, io, scanner), ...print(kept, written, delivery)];
  if (before !== undefined && !inputs.merged.get('quiet')) {
    io.stderr.write(`This run judged next to nothing. The report before it is kept in ${relative(io.cwd, before)}\n`);
  }
  // At the very end, every file is searched on disk.
  await refuseLeaks([...outputs.files.map(({ path }) => path), ...others], scanner, withheld);
  if (written.problem) throw written.problem;
}

/**
 * If a format is written to stdout, the terminal report goes to stderr. Not beside output for agents: they read both, and
 * the terminal report mixes the target's text with ours. Returns the outputs that contain a secret.
 */
function print(report: Report, written: Written, { outputs, inputs, scanner }: Delivery): readonly string[] {
  const { merged, io } = inputs;
  const { stdout, stderr } = io;
  const { stdout: asked } = outputs;
  announceAgent(outputs, { stdout });
  const detail = shownDetail(merged);
  const shows = (format: FormatName, screen: Screen) => show(report, { ...written, format, detail }, screen, scanner);
  const withheld: string[] = [];
  if (asked !== undefined && !shows(asked, stdout)) withheld.push(`the ${asked} report on stdout`);
  const isTold = asked === 'terminal' || asked === 'agent';
  if (!isTold && !shows('terminal', asked === undefined ? stdout : stderr)) withheld.push('the terminal report');
  return withheld;
}

export interface Written {
  /** The paths of the files from the working directory. */
  readonly written: readonly string[];
  /** The name of the one that people read. */
  readonly page?: string;
  /** The one of them that says the most; absent if none has the cases. */
  readonly fullReport?: string;
  /** What could not be written. It is not thrown, so that the report can still be shown first. */
  readonly problem?: UsageError;
}

/** Formats with every case and its evidence, the best for a program first. */
const FULL: readonly FormatName[] = ['json', 'html', 'markdown'];

/** `beside`: the page beside a stored report, which is named if none is written. */
export function writeFiles(report: Report, { files }: Outputs, cwd: string, beside?: string): Written {
  const written: string[] = [];
  const page = pageOf(files) ?? beside;
  for (const { format, path } of files) {
    // Outside the try: an error here is a bug, not a problem of the disk.
    const text = render(report, format, { file: path, page });
    try {
      writeWhole(path, text);
      written.push(relative(cwd, path));
    } catch (problem) {
      return { written, problem: problem as UsageError };
    }
  }
  const [fullReport] = FULL.flatMap((format) => files.filter((file) => file.format === format));
  return { written, ...withoutUndefined({ page, fullReport: fullReport && relative(cwd, fullReport.path) }) };
}

/** The name of the page with the full report; undefined if none is written. */
export function pageOf(files: Outputs['files']): string | undefined {
  const page = files.find(({ format }) => format === 'html');
  return page && basename(page.path);
}

/** One line for each folder: `Wrote report.json and report.html to wirecheck-report`. The terminal report names them itself. */
export function announceFiles(files: readonly string[], screen: Screen): void {
  for (const [folder, own] of groupBy(files, dirname)) {
    const names = listAll(own.map((path) => basename(path)));
    screen.write(own.length === 1 ? `Wrote ${own[0]}\n` : `Wrote ${names} to ${folder}\n`);
  }
}

interface Shown extends Written {
  readonly format: FormatName;
  readonly detail: Detail;
}

/** Returns false if the text contains a secret, and is therefore not shown. */
export function show(report: Report, shown: Shown, screen: Screen, scanner?: Scanner): boolean {
  const { format, problem: _problem, ...options } = shown;
  const { colour, columns } = screen;
  const text = render(report, format, { colour, ...options, ...(columns !== undefined && { width: columns }) });
  if (scanner?.findsIn(text)) return false;
  screen.write(text);
  return true;
}

/** `config`: of the run. That of a recording is not known. */
export function reportToDeliver(
  report: Report,
  { merged, config }: Pick<Inputs, 'merged'> & Partial<Inputs>,
  recordingDigest?: string,
): Report {
  const kept = merged.get('no-bodies') ? withoutBodies(report) : report;
  const told = addCauses({
    ...withWords(kept, merged),
    ...productOf(merged),
    ...placeLevels(report, config),
    ...(recordingDigest !== undefined && { recordingDigest }),
  });
  return sealReport(told);
}

/** A stored report with other words. One that is damaged, or has no digest, gets no new one. */
export function reportToShow(report: Report, merged: Merged): Report {
  const shown = withWords(report, merged);
  return isSealed(report) ? sealReport(shown) : shown;
}

function withWords(report: Report, merged: Merged): Report {
  return { ...report, ...withoutUndefined({ title: merged.get('title'), note: merged.get('note') }) };
}

/** Where each changed level is set, for every format and for whoever renders the report later. */
function placeLevels({ profile }: Report, config: Inputs['config']): Pick<Report, 'profile'> {
  if (!profile) return {};
  const places = changesOf({ changes: profile.changes.map(({ change }) => change) }, 'level').flatMap(
    ({ clause, why }) => {
      const place = why === undefined ? placeOfLevel(config, clause) : undefined;
      return place ? [[clause, place] as const] : [];
    },
  );
  return places.length === 0 ? {} : { profile: { ...profile, levelPlaces: Object.fromEntries(places) } };
}

function productOf(merged: Merged): Pick<Report, 'product'> {
  const [name, version, contact] = [merged.get('product'), merged.get('product-version'), merged.get('contact')];
  const product: Product = withoutUndefined({ name, version, contact });
  return Object.keys(product).length === 0 ? {} : { product };
}

/**
 * A run that judged next to nothing, such as one whose target was down, does not cost the report before it: that is kept
 * in a folder beside the new one, where `open` and `--last-failed` find it. Returns that folder. Called before the files of
 * the report are written.
 */
function keepJudged({ ending }: Report, { files }: Outputs): string | undefined {
  const own = files.find(({ format, path }) => format === 'json' && basename(path) === REPORT_FILE);
  if (!own) return undefined;
  const folder = dirname(own.path);
  const kept = join(folder, KEPT_FOLDER);
  if (!isBarelyBegun(ending)) dropKept(kept);
  else if (hasJudged(own.path)) {
    mkdirSync(kept, { recursive: true });
    for (const name of [REPORT_FILE, REPORT_PAGE]) {
      if (existsSync(join(folder, name))) renameSync(join(folder, name), join(kept, name));
    }
    return kept;
  }
  return undefined;
}

/** Removes only what is ours: somebody may have put files beside it. */
function dropKept(kept: string): void {
  if (!existsSync(kept)) return;
  for (const name of [REPORT_FILE, REPORT_PAGE]) rmSync(join(kept, name), { force: true });
  try {
    rmdirSync(kept);
  } catch {
    // Not empty, or in use by somebody: no reason to lose the report that is about to be written.
  }
}

function hasJudged(file: string): boolean {
  try {
    return !isBarelyBegun(loadReport(file, dirname(file)).ending);
  } catch {
    // Not there, or no report that this version reads.
    return false;
  }
}

/**
 * On GitHub's runners a report is also shown as annotations and in the job summary, without a flag. Returns the names of
 * outputs that contain a secret, and were therefore not shown.
 */
export function tellGithub(
  report: Report,
  outputs: Outputs,
  { env, stdout, stderr }: Pick<CommandIo, 'env' | 'stdout' | 'stderr'>,
  scanner?: Scanner,
): readonly string[] {
  const withheld: string[] = [];
  // The runner reads both streams; stdout may belong to another format. An agent also reads both, and annotations mix the
  // target's text with ours.
  if (env['GITHUB_ACTIONS'] === 'true' && outputs.stdout !== 'github' && outputs.stdout !== 'agent') {
    const annotations = render(report, 'github');
    if (scanner?.findsIn(annotations)) withheld.push('the annotations');
    else (outputs.stdout === undefined ? stdout : stderr).write(annotations);
  }
  const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary === '') return withheld;
  const text = render(report, 'markdown', { page: pageOf(outputs.files) });
  if (scanner?.findsIn(text)) return [...withheld, 'the job summary'];
  try {
    // Appended: other commands of the same step may have written to it before.
    appendFileSync(summary, `${text}\n`);
  } catch (error) {
    stderr.write(`Cannot write the job summary ${summary} (${(error as NodeJS.ErrnoException).code}).\n`);
  }
  return withheld;
}

/** `what` is written, such as a board, and the flags choose another file. */
export function prepareFormats(
  outputs: readonly ChosenFormat<string>[],
  inputs: readonly Input[],
  what: string,
  flags: string,
): void {
  const written = outputs.flatMap(({ format, path }) =>
    path === undefined ? [] : [{ name: `the ${format} ${what}`, path, flags }],
  );
  refuseOverwrites(inputs, written);
  for (const { path } of written) requireWritable(path, `choose another file with ${flags}.`);
}

type ForReaders = 'terminal' | 'agent';

/** Stdout has the format that was asked for there, otherwise text for people; for agents, if no reporter was named. */
export function deliverFormats<Name extends string>(
  outputs: readonly ChosenFormat<Name | ForReaders>[],
  render: (format: Name | ForReaders, look?: { readonly colour: boolean; readonly width?: number }) => string,
  hasReporter: boolean,
  io: CommandIo,
): void {
  const { cwd, stdout, stderr } = io;
  const agentSign = hasReporter ? undefined : detectAgent(io);
  announceAgent({ agentSign }, io);
  for (const { format, path } of outputs) {
    if (path === undefined) continue;
    writeWhole(path, render(format));
    stderr.write(`Wrote ${relative(cwd, path)}\n`);
  }
  const usual = agentSign === undefined ? 'terminal' : 'agent';
  const { format = usual } = outputs.find(({ path }) => path === undefined) ?? {};
  const { colour, columns: width } = stdout;
  stdout.write(render(format, { colour, ...(width !== undefined && { width }) }));
}
