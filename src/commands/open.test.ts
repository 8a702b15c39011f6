import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand as wirecheck } from '../../test/kit/command.ts';
import { IS_POSIX } from '../../test/kit/platform.ts';
import { findOpener, startBrowser } from './open.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-open-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `pages`: the oldest first. */
function job(...pages: readonly string[]): string {
  const cwd = mkdtempSync(join(folder, 'job-'));
  for (const [index, page] of pages.entries()) {
    mkdirSync(dirname(join(cwd, page)), { recursive: true });
    writeFileSync(join(cwd, page), '<!doctype html>');
    utimesSync(join(cwd, page), 1_700_000_000 + index, 1_700_000_000 + index);
  }
  return cwd;
}

/** No display, so no browser. */
const pathShown = async (cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
  const { exit, stdout, stderr } = await wirecheck(['open', ...args], cwd, env);
  return exit === 0 ? stdout.split('\n')[1]?.slice(cwd.length + 1) : stderr;
};

describe.skipIf(process.platform === 'darwin' || !IS_POSIX)('open without a display', () => {
  it.each<[pages: readonly string[], args: readonly string[], shown: string]>([
    [['wirecheck-report/report.html', 'other/report.html'], [], 'wirecheck-report/report.html'],
    [['wirecheck-report/report.html', 'wirecheck-rerun/report.html'], [], 'wirecheck-rerun/report.html'],
    [['wirecheck-rerun/report.html', 'wirecheck-report/report.html'], [], 'wirecheck-report/report.html'],
    [['wirecheck-report/report.html', 'wirecheck-board/board.html'], [], 'wirecheck-board/board.html'],
    [['wirecheck-report/b/report.html', 'wirecheck-report/a/report.html'], [], 'wirecheck-report/a/report.html'],
    [['wirecheck-report/a/report.html', 'wirecheck-report/clients.html'], [], 'wirecheck-report/clients.html'],
    [['out/report.html'], ['out'], 'out/report.html'],
    [
      ['wirecheck-report/last-judged/report.html', 'wirecheck-report/report.html'],
      [],
      'wirecheck-report/last-judged/report.html',
    ],
    [['out/report.html', 'out/report.json'], ['out/report.json'], 'out/report.html'],
    [['page.html'], ['page.html'], 'page.html'],
  ])('of %j with %j prints the path', async (pages, args, shown) => {
    expect(await pathShown(job(...pages), args)).toBe(shown);
  });

  it('looks in the folder that the config file or a variable names', async () => {
    const cwd = job('wirecheck-report/report.html', 'ours/report.html');
    expect(await pathShown(cwd, [], { WIRECHECK_OUT: 'ours' })).toBe('ours/report.html');
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'out: ours\n');
    expect(await pathShown(cwd)).toBe('ours/report.html');
  });

  it('refuses what has no page, and says what to do', async () => {
    const cwd = job('out/report.json', 'other/notes.txt');
    expect(await pathShown(cwd)).toBe(
      'There is no report in wirecheck-report, wirecheck-rerun, wirecheck-board: name its folder or its file.\n',
    );
    expect(await pathShown(cwd, ['nowhere'])).toBe('Cannot find nowhere: check the path.\n');
    expect(await pathShown(cwd, ['other'])).toBe('other has no HTML page: name the folder of a report.\n');
    expect(await pathShown(cwd, ['out/report.json'])).toBe(
      'out/report.json has no HTML page: make one with `npx --no-install wirecheck render`.\n',
    );
  });
});

describe('startBrowser', () => {
  it('uses the opener of each system, and none without a display', () => {
    expect(findOpener('linux', {})).toBeUndefined();
    expect(findOpener('linux', { DISPLAY: '' })).toBeUndefined();
    expect(findOpener('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
    expect(findOpener('darwin', {})).toEqual(['/usr/bin/open']);
    expect(findOpener('win32', { SystemRoot: 'D:\\W' })).toEqual([
      'D:\\W\\System32\\rundll32.exe',
      'url.dll,FileProtocolHandler',
    ]);
  });

  describe.skipIf(!IS_POSIX)('with an opener', () => {
    /** Notes its arguments, and ends with the code. */
    function opener(code: number): { readonly env: Readonly<Record<string, string>>; readonly noted: () => string } {
      const place = mkdtempSync(join(folder, 'bin-'));
      const program = join(place, 'xdg-open');
      writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${place}/noted'\nexit ${code}\n`);
      chmodSync(program, 0o755);
      const PATH = [place, process.env['PATH']].join(delimiter);
      return { env: { PATH, DISPLAY: ':0' }, noted: () => readFileSync(join(place, 'noted'), 'utf8') };
    }

    it.each(['report.html', '-h', 'a b; touch hit $(touch hit) `touch hit` "\' & %20 #?.html', 'ü\n.html'])(
      'gives it the page %j as one address',
      async (name) => {
        const { env, noted } = opener(0);
        const path = join(folder, name);
        expect(await startBrowser(pathToFileURL(path).href, env, 'linux')).toBe(true);
        const [number, address = '', ...more] = noted().trimEnd().split('\n');
        expect([number, fileURLToPath(address), more]).toEqual(['1', path, []]);
        expect(existsSync('hit') || existsSync(join(folder, 'hit'))).toBe(false);
      },
    );

    it('knows that it failed, or that there is none', async () => {
      expect(await startBrowser('file:///page.html', opener(3).env, 'linux')).toBe(false);
      expect(await startBrowser('file:///page.html', { PATH: folder, DISPLAY: ':0' }, 'linux')).toBe(false);
    });

    it('is said, with the page', async () => {
      const { exit, stdout } = await wirecheck(['open'], job('wirecheck-report/report.html'), opener(0).env);
      if (process.platform === 'linux')
        expect([exit, stdout]).toEqual([0, 'Opened wirecheck-report/report.html, written at 2023-11-14 22:13 UTC\n']);
    });
  });
});
