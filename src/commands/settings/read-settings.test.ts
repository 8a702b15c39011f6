import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { complaintIn, type Given, inputsIn, settingsIn } from '../../../test/kit/read-settings.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

const settings = (given: Given) => settingsIn(cwd, given);
const complaint = (given: Given) => complaintIn(cwd, given);

describe('settings', () => {
  it('have defaults', () => {
    const seed = expect.any(Number) as number;
    expect(settings({})).toEqual({ ...DEFAULT_SETTINGS, baseUrl: 'https://gateway.example/v1', seed });
  });

  it('come from the flag, then the variable, then the file', () => {
    const flags = { 'reply-tokens': '1' };
    const env = { WIRECHECK_REPLY_TOKENS: '2', WIRECHECK_STREAM_TOKENS: '22' };
    const config = 'replyTokens: 3\nstreamTokens: 33\nmodelsSample: 5\n';
    expect(settings({ flags, env, config })).toMatchObject({ replyTokens: 1, streamTokens: 22, modelsSample: 5 });
  });

  it('let a variable override the file even if it turns a switch off', () => {
    expect(settings({ env: { WIRECHECK_STRICT: 'false' }, config: 'strict: true' }).strict).toBe(false);
    expect(settings({ config: 'strict: true' }).strict).toBe(true);
  });

  it('treat an empty variable as unset', () => {
    expect(settings({ env: { WIRECHECK_MODEL: '', WIRECHECK_RETRIES: ' ' }, config: 'model: m' })).toMatchObject({
      model: 'm',
      retries: DEFAULT_SETTINGS.retries,
    });
  });

  it('replace a list rather than merge it', () => {
    const config = 'only: [a, b]\nskip: [c]';
    expect(settings({ flags: { only: ['x,y', 'z'] }, env: { WIRECHECK_SKIP: 'p\nq' }, config })).toMatchObject({
      only: ['x', 'y', 'z'],
      skip: ['p', 'q'],
    });
  });

  it('read times and sizes with units', () => {
    const flags = {
      timeout: '500ms',
      'idle-timeout': '1.5s',
      'max-time': '10m',
      'wait-for': '250',
      'max-body': '64KiB',
      'max-line': '1.5MiB',
      'max-stream': '1000',
    };
    const { timeouts, waitFor, limits } = settings({ flags });
    expect(timeouts).toMatchObject({ attempt: 500, idle: 1500, run: 600_000 });
    expect(waitFor).toBe(250);
    expect(limits).toMatchObject({ body: 65_536, line: 1_572_864, stream: 1000 });
  });

  it('read a rate with or without a unit', () => {
    expect(settings({ flags: { rate: '0.5/s' } }).ratePerSecond).toBe(0.5);
    expect(settings({ config: 'rate: 5' }).ratePerSecond).toBe(5);
  });

  it('fill ${VAR} into the texts of the file', () => {
    const config = 'model: ${NAME}-1\nreplyTokens: ${N}\nreporters:\n  - html=${NAME}.html\nlevels: {}';
    const env = { NAME: 'alpha', N: '8' };
    expect(settings({ config, env })).toMatchObject({ model: 'alpha-1', replyTokens: 8 });
    expect(inputsIn(cwd, { config, env }).merged.get('reporter')).toEqual(['html=alpha.html']);
    expect(complaint({ config, env: { ...env, N: 'x' } })).toBe(
      'wirecheck.config.yaml:2: replyTokens is "x": it must be a whole number from 1 to 100000.',
    );
  });

  it('take variables from an env file, which the environment overrides', () => {
    writeFileSync(join(cwd, 'vars'), 'WIRECHECK_MODEL=filed\nWIRECHECK_RETRIES=1\n');
    expect(settings({ flags: { 'env-file': 'vars' }, env: { WIRECHECK_RETRIES: '0' } })).toMatchObject({
      model: 'filed',
      retries: 0,
    });
  });

  it('take headers from flags, from the file, and as secrets from variables', () => {
    const config = 'headers: { X-Team: red }\nheadersFromEnv: { X-Secret: TOKEN }';
    expect(settings({ config, env: { TOKEN: 'hidden' } }).headers).toEqual([
      { name: 'X-Team', value: 'red', secret: false },
      { name: 'X-Secret', value: 'hidden', secret: true, variable: 'TOKEN' },
    ]);
    expect(settings({ flags: { header: ['Accept-Language: de, en'] }, config: '{}' }).headers).toEqual([
      { name: 'Accept-Language', value: 'de, en', secret: false },
    ]);
  });

  it('take level changes from the file', () => {
    expect(settings({ config: 'levels: { errors.code: should }' }).levels).toEqual({ 'errors.code': 'should' });
  });

  it('can leave out bodies by file or by flag', () => {
    expect(inputsIn(cwd, { config: 'bodies: false' }).merged.get('no-bodies')).toBe(true);
    expect(inputsIn(cwd, { config: 'bodies: true' }).merged.get('no-bodies')).toBe(false);
    expect(inputsIn(cwd, { flags: { 'no-bodies': true } }).merged.get('no-bodies')).toBe(true);
    expect(inputsIn(cwd, { config: 'bodies: ${KEEP}', env: { KEEP: 'no' } }).merged.get('no-bodies')).toBe(true);
  });
});

it('Files, suites and clauses that the config file names and that do not exist are reported together, with their lines', () => {
  const config = [
    'waivers: none.yaml',
    'levels:',
    '  errors.cod: must',
    'suites:',
    '  - auth',
    '  - atuh',
    '  - none.yaml',
    'baseline: none.json',
    'profile: acmee',
  ].join('\n');
  const starts = complaint({ config })
    .split('\n')
    .map((line) => line.replace('wirecheck.config.yaml:', ''));
  expect(starts).toEqual([
    '1: Cannot read the waiver file none.yaml: there is no such file. Check the name and the folder.',
    '3: unknown clause "errors.cod". Did you mean "errors.code"?',
    '6: Unknown suite "atuh". Did you mean "auth"?',
    `7: Cannot find the suite file ${join(cwd, 'none.yaml')}. Check the path.`,
    '8: Cannot read the baseline none.json: there is no such file. Check the name and the folder.',
    '9: Unknown profile "acmee". Use one of common-servers, or a .yaml file.',
  ]);
});
