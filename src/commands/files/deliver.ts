/** Writes the files of a report and prints it. */
import { basename, dirname, relative } from 'node:path';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import { groupBy } from '../../report/counts.ts';
import { type Detail, render } from '../../render/index.ts';
import type { FormatName } from '../../settings/settings-table.ts';
import type { Report } from '../../report/report.ts';
import { UsageError } from '../../usage-error.ts';
import type { Merged } from '../settings/merge-settings.ts';
import type { Outputs } from './outputs.ts';
import type { Screen } from '../command-io.ts';
import { writeWhole } from './write-files.ts';

/** Returns a problem instead of throwing it, so that the report can still be shown first. */
export function writeFiles(
  report: Report,
  { files }: Outputs,
  screen: Screen | undefined,
  cwd: string,
): UsageError | undefined {
  const written: string[] = [];
  let problem: UsageError | undefined;
  for (const { format, path } of files) {
    // Outside the try: an error here is a bug, not a problem of the disk.
    const text = render(report, format);
    try {
      writeWhole(path, text);
      written.push(path);
    } catch (error) {
      problem = new UsageError(`Cannot write ${path} (${(error as NodeJS.ErrnoException).code}).`);
      break;
    }
  }
  for (const line of formatWritten(written, cwd)) screen?.write(`${line}\n`);
  return problem;
}

/** One line for each folder: `Wrote report.json and report.html to wirecheck-report`. */
function formatWritten(paths: readonly string[], cwd: string): readonly string[] {
  return [...groupBy(paths, dirname)].map(([folder, own]) => {
    const [first = '', ...others] = own;
    if (others.length === 0) return `Wrote ${relative(cwd, first)}`;
    const names = own.map((path) => basename(path));
    return `Wrote ${names.slice(0, -1).join(', ')} and ${names.at(-1)} to ${relative(cwd, folder) || '.'}`;
  });
}

/** Returns false if the text contains a secret, and is therefore not shown. */
export function show(report: Report, format: FormatName, detail: Detail, screen: Screen, scanner?: Scanner): boolean {
  const { colour, columns } = screen;
  const text = render(report, format, { colour, detail, ...(columns !== undefined && { width: columns }) });
  if (scanner?.findsIn(text)) return false;
  screen.write(text);
  return true;
}

export function detailOf(merged: Merged): Detail {
  if (merged.get('quiet')) return 'quiet';
  return merged.get('verbose') ? 'verbose' : 'normal';
}
