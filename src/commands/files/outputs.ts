/** Where a report goes: to which files, and whether a format takes stdout for itself. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { didYouMean } from '../../text/suggestion.ts';
import { FORMATS } from '../../render/index.ts';
import { FORMAT_NAMES, type FormatName } from '../../settings/settings-table.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import type { Merged, Origin } from '../settings/merge-settings.ts';
import { obstacleTo } from './write-files.ts';

export interface Outputs {
  /** The format that goes to stdout; everything else then goes to stderr. */
  readonly stdout?: FormatName;
  readonly files: readonly { readonly format: FormatName; readonly path: string }[];
}

const NO_FILES = 'none';

export function readOutputs(merged: Merged, cwd: string): Outputs {
  const reporters = (merged.get('reporter') ?? []).map((text, index) =>
    readReporter(text, merged.origin('reporter', index)),
  );
  const out = merged.get('out');
  // Reporters stand in place of the default files, unless a folder for these was asked for all the same.
  const wantsDefaults = reporters.length === 0 || merged.origin('out') !== undefined;
  const folder = wantsDefaults && out !== undefined && out !== NO_FILES ? resolve(cwd, out) : undefined;
  if (folder !== undefined && isFile(folder)) {
    const { label = '--out', at } = merged.origin('out') ?? {};
    throw new UsageError(
      `${label} names ${out}, which is a file: name a folder, or write one format to a file, as in --reporter html=FILE.`,
      at,
    );
  }
  const [stdout, another] = reporters.filter(({ file }) => file === undefined);
  if (another) {
    throw new UsageError(
      `Only one reporter can go to stdout: give a file to one of them, as in ${another.format}=FILE.`,
    );
  }
  return {
    ...(stdout && { stdout: stdout.format }),
    files: [
      ...(folder === undefined ? [] : defaultFiles(folder)),
      ...reporters.flatMap(({ format, file }) => (file === undefined ? [] : [{ format, path: resolve(cwd, file) }])),
    ],
  };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function defaultFiles(folder: string): Outputs['files'] {
  return FORMAT_NAMES.flatMap((format) => {
    const { defaultFile } = FORMATS[format] as { readonly defaultFile?: string };
    return defaultFile === undefined ? [] : [{ format, path: join(folder, defaultFile) }];
  });
}

function readReporter(text: string, from?: Origin): { readonly format: FormatName; readonly file: string | undefined } {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const format = FORMAT_NAMES.find((each) => each === name.trim());
  if (format === undefined) {
    const guess = didYouMean(name, FORMAT_NAMES) || ` There are ${FORMAT_NAMES.join(', ')}.`;
    throw new UsageError(`There is no reporter "${inert(name, 40)}".${guess}`, from?.at);
  }
  if (file?.trim() === '')
    throw new UsageError(
      `${from?.label ?? '--reporter'} ${format}= needs the name of a file after the equals sign.`,
      from?.at,
    );
  return { format, file: file?.trim() };
}

/** Before the first request: tokens would be spent on a report that cannot be kept. */
export function checkOutputs({ files }: Outputs): void {
  for (const { path } of files) {
    const problem = obstacleTo(path);
    if (problem !== undefined)
      throw new UsageError(`${path} cannot be written (${problem}): choose another place with --out or --reporter.`);
  }
}

/** The same for a recording: its folder may be there and the disk be full. */
export function checkRecording(path: string): void {
  const problem = obstacleTo(path);
  if (problem !== undefined)
    throw new UsageError(`${path} cannot be written (${problem}): choose another file for --record.`);
}
