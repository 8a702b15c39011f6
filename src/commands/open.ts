/** `wirecheck open [REPORT]`: shows the last report, or the one that is named, in the browser. */
import { basename, dirname, resolve } from 'node:path';
import { inert } from '../text/inert.ts';
import type { CommandIo } from './command-io.ts';
import { findLastPage, findNamedPage, formatWritten } from './files/last-report.ts';
import { KEPT_FOLDER } from './files/written-names.ts';
import { readInputs } from './settings/read-settings.ts';
import { startBrowser } from './start-browser.ts';

export async function openCommand(named: string | undefined, io: CommandIo): Promise<number> {
  const { cwd, env, stdout } = io;
  const found = named === undefined ? findLastPage(readInputs(['out'], {}, io).merged, cwd) : findNamedPage(named, cwd);
  const { file } = found;
  const path = resolve(cwd, file);
  const isKept = basename(dirname(file)) === KEPT_FOLDER;
  const since = isKept ? ' (the run after it judged next to nothing)' : '';
  if (await startBrowser(path, env)) {
    stdout.write(`Opened ${inert(file, 300)}, written at ${formatWritten(found)}${since}\n`);
    return 0;
  }
  // Alone on its line, so that it can be copied.
  stdout.write(
    `No browser was found. Open this page, written at ${formatWritten(found)}${since}:\n${inert(path, 4096)}\n`,
  );
  return 0;
}
