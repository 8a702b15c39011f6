import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand as wirecheck } from '../../../test/kit/command.ts';
import { IS_POSIX } from '../../../test/kit/platform.ts';
import { SETTING_NAMES, settingOf } from '../../settings/setting-names.ts';
import { HELP } from '../help-texts.ts';
import { SHELLS } from './shells.ts';

let folder: string;
const scripts: Record<string, string> = {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-completion-'));
  writeFileSync(join(folder, 'a report.json'), '');
  mkdirSync(join(folder, 'reports'));
  for (const shell of SHELLS) scripts[shell] = (await wirecheck(['completion', shell], folder)).stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const said = (shell: string): string => (isInstalled(shell) ? '' : ` (skipped: ${shell} is not installed)`);

/** What bash offers for the last word. `words`: as bash splits the line. */
function offeredByBash(...words: readonly string[]): readonly string[] {
  const script = `${scripts['bash']}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wirecheck
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', 'wirecheck', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe.skipIf(!IS_POSIX || !isInstalled('bash'))(`bash${said('bash')}`, () => {
  it.each<[words: readonly string[], offered: readonly string[]]>([
    [['com'], ['compare', 'completion']],
    [['run', '--last'], ['--last-failed']],
    [
      ['run', '--reporter', 'j'],
      ['json', 'junit'],
    ],
    [['run', '--reporter', 'html', '=', 'rep'], ['reports']],
    [
      ['run', '--reporter', 'html', '='],
      ['a report.json', 'reports'],
    ],
    [['compare', '--fail-on', '=', 'w'], ['warning']],
    [
      ['board', '--fail-on', ''],
      ['must', 'none'],
    ],
    [['run', '-o', ''], ['reports']],
    [
      ['run', '--suite', 'a'],
      ['auth', 'a report.json'],
    ],
    [['render', 'a'], ['a report.json']],
    [
      ['list', 'test-'],
      ['test-clients', 'test-relays', 'test-load'],
    ],
    [
      ['explain', 'errors.cod'],
      ['errors.code', 'errors.codes'],
    ],
    [['gateway', '--fault', 'error-code-integer-'], ['error-code-integer-402']],
    [['completion', ''], [...SHELLS]],
    [['help', 'verif'], ['verify']],
    [['client', '--driver', '--', 'rep'], ['reports']],
    [['run', '--model', ''], []],
  ])('completes %j', (words, offered) => {
    expect(offeredByBash(...words)).toEqual(offered);
  });
});

describe.each(['zsh', 'fish'] as const)('%s', (shell) => {
  it.skipIf(!isInstalled(shell))(`understands the script${said(shell)}`, () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: scripts[shell], encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

it.skipIf(!isInstalled('fish'))(`fish completes${said('fish')}`, () => {
  const asked = `${scripts['fish']}\ncomplete -C 'wirecheck run --reporter j'`;
  const { stdout } = spawnSync(SHELLS[2], ['--no-config', '-c', asked], { encoding: 'utf8' });
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(expect.arrayContaining(['json', 'junit']));
});

describe.each(SHELLS)('the script for %s', (shell) => {
  it('has every command, every setting and every short flag', () => {
    const script = scripts[shell] ?? '';
    for (const name of Object.keys(HELP)) if (name !== 'all') expect(script).toContain(name);
    for (const name of SETTING_NAMES) expect(script).toContain(shell === 'fish' ? `-l ${name} ` : `--${name}`);
    for (const short of ['m', 'o', 'q', 'v']) expect(script).toContain(shell === 'fish' ? `-s ${short} ` : `-${short}`);
  });

  it('has no switch that help hides', () => {
    expect(scripts[shell]).not.toMatch(/no-strict/);
  });
});

it('Each short flag stands for one setting', () => {
  const letters = SETTING_NAMES.flatMap((name) => settingOf(name).short ?? []);
  expect(letters.toSorted()).toEqual(['m', 'o', 'q', 'v']);
});

it('refuses an unknown shell', async () => {
  const { exit, stderr } = await wirecheck(['completion', 'bsh'], folder);
  expect([exit, stderr]).toEqual([2, 'Unknown shell "bsh". Did you mean "bash"?\n']);
});
