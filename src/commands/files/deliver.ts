/** Writes the files of a report and prints it. */
import { basename, dirname, relative } from 'node:path';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { groupBy } from '../../report/counts.ts';
import { type Detail, render } from '../../render/index.ts';
import type { FormatName } from '../../settings/format-names.ts';
import type { Report } from '../../report/report.ts';
import { UsageError } from '../../usage-error.ts';
import type { Merged } from '../settings/merge-settings.ts';
import type { Outputs } from './outputs.ts';
import type { Screen } from '../command-io.ts';
import { writeWhole } from './write-files.ts';

export interface Written {
  /** Relative to the working directory. */
  readonly files: readonly string[];
  /** The name of the one that people read. */
  readonly page?: string;
  /** The one of them that says the most; absent if none has the cases. */
  readonly fullReport?: string;
  /** Not thrown, so that the report can still be shown first. */
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
    } catch (error) {
      const problem = new UsageError(`Cannot write ${path} (${(error as NodeJS.ErrnoException).code}).`, {
        code: 'FILE_UNWRITABLE',
      });
      return { files: written, problem };
    }
  }
  const [fullReport] = FULL.flatMap((format) => files.filter((file) => file.format === format));
  return {
    files: written,
    ...(page !== undefined && { page }),
    ...(fullReport && { fullReport: relative(cwd, fullReport.path) }),
  };
}

/** The name of the page with the full report; undefined if none is written. */
export function pageOf(files: Outputs['files']): string | undefined {
  const page = files.find(({ format }) => format === 'html');
  return page && basename(page.path);
}

/** One line for each folder: `Wrote report.json and report.html to wirecheck-report`. The terminal report names them itself. */
export function announceFiles(files: readonly string[], screen: Screen): void {
  for (const [folder, own] of groupBy(files, dirname)) {
    const names = own.map((path) => basename(path));
    const [first = '', ...others] = own;
    screen.write(
      others.length === 0
        ? `Wrote ${first}\n`
        : `Wrote ${names.slice(0, -1).join(', ')} and ${names.at(-1)} to ${folder}\n`,
    );
  }
}

export interface Shown {
  readonly format: FormatName;
  readonly detail: Detail;
  readonly written: readonly string[];
  readonly page?: string | undefined;
  readonly fullReport?: string | undefined;
}

/** Returns false if the text contains a secret, and is therefore not shown. */
export function show(report: Report, { format, ...options }: Shown, screen: Screen, scanner?: Scanner): boolean {
  const { colour, columns } = screen;
  const text = render(report, format, { colour, ...options, ...(columns !== undefined && { width: columns }) });
  if (scanner?.findsIn(text)) return false;
  screen.write(text);
  return true;
}

export function shownDetail(merged: Merged): Detail {
  if (merged.get('quiet')) return 'quiet';
  return merged.get('verbose') ? 'verbose' : 'normal';
}
