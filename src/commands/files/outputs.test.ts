import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IS_POSIX } from '../../../test/kit/platform.ts';
import { type Flags, mergeSettings } from '../settings/merge-settings.ts';
import { type Outputs, readOutputs } from './outputs.ts';
import { prepareFiles } from './prepare-files.ts';
import { writeWhole } from './user-files.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

const screen = { write: () => undefined, colour: false, live: false, columns: undefined };

function checkOutputs(own: Outputs) {
  const io = { cwd, env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  prepareFiles({ inputs: { merged: mergeSettings([], { flags: {} }), io }, outputs: [own] });
}

const outputs = (flags: Flags, env: Readonly<Record<string, string>> = {}, isTerminal = false) =>
  readOutputs(mergeSettings(['reporter', 'out', 'quiet', 'verbose'], { flags, env, config: undefined }), {
    cwd,
    env,
    stdout: { ...screen, isTerminal },
  });

const DEFAULT_FILES = ['report.json', 'report.html', 'junit.xml', 'report.md'];

describe('outputs', () => {
  it('default to the standard files', () => {
    expect(outputs({}).files.map(({ path }) => path)).toEqual(
      DEFAULT_FILES.map((name) => join(cwd, 'wirecheck-report', name)),
    );
  });

  it('can be turned off or go to another folder', () => {
    expect(outputs({ out: 'none' })).toEqual({ files: [] });
    expect(outputs({ out: 'there' }).files.map(({ path }) => path)).toEqual(
      DEFAULT_FILES.map((name) => join(cwd, 'there', name)),
    );
  });

  it('cannot go to a file instead of a folder, and the error says what to do', () => {
    writeFileSync(join(cwd, 'there'), '');
    expect(() => outputs({ out: 'there' })).toThrow(
      '--out names there, which is a file: name a folder, or use --reporter html=FILE.',
    );
  });

  it('are only the requested reporters', () => {
    expect(outputs({ reporter: ['json=a.json'] })).toEqual({ files: [{ format: 'json', path: join(cwd, 'a.json') }] });
    expect(outputs({ reporter: ['json'] })).toEqual({ stdout: 'json', files: [] });
  });

  it('are both the default files and the requested ones if --out is also given', () => {
    expect(outputs({ reporter: ['json=a.json'], out: 'there' }).files).toHaveLength(DEFAULT_FILES.length + 1);
  });

  it.each([
    [['jsno'], 'Unknown reporter "jsno". Did you mean "json"?'],
    [['xml'], /^Unknown reporter "xml"\. Use one of terminal, json/],
    [['json='], '--reporter json= needs a file name after the equals sign.'],
    [['json', 'terminal'], 'Only one reporter can write to stdout: give the others a file, as in terminal=FILE.'],
  ])('are refused if they make no sense: %j', (reporter, message) => {
    expect(() => outputs({ reporter })).toThrow(message);
  });
});

describe('checking the outputs', () => {
  it('creates the folder and leaves it empty', () => {
    checkOutputs(outputs({ out: 'a/b' }));
    expect(readdirSync(join(cwd, 'a/b'))).toEqual([]);
  });

  it('refuses a file in place of the folder, or a folder in place of a file', () => {
    writeFileSync(join(cwd, 'taken'), '');
    expect(() => checkOutputs(outputs({ out: 'taken/below' }))).toThrow('Cannot write');
    mkdirSync(join(cwd, 'r.json'));
    expect(() => checkOutputs(outputs({ reporter: ['json=r.json'] }))).toThrow('it is a folder');
  });

  // The superuser may write anywhere.
  it.runIf(IS_POSIX && process.getuid?.() !== 0)('refuses a read-only folder', () => {
    mkdirSync(join(cwd, 'locked'));
    chmodSync(join(cwd, 'locked'), 0o500);
    expect(() => checkOutputs(outputs({ out: 'locked' }))).toThrow('EACCES');
  });
});

describe('a file', () => {
  it('is replaced atomically, without leftovers', () => {
    const path = join(cwd, 'x/report.json');
    writeWhole(path, 'old');
    writeWhole(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(join(cwd, 'x'))).toEqual(['report.json']);
  });

  it('is unchanged if it cannot be replaced', () => {
    mkdirSync(join(cwd, 'folder/inside'), { recursive: true });
    expect(() => writeWhole(join(cwd, 'folder'), 'text')).toThrow();
    expect(existsSync(join(cwd, 'folder/inside'))).toBe(true);
    expect(readdirSync(cwd)).toEqual(['folder']);
  });
});

describe('output for agents', () => {
  const AGENT = { AI_AGENT: 'one' };

  it('is chosen where a variable says that an agent runs the command, and changes no file', () => {
    expect(outputs({}, AGENT)).toEqual({ ...outputs({}), stdout: 'agent', agentSign: 'AI_AGENT is set' });
    expect(outputs({}, { CLAUDECODE: '1' }).agentSign).toBe('CLAUDECODE is set');
    expect(outputs({}, { EDITOR: '/opt/devin/edit' }).agentSign).toBe('EDITOR names one');
    expect(outputs({}, { EDITOR: 'vi', PATH: '/usr/bin', AI_AGENT: '' })).toEqual(outputs({}));
  });

  it.each<[string, Flags, Record<string, string>]>([
    ['a reporter', { reporter: ['terminal'] }, AGENT],
    ['a reporter with a file', { reporter: ['junit=a.xml'] }, AGENT],
    ['--quiet', { quiet: true }, AGENT],
    ['--verbose', { verbose: true }, AGENT],
    ['a variable', {}, { ...AGENT, WIRECHECK_REPORTER: 'json' }],
    ['WIRECHECK_AGENT=0', {}, { ...AGENT, WIRECHECK_AGENT: '0' }],
  ])('is not chosen with %s', (_what, flags, env) => {
    expect(outputs(flags, env).agentSign).toBeUndefined();
  });

  it('is not chosen on a terminal', () => {
    expect(outputs({}, AGENT, true)).toEqual(outputs({}));
  });

  it('keeps the default files, so that there is a full report to name', () => {
    expect(outputs({ reporter: ['agent'] })).toEqual({ ...outputs({}), stdout: 'agent' });
    expect(outputs({ reporter: ['agent=a.txt'] }).files).toEqual([{ format: 'agent', path: join(cwd, 'a.txt') }]);
  });
});
