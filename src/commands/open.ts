/** `wirecheck open [REPORT]`: shows the last report, or the one that is named, in the browser. */
import { resolve } from 'node:path';
import { inert } from '../text/inert.ts';
import type { CommandIo } from './command-io.ts';
import { findLastPage, findNamedPage } from './files/last-report.ts';
import { readInputs } from './settings/read-settings.ts';
import { startBrowser } from './start-browser.ts';

export async function openCommand(named: string | undefined, io: CommandIo): Promise<number> {
  const { cwd, env, stdout } = io;
  const { file, writtenAt } =
    named === undefined ? findLastPage(readInputs(['out'], {}, io).merged, cwd) : findNamedPage(named, cwd);
  const path = resolve(cwd, file);
  if (await startBrowser(path, env)) {
    stdout.write(`Opened ${inert(file, 300)}, written at ${writtenAt.toISOString()}\n`);
    return 0;
  }
  // Alone on its line, so that it can be copied.
  stdout.write(`No browser was found. Open this page, written at ${writtenAt.toISOString()}:\n${inert(path, 4096)}\n`);
  return 0;
}
