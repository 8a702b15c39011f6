/** `wirecheck open [REPORT]`: shows the last report, or the one that is named, in the browser. */
import { basename, dirname, resolve, win32 } from 'node:path';
import { inert } from '../text/layout.ts';
import type { CommandIo, Call } from './command-row.ts';
import { findLastPage, findNamedPage, formatWritten, KEPT_FOLDER } from './files/outputs.ts';
import { readInputs } from './settings/read-settings.ts';
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

export async function openCommand({ args: [named], io }: Call): Promise<void> {
  const { cwd, env, stdout } = io;
  const found = named === undefined ? findLastPage(readInputs(['out'], {}, io).merged, cwd) : findNamedPage(named, cwd);
  const { file } = found;
  const path = resolve(cwd, file);
  const isKept = basename(dirname(file)) === KEPT_FOLDER;
  const since = isKept ? ' (the run after it judged next to nothing)' : '';
  const written = `written at ${formatWritten(found)}${since}`;
  if (await startBrowser(pathToFileURL(path).href, env)) stdout.write(`Opened ${inert(file, 300)}, ${written}\n`);
  // Alone on its line, so that it can be copied.
  else stdout.write(`No browser was found. Open this page, ${written}:\n${inert(path, 4096)}\n`);
}

type Environment = CommandIo['env'];

/** A browser that still runs after this time was found. Milliseconds. */
const PATIENCE = 3_000;

/**
 * The program that opens an address as the system would. Undefined where nobody could see a page: Linux without a
 * display, where it might start a browser for terminals.
 */
export function findOpener(platform: NodeJS.Platform, env: Environment): readonly string[] | undefined {
  if (platform === 'darwin') return ['/usr/bin/open'];
  // `start` is a part of the shell. With the folder of the system: a program of this folder is never taken for it.
  if (platform === 'win32') {
    const folder = env['SystemRoot'] ?? 'C:\\Windows';
    return [win32.join(folder, 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler'];
  }
  const hasDisplay = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((name) => name !== undefined && name !== '');
  return hasDisplay ? ['xdg-open'] : undefined;
}

/** Whether a browser was found. In an address, odd characters are encoded and no name looks like a flag. */
export async function startBrowser(address: string, env: Environment, platform = process.platform): Promise<boolean> {
  const [program, ...args] = findOpener(platform, env) ?? [];
  if (program === undefined) return false;
  return new Promise((resolve) => {
    // oxlint-disable-next-line id-denylist -- the name is an option of Node's
    const child = spawn(program, [...args, address], { env, detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => resolve(true), PATIENCE);
    const conclude = (isFound: boolean) => {
      clearTimeout(timer);
      resolve(isFound);
    };
    child.on('error', () => conclude(false));
    child.on('exit', (code) => conclude(code === 0));
    child.unref();
  });
}
