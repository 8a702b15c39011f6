import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from './config-file.ts';
import { type Flags, mergeSettings } from './merge-settings.ts';
import { findKeys, requireKeys } from './read-keys.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

function merged(flags: Flags = {}, env: Record<string, string> = {}, config = '{}') {
  return mergeSettings(['api-key-env', 'api-key-file'], { flags, env, config: readConfig(config, 'c.yaml', {}) });
}

describe('the key', () => {
  it('comes from its variable, without the white space around it', () => {
    expect(requireKeys(merged(), { WIRECHECK_API_KEY: ' sk-a \n' }, cwd)).toEqual({ full: 'sk-a' });
  });

  it('comes from where a flag says, before its variable', () => {
    const env = { WIRECHECK_API_KEY: 'sk-a', OTHER: 'sk-b' };
    expect(requireKeys(merged({ 'api-key-env': 'OTHER' }), env, cwd).full).toBe('sk-b');
    writeFileSync(join(cwd, 'key'), 'sk-c\n');
    expect(requireKeys(merged({ 'api-key-file': 'key' }), env, cwd).full).toBe('sk-c');
  });

  it('comes from its variable before what the file says', () => {
    const config = 'apiKeyEnv: OTHER';
    expect(requireKeys(merged({}, {}, config), { WIRECHECK_API_KEY: 'sk-a', OTHER: 'sk-b' }, cwd).full).toBe('sk-a');
    expect(requireKeys(merged({}, {}, config), { OTHER: 'sk-b' }, cwd).full).toBe('sk-b');
  });

  it('has to be there for a run, but not for a plan', () => {
    expect(() => requireKeys(merged(), {}, cwd)).toThrow(
      /^There is no key: set WIRECHECK_API_KEY, or .*--api-key-file FILE\.$/,
    );
    expect(() => requireKeys(merged(), { WIRECHECK_API_KEY: '' }, cwd)).toThrow('is set, but empty');
    expect(findKeys(merged(), {}, cwd)).toEqual({});
  });

  it.each(['sk a', 'sk\ta', 'sk\u0000a', 'sk\na', 'sk\u007fa', 'sk\u00a0a', 'sk-ü'])(
    'is refused with anything odd inside, and not repeated: %j',
    (key) => {
      expect(() => requireKeys(merged(), { WIRECHECK_API_KEY: key }, cwd)).toThrow(
        /^(?!.*sk.?[aü]).*WIRECHECK_API_KEY/,
      );
    },
  );

  it('is not looked for in two places at once', () => {
    expect(() => requireKeys(merged({ 'api-key-env': 'A', 'api-key-file': 'b' }), { A: 'x' }, cwd)).toThrow(
      'give one of them',
    );
  });

  it('says so where the place that was named is empty', () => {
    expect(() => requireKeys(merged({ 'api-key-env': 'A' }), {}, cwd)).toThrow(
      'The variable A, which --api-key-env names, is not set.',
    );
    expect(() => requireKeys(merged({ 'api-key-file': 'none' }), {}, cwd)).toThrow(
      'The key file none cannot be read (ENOENT).',
    );
  });

  it('may be joined by lent ones', () => {
    const env = {
      WIRECHECK_API_KEY: 'a',
      WIRECHECK_RESTRICTED_KEY: 'b',
      WIRECHECK_EXHAUSTED_KEY: 'c',
      WIRECHECK_LIMITED_KEY: ' ',
    };
    expect(requireKeys(merged(), env, cwd)).toEqual({ full: 'a', restricted: 'b', exhausted: 'c' });
  });
});
