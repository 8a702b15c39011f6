import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand as wirecheck } from '../../test/kit/command.ts';
import { IS_POSIX } from '../../test/kit/platform.ts';
import { packageRoot } from '../contract/package-root.ts';
import { SETTING_NAMES, settingOf } from '../settings/setting-names.ts';
import { buildProgram } from './command-line.ts';
import { COMMANDS } from './command-table.ts';
import { completeLine, placeholderOf, SHELLS } from './completion.ts';

let folder: string;
/** Beside it, so that no shell offers the scripts. */
let made: string;
const scripts: Record<string, string> = {};
/** Of bash, the tests source the text. */
const SCRIPT_FILES = { zsh: '_wirecheck', fish: 'wirecheck.fish' };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-completion-'));
  made = mkdtempSync(join(tmpdir(), 'wirecheck-scripts-'));
  writeFileSync(join(folder, 'a report.json'), '');
  mkdirSync(join(folder, 'reports'));
  writeFileSync(
    join(made, 'wirecheck'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(packageRoot(), 'dist/cli.js')}' "$@"\n`,
  );
  chmodSync(join(made, 'wirecheck'), 0o755);
  for (const shell of SHELLS) {
    scripts[shell] = (await wirecheck(['completion', shell], folder)).stdout;
    if (shell !== 'bash') writeFileSync(join(made, SCRIPT_FILES[shell]), scripts[shell]);
  }
});
/** With the program, which the scripts ask. */
const withProgram = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: `${made}${delimiter}${process.env['PATH']}` });
afterAll(() => [folder, made].forEach((each) => rmSync(each, { recursive: true })));

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
    env: withProgram(),
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe.skipIf(!IS_POSIX || !isInstalled('bash'))(`bash${said('bash')}`, () => {
  it.each<[words: readonly string[], offered: readonly string[]]>([
    [['com'], ['compare', 'completion']],
    [['run', '--reporter', 'html', '=', 'rep'], ['reports']],
    [
      ['run', '--reporter', 'html', '='],
      ['a report.json', 'reports'],
    ],
    [['compare', '--fail-on', '=', 'w'], ['warning']],
    [['run', '-o', ''], ['reports']],
    [
      ['run', '--suite', 'a'],
      ['auth', 'a report.json'],
    ],
    [['client', '--driver', '--', 'rep'], ['reports']],
    [['run', '--model', ''], []],
  ])('completes %j', (words, offered) => {
    expect(offeredByBash(...words)).toEqual(offered);
  });
});

