/** Brings a report to where it was asked for. */
import { relative } from 'node:path';
import { type Detail, type FormatName, render } from '../../render/index.ts';
import type { Report } from '../../report/report.ts';
import { UsageError } from '../../usage-error.ts';
import type { Merged } from '../settings/merge-settings.ts';
import type { Outputs } from './outputs.ts';
import type { SecretGuard } from './secret-guard.ts';
import type { Screen } from '../surroundings.ts';
import { writeWhole } from './write-files.ts';

/** Returns what stopped it, so that the report can still be shown before that is said. */
export function writeFiles(
  report: Report,
  { files }: Outputs,
  screen: Screen | undefined,
  cwd: string,
): UsageError | undefined {
  for (const { format, path } of files) {
    // Not below: a fault of the format is no fault of the disk.
    const text = render(report, format);
    try {
      writeWhole(path, text);
      screen?.write(`Wrote ${relative(cwd, path)}\n`);
    } catch (error) {
      return new UsageError(`${path} could not be written (${(error as NodeJS.ErrnoException).code}).`);
    }
  }
  return undefined;
}

/** False if a guard held it back. */
export function show(
  report: Report,
  format: FormatName,
  detail: Detail,
  screen: Screen,
  guard?: Pick<SecretGuard, 'leaks'>,
): boolean {
  const { colour, columns } = screen;
  const text = render(report, format, { colour, detail, ...(columns !== undefined && { width: columns }) });
  if (guard?.leaks(text, format)) return false;
  screen.write(text);
  return true;
}

export function detailOf(merged: Merged): Detail {
  if (merged.get('quiet')) return 'quiet';
  return merged.get('verbose') ? 'verbose' : 'normal';
}
