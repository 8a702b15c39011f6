import { describe, expect, it } from 'vitest';
import { DEFAULT_FILES } from '../settings/format-names.ts';
import { execute } from './command-line.ts';
import { COMMANDS } from './command-table.ts';

async function helpOf(name: string, ...more: readonly string[]): Promise<string> {
  let text = '';
  const screen = { write: (more: string) => void (text += more), colour: false, live: false, columns: 80 };
  const io = { cwd: '.', env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  expect(await execute(name === 'all' ? ['--help'] : [name, '--help', ...more], io)).toBe(0);
  return text;
}

/** On one line, as it is read. */
const flagIn = (text: string, flag: string) =>
  new RegExp(`^ {2}(?:-\\w, )?--${flag} (.*?)(?=^ {2}-|^$)`, 'ms').exec(text)?.[1]?.replaceAll(/\s+/g, ' ') ?? '';

const SHOWN = Object.entries(COMMANDS).flatMap(([name, { group }]) => (group === undefined ? [] : [name]));

describe.each(['all', ...SHOWN])('the help of %s', (name) => {
  it('has examples and fits in 80 columns', async () => {
    const text = await helpOf(name);
    expect(text).toMatch(/Examples:\n {2}\S/);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

it('The help of run has the 15 settings that most people need, and says where the others are', async () => {
  const flagsIn = (text: string) => [...text.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, flag]) => flag);
  const text = await helpOf('run');
  const all = await helpOf('run', 'all');
  const own = ['json', 'plan', 'watch', 'help'];
  const usual = flagsIn(text).filter((flag) => !own.includes(flag ?? ''));
  expect(usual).toHaveLength(15);
  const rest = flagsIn(all).length - flagsIn(text).length;
  expect(text).toContain(`${rest} more settings: npx --no-install wirecheck run --help all`);
  expect(flagsIn(all)).toEqual(expect.arrayContaining([...usual, 'max-depth', 'targets']));
  expect(all).not.toContain('more settings');
});

it.each(['run', 'demo', 'client', 'relay', 'load', 'explore'])('%s shows its plan with --plan', async (name) => {
  expect(flagIn(await helpOf(name), 'plan')).toMatch(/^ ?show /);
});

it('The help of run says whose contract v1 is, and what else there is', async () => {
  expect((await helpOf('run')).replaceAll(/\s+/g, ' ')).toMatch(
    /contract is v1, which docs\/contract\.md .*sk-service-\. No model server .*--profile common-servers.*--reporter profile/,
  );
});

it('The help of relay has its own cases and keys only', async () => {
  const text = await helpOf('relay');
  expect(text).not.toMatch(/auth\/|WIRECHECK_(RESTRICTED|EXHAUSTED|LIMITED)_KEY|--reply-tokens|--parallel/);
  expect(text).toContain('WIRECHECK_SECOND_KEY');
});

describe('the help on report files', () => {
  it('is consistent: --reporter replaces the default files, unless --out is also given', async () => {
    const text = await helpOf('run');
    expect(flagIn(text, 'reporter')).toContain('replaces the default files unless --out is also given');
    for (const file of Object.values(DEFAULT_FILES)) expect(flagIn(text, 'out')).toContain(file);
  });

  it.each(['render', 'judge'])('differs for %s, which writes no files by default', async (name) => {
    const text = await helpOf(name);
    expect(flagIn(text, 'reporter')).not.toContain('default files');
    expect(flagIn(text, 'out')).not.toContain('wirecheck-report');
  });
});
