import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../usage-error.ts';
import { readConfig } from './config-file.ts';
import { type Flags, type Merged, mergeSettings } from './merge-settings.ts';
import { findExtraKeys, requireKeys as requireKeysOf } from './read-settings.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

function merged(flags: Flags = {}, env: Record<string, string> = {}, config = '{}') {
  return mergeSettings(['api-key-env', 'api-key-file'], { flags, env, config: readConfig(config, 'c.yaml', {}) });
}

function requireKeys(merged: Merged, env: Record<string, string>, folder: string) {
  return requireKeysOf({ merged, env, io: { cwd: folder } });
}

describe('the key', () => {
  it('comes from its variable, with surrounding whitespace trimmed', () => {
    expect(requireKeys(merged(), { WIRECHECK_API_KEY: ' sk-a \n' }, cwd)).toEqual({ full: 'sk-a' });
  });

  it('comes from the source in a flag, which overrides its variable', () => {
    const env = { WIRECHECK_API_KEY: 'sk-a', OTHER: 'sk-b' };
    expect(requireKeys(merged({ 'api-key-env': 'OTHER' }), env, cwd).full).toBe('sk-b');
    writeFileSync(join(cwd, 'key'), 'sk-c\n');
    expect(requireKeys(merged({ 'api-key-file': 'key' }), env, cwd).full).toBe('sk-c');
  });

  it('comes from the variable that the config file names, which overrides the usual one', () => {
    const config = 'apiKeyEnv: OTHER';
    expect(requireKeys(merged({}, {}, config), { WIRECHECK_API_KEY: 'sk-a', OTHER: 'sk-b' }, cwd).full).toBe('sk-b');
    expect(requireKeys(merged({}, {}, config), { OTHER: 'sk-b' }, cwd).full).toBe('sk-b');
    expect(requireKeys(merged({}, {}, '{}'), { WIRECHECK_API_KEY: 'sk-a', OTHER: 'sk-b' }, cwd).full).toBe('sk-a');
  });

  it('never comes from the usual variable if the one that was named is not set', () => {
    expect(() => requireKeys(merged({}, {}, 'apiKeyEnv: OTHER'), { WIRECHECK_API_KEY: 'sk-a' }, cwd)).toThrow(
      'The variable OTHER, named by apiKeyEnv, is not set: set it to the key, or name another variable.',
    );
  });

  it('comes from the source that the flag names, then a variable, then the config file', () => {
    writeFileSync(join(cwd, 'key'), 'sk-c\n');
    const env = { WIRECHECK_API_KEY: 'sk-a', A: 'sk-1', B: 'sk-2' };
    const given = { WIRECHECK_API_KEY_ENV: 'A' };
    expect(requireKeys(merged({ 'api-key-env': 'B' }, given, 'apiKeyFile: key'), env, cwd).full).toBe('sk-2');
    expect(requireKeys(merged({ 'api-key-file': 'key' }, given, 'apiKeyEnv: B'), env, cwd).full).toBe('sk-c');
    expect(requireKeys(merged({}, given, 'apiKeyFile: key'), env, cwd).full).toBe('sk-1');
    expect(requireKeys(merged({}, {}, 'apiKeyFile: key'), env, cwd).full).toBe('sk-c');
  });

  it('has one source: two are named as they were written', () => {
    const env = { WIRECHECK_API_KEY_ENV: 'A', WIRECHECK_API_KEY_FILE: 'key' };
    const refused = (...given: Parameters<typeof merged>) => expect(() => requireKeys(merged(...given), {}, cwd));
    refused({ 'api-key-env': 'A', 'api-key-file': 'key' }).toThrow(/^--api-key-env and --api-key-file cannot/);
    refused({}, env).toThrow(/^WIRECHECK_API_KEY_ENV and WIRECHECK_API_KEY_FILE cannot/);
    refused({}, {}, 'apiKeyFile: key\napiKeyEnv: A').toThrow(
      /^c\.yaml:2: apiKeyEnv and apiKeyFile cannot be used together: give one of them\.$/,
    );
  });

  it('is required for a run, but not for a plan', () => {
    expect(() => requireKeys(merged(), {}, cwd)).toThrow(
      /^No API key: set WIRECHECK_API_KEY, or .*--api-key-file FILE\.$/,
    );
    expect(() => requireKeys(merged(), { WIRECHECK_API_KEY: '' }, cwd)).toThrow('is set, but empty');
    expect(findExtraKeys({})).toEqual({});
  });

  it.each(['sk a', 'sk\ta', 'sk\u0000a', 'sk\na', 'sk\u007fa', 'sk\u00a0a', 'sk-ü'])(
    'is refused with invalid characters, and not shown: %j',
    (key) => {
      expect(() => requireKeys(merged(), { WIRECHECK_API_KEY: key }, cwd)).toThrow(
        /^(?!.*sk.?[aü]).*WIRECHECK_API_KEY/,
      );
    },
  );

  it.each([
    ['sk-a\nsk-b', 'contains a line break: give one key, on one line.'],
    ['Bearer sk-a', 'starts with Bearer: remove that word, which every request adds.'],
    ['sk a', 'contains white space: copy only the key.'],
    ['"sk-a"', 'is in quotes: remove them.'],
    ["'sk-a'", 'is in quotes: remove them.'],
    ['WIRECHECK_API_KEY=sk-a', 'looks like NAME=VALUE: give the value alone, or name an env file with --env-file.'],
    ['sk-ü', 'contains non-ASCII characters, which a header cannot carry: copy it again.'],
    ['k'.repeat(20_000), 'has 20,000 characters, which servers refuse (the limit is 4,096): check that it is a key.'],
  ])('in an invalid file is refused with the reason', (key, sentence) => {
    writeFileSync(join(cwd, 'key'), `${key}\n`);
    expect(() => requireKeys(merged({ 'api-key-file': 'key' }), {}, cwd)).toThrow(
      new UsageError(`The key in the key file key ${sentence}`, { code: 'KEY_INVALID' }),
    );
  });

  it('may have any character valid in a header, the maximum length, and a trailing newline', () => {
    const odd = `sk-service-${String.fromCharCode(...Array.from({ length: 94 }, (_, place) => 0x21 + place))}=`;
    writeFileSync(join(cwd, 'key'), `\uFEFF ${odd}\r\n`);
    expect(requireKeys(merged({ 'api-key-file': 'key' }), {}, cwd).full).toBe(odd);
    expect(requireKeys(merged(), { WIRECHECK_API_KEY: 'QUJDREVGRw==' }, cwd).full).toBe('QUJDREVGRw==');
    expect(requireKeys(merged(), { WIRECHECK_API_KEY: 'k'.repeat(4096) }, cwd).full).toHaveLength(4096);
  });

  it('cannot come from two sources at once', () => {
    expect(() => requireKeys(merged({ 'api-key-env': 'A', 'api-key-file': 'b' }), { A: 'x' }, cwd)).toThrow(
      'give one of them',
    );
    expect(() => requireKeys(merged({}, {}, 'apiKeyEnv: A\napiKeyFile: b'), { A: 'x' }, cwd)).toThrow(
      'give one of them',
    );
  });

  it('is reported as missing if the named source is empty', () => {
    expect(() => requireKeys(merged({ 'api-key-env': 'A' }), {}, cwd)).toThrow(
      'The variable A, named by --api-key-env, is not set: set it to the key, or name another variable.',
    );
    expect(() => requireKeys(merged({ 'api-key-file': 'missing.txt' }), {}, cwd)).toThrow(
      'Cannot read the key file missing.txt: there is no such file. Check the name and the folder.',
    );
  });

  it.each(['sk-service-abcdefgh', 'hunter2hunter2', 'K'.repeat(80)])(
    'is not echoed if it is given as its variable: %s',
    (key) => {
      expect(() => requireKeys(merged({ 'api-key-env': key }), {}, cwd)).toThrow(
        new RegExp(`^(?!.*${key}).*--api-key-env`),
      );
    },
  );

  it('may be accompanied by extra keys', () => {
    const env = {
      WIRECHECK_API_KEY: 'a',
      WIRECHECK_RESTRICTED_KEY: 'b',
      WIRECHECK_EXHAUSTED_KEY: 'c',
      WIRECHECK_LIMITED_KEY: ' ',
    };
    expect(requireKeys(merged(), env, cwd)).toEqual({ full: 'a', restricted: 'b', exhausted: 'c' });
  });
});
