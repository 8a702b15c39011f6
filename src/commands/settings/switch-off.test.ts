import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { inFileOf, SETTING_NAMES, settingOf, variableOf } from '../../settings/setting-names.ts';
import { toggle } from '../../settings/value-types.ts';
import { flagsOf, offSwitchOf, optionOf } from './command-settings.ts';
import { readConfig } from './config-file.ts';
import { mergeSettings } from './merge-settings.ts';

/** As the command line is parsed. */
function flagsIn(args: readonly string[]) {
  const command = new Command('run').exitOverride();
  for (const name of SETTING_NAMES) {
    command.addOption(optionOf(name));
    const off = offSwitchOf(name);
    if (off) command.addOption(off);
  }
  command.parse(args, { from: 'user' });
  return flagsOf(command);
}

const valueOf = (
  name: (typeof SETTING_NAMES)[number],
  args: readonly string[],
  config = '',
  env: Readonly<Record<string, string>> = {},
) => {
  const sources = { flags: flagsIn(args), env, config: readConfig(config, 'c.yaml', {}) };
  const merged = mergeSettings([name], sources);
  sources.config.mistakes.throwAny();
  return merged.get(name);
};

const SWITCHES = SETTING_NAMES.filter((name) => settingOf(name).type === toggle);

describe('a switch', () => {
  it.each(SWITCHES)('can be turned off: %s', (name) => {
    const off = name === 'no-bodies' ? '--bodies' : `--no-${name}`;
    const { key, inverse } = inFileOf(name) ?? {};
    const config = key === undefined ? '' : `${key}: ${String(inverse !== true)}`;
    const env = { [variableOf(name)]: 'true' };
    expect(valueOf(name, [], config, env)).toBe(true);
    expect(valueOf(name, [off], config, env)).toBe(false);
    expect(valueOf(name, [], config, { [variableOf(name)]: 'false' })).toBe(false);
    // The last one typed counts.
    expect(valueOf(name, [`--${name}`, off])).toBe(false);
    expect(valueOf(name, [off, `--${name}`])).toBe(true);
  });
});

describe('none', () => {
  it.each([
    ['waivers', 'waivers: a.yaml'],
    ['baseline', 'baseline: a.json'],
    ['openapi', 'openapi: a.yaml'],
    ['proxy', 'proxy: http://proxy.example'],
    ['wait-for', 'waitFor: 60s'],
    ['max-completions', 'maxCompletions: 80'],
    ['rate', 'rate: 2/s'],
    ['api-key-env', 'apiKeyEnv: STAGING'],
  ] as const)('switches off what the config file has: %s', (name, config) => {
    expect(valueOf(name, [], config)).toBeDefined();
    expect(valueOf(name, [`--${name}`, 'none'], config)).toBeUndefined();
    expect(valueOf(name, [], config, { [variableOf(name)]: 'none' })).toBeUndefined();
  });

  it('empties a list', () => {
    expect(valueOf('skip', ['--skip', 'none'], 'skip: [auth/*]')).toEqual([]);
    expect(valueOf('header', ['--header', 'none'], 'headers: { X-Team: blue }')).toEqual([]);
  });

  it('is a value like another where there is a default', () => {
    expect(valueOf('user-agent', ['--user-agent', 'none'])).toBe('none');
    expect(valueOf('out', ['--out', 'none'])).toBe('none');
    expect(() => valueOf('retries', ['--retries', 'none'])).toThrow('--retries is "none"');
  });
});

describe('the file name of a reporter', () => {
  it('may hold commas', () => {
    expect(valueOf('reporter', ['--reporter', 'json=a,b.json'])).toEqual(['json=a,b.json']);
    expect(valueOf('reporter', ['--reporter', 'json=a,b.json,html=c.html,junit'])).toEqual([
      'json=a,b.json',
      'html=c.html',
      'junit',
    ]);
    expect(valueOf('reporter', [], '', { WIRECHECK_REPORTER: 'junit,json=a.json' })).toEqual(['junit', 'json=a.json']);
    expect(valueOf('reporter', ['--reporter', 'json,junti'])).toEqual(['json', 'junti']);
  });
});

it('A bare number of milliseconds below 100 was meant as seconds, and is refused wherever it stands', () => {
  expect(() => valueOf('timeout', ['--timeout', '5'])).toThrow('--timeout is "5"');
  expect(() => valueOf('timeout', [], 'timeout: 5')).toThrow('c.yaml:1: timeout must be a time');
  expect(() => valueOf('timeout', [], '', { WIRECHECK_TIMEOUT: '99' })).toThrow('WIRECHECK_TIMEOUT is "99"');
  expect(valueOf('timeout', ['--timeout', '100'])).toBe(100);
  expect(valueOf('timeout', [], 'timeout: 5ms')).toBe(5);
});

it('An empty variable counts as unset for every setting', () => {
  for (const name of SETTING_NAMES) {
    expect.soft(valueOf(name, [], '', { [variableOf(name)]: ' ' }), name).toEqual(valueOf(name, []));
  }
});