describe.each(['zsh', 'fish'] as const)('%s', (shell) => {
  it.skipIf(!isInstalled(shell))(`understands the script${said(shell)}`, () => {
    const { status, stderr } = spawnSync(shell, ['-n', SCRIPT_FILES[shell]], { cwd: made, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

/** What fish offers for the end of a line, without its descriptions. */
function offeredByFish(line: string): readonly string[] {
  const asked = `source ${join(made, SCRIPT_FILES.fish)}; complete -C '${line}'`;
  const { stdout } = spawnSync(SHELLS[2] ?? '', ['--no-config', '-c', asked], {
    cwd: folder,
    encoding: 'utf8',
    env: withProgram(),
  });
  return stdout.split('\n').flatMap((each) => each.split('\t')[0] || []);
}

describe.skipIf(!isInstalled('fish'))(`fish${said('fish')}`, () => {
  it.each<[line: string, offered: readonly string[]]>([
    ['wirecheck com', ['compare', 'completion']],
    ['wirecheck run --last', ['--last-failed']],
    ['wirecheck run --reporter j', ['json', 'junit']],
    ['wirecheck completion ', ['bash', 'fish', 'zsh']],
    // The second word is the command. The third is a name, whatever it is called.
    ['wirecheck explain run --js', ['--json']],
    ['wirecheck explain run --last', []],
  ])('completes %j', (line, offered) => {
    expect(offeredByFish(line)).toEqual(offered);
  });
});

/** Types each line and a tab into a zsh in a terminal of its own, and prints what the line has become. */
const TYPE_INTO_ZSH = new URL('../../test/kit/type-into.zsh', import.meta.url).pathname;

describe.skipIf(!isInstalled('zsh'))(`zsh${said('zsh')}`, () => {
  it('completes commands, flags, names and files', () => {
    const completed = {
      'wirecheck compl': 'wirecheck completion',
      'wirecheck run --last': 'wirecheck run --last-failed',
      'wirecheck run http://x/v1 --stric': 'wirecheck run http://x/v1 --strict',
      'wirecheck run --reporter=ju': 'wirecheck run --reporter=junit',
      'wirecheck gateway --fault error-code-integer-': 'wirecheck gateway --fault error-code-integer-402',
      'wirecheck list fa': 'wirecheck list faults',
      'wirecheck run --out rep': 'wirecheck run --out reports',
    };
    const { stdout } = spawnSync('zsh', ['-f', TYPE_INTO_ZSH, made, ...Object.keys(completed)], {
      cwd: folder,
      encoding: 'utf8',
      // EDITOR, which npm sets, would choose the keys of vi.
      env: { PATH: withProgram()['PATH'], HOME: made, TERM: 'dumb' },
      timeout: 20_000,
    });
    expect(stdout.trimEnd().split('\n')).toEqual(Object.values(completed));
  });
});

describe.each(SHELLS)('the script for %s', (shell) => {
  it('says how to have the command where wirecheck is installed in a project', () => {
    const own = shell === 'fish' ? 'function wirecheck; npx --no-install wirecheck $argv; end' : 'wirecheck() { npx';
    expect(scripts[shell]?.split('\n', 5).find((line) => line.startsWith('#   '))).toContain(own);
  });
});

/** What can follow, by the program itself: the shells add no words. */
const offered = async (...line: readonly string[]) => (await completeLine(line, IO)).words.map(({ word }) => word);
const SCREEN = { write: () => undefined, colour: false, live: false, columns: 80 };
const IO = { cwd: '.', env: {}, stdout: SCREEN, stderr: SCREEN, onInterrupt: () => () => undefined };
const SHOWN = Object.entries(COMMANDS).flatMap(([name, { group }]) => (group === undefined ? [] : [name]));

describe('what the scripts ask for', () => {
  it('has every command that help shows, and no other', async () => {
    expect(await offered('')).toEqual([...SHOWN, '--help', '--version']);
    expect(await offered('help', '')).toEqual(SHOWN);
  });

  it('has every setting and every short flag, and no switch that help hides', async () => {
    const flags = (await Promise.all(SHOWN.map((name) => offered(name, '-')))).flat();
    for (const name of SETTING_NAMES) {
      if (settingOf(name).goneFor === undefined) expect(flags).toContain(`--${name}`);
    }
    for (const short of ['m', 'o', 'q', 'v']) expect(flags).toContain(`-${short}`);
    expect(flags.filter((flag) => flag === '--no-strict')).toEqual([]);
  });

  it('has a value in the same word as its flag', async () => {
    expect(await offered('run', '--reporter=ju')).toEqual(['--reporter=junit']);
    expect(await completeLine(['run', '--out=rep'], IO)).toEqual({ words: [], files: 'folders' });
  });

  it.each<[line: readonly string[], words: readonly string[]]>([
    [['run', '--last'], ['--last-failed']],
    [
      ['run', '--reporter', 'j'],
      ['json', 'junit'],
    ],
    [
      ['board', '--fail-on', ''],
      ['must', 'none'],
    ],
    [['list', 'load'], ['load-cases']],
    [
      ['explain', 'errors.cod'],
      ['errors.code', 'errors.codes', 'errors.codes-apart'],
    ],
    [['gateway', '--fault', 'error-code-integer-'], ['error-code-integer-402']],
    [['completion', ''], [...SHELLS]],
    [['help', 'verif'], ['verify']],
  ])('has what can follow %j', async (line, words) => {
    expect(await offered(...line)).toEqual(words);
  });

  it('has the names of conversions', async () => {
    expect(await offered('render', 'x.json', '--reporter', 'p')).toEqual(['prometheus', 'profile']);
  });

  const program = buildProgram(['--help', 'all'], IO, async () => {});
  const options = program.commands.flatMap((command) =>
    command.options.flatMap(({ flags, long = '', hidden }) =>
      hidden || !SHOWN.includes(command.name()) ? [] : [{ command: command.name(), flags, long }],
    ),
  );
  /** Names that nobody can list: of variables, of people, of headers, of kinds with a share. */
  const FREE = ['--api-key-env', '--key-env', '--owner', '--header', '--header-env', '--mix'];

  it('has names for every flag that takes a name or a kind', async () => {
    const named = options.filter(({ flags, long }) => /NAME|KIND/.test(placeholderOf(flags)) && !FREE.includes(long));
    const found = await Promise.all(named.map(({ command, long }) => offered(command, long, '')));
    expect(named.filter((_option, index) => found[index]?.length === 0)).toEqual([]);
  });

  it('has no name that needs a quote in any shell, and no summary with a line break', async () => {
    const lines = [['']].concat(
      SHOWN.flatMap((name) => [[name, '']]),
      options.map(({ command, long }) => [command, long, '']),
    );
    const completed = await Promise.all(
      [...lines, ...SHOWN.map((name) => [name, '-'])].map((line) => completeLine(line, IO)),
    );
    const words = completed.flatMap((each) => each.words);
    expect(words.filter(({ word }) => !/^[\w./-]+$/.test(word))).toEqual([]);
    expect(words.filter(({ summary }) => summary === '' || /\n/.test(summary ?? ''))).toEqual([]);
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
