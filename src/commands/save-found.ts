/** `--save FILE`: what was found becomes cases of a suite, and the last lines of the run say which. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { COMMAND } from '../contract/package-files.ts';
import type { ExploreResult } from '../explore/report-on-explore.ts';
import { formatSuite, SAVED_HEAD, unsaved } from '../explore/save-cases.ts';
import { exploreCommandOf } from '../render/explore-text.ts';
import { argument } from '../text/shell-text.ts';
import type { Settings } from '../settings.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { requireWritable, writeWhole } from './files/write-files.ts';
import type { Inputs } from './settings/read-settings.ts';

interface Saver {
  /** Writes the file. */
  readonly keep: (result: ExploreResult, settings: Settings) => void;
  /** After the report: what was saved, and how the rest is repeated. */
  readonly tell: () => void;
}

export function saveTo(file: string | undefined, { merged }: Inputs, io: CommandIo): Saver {
  if (file === undefined) return { keep: () => undefined, tell: () => undefined };
  const path = resolve(io.cwd, file);
  checkPlace(path, file, merged.get('force') ?? false);
  let lines: readonly string[] = [];
  return {
    keep(result, settings) {
      const text = formatSuite(result.causes, settings);
      if (text !== undefined) writeWhole(path, text);
      lines = formatSaved(result, settings, text === undefined ? undefined : relative(io.cwd, path));
    },
    tell() {
      if (!merged.get('quiet')) io.stderr.write(lines.map((line) => `${line}\n`).join(''));
    },
  };
}

/** Before the first request. A mistyped folder is not made, and what somebody wrote by hand is not replaced. */
function checkPlace(path: string, file: string, force: boolean): void {
  const shown = inert(file, 300);
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`The folder of ${shown} does not exist: create it, or choose another file with --save.`, {
      code: 'FILE_UNWRITABLE',
    });
  }
  requireWritable(path, 'choose another file with --save.', file);
  if (force || !statSync(path, { throwIfNoEntry: false })?.isFile()) return;
  const text = readFileSync(path, 'utf8');
  if (text === '' || text.startsWith(SAVED_HEAD)) return;
  throw new UsageError(
    `${shown} exists, and --save did not write it: choose another file, or replace it with --force.`,
    {
      code: 'FILE_EXISTS',
    },
  );
}

/** `file`: undefined if nothing was written. */
function formatSaved(
  { report, causes }: ExploreResult,
  { seed }: Settings,
  file: string | undefined,
): readonly string[] {
  const others = unsaved(causes);
  const number = causes.length - others.length;
  const repeat = (path: string): string => `${exploreCommandOf(report)} --seed ${seed} --path ${path}`;
  const run = `${COMMAND} run ${argument(report.target.baseUrl)} --suite ${argument(file ?? '')}`;
  return [
    file === undefined
      ? 'No finding is a case, so no file was saved.'
      : `Saved ${count(number, 'request')} that ${number === 1 ? 'fails' : 'fail'} in ${inert(file, 300)}. Send ${number === 1 ? 'it' : 'them'} again: ${run}`,
    ...others.map(({ why, path }) => `Not saved: draw ${path}. ${why}. Repeat it: ${repeat(path)}`),
  ];
}
