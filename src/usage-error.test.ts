import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from './commands/command-line.ts';
import { packageRoot } from './contract/package-root.ts';
import { formatUsageError, USAGE_CODES, UsageError, usageErrorJson } from './usage-error.ts';

const CODES = Object.keys(USAGE_CODES) as (keyof typeof USAGE_CODES)[];

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'));
  writeFileSync(join(cwd, 'wrong.yaml'), 'replyTokens: many\n');
  writeFileSync(join(cwd, 'text.json'), 'no JSON');
  mkdirSync(join(cwd, 'empty'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const screen = { write: () => undefined, colour: false, live: false, columns: undefined };

async function mistake(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<UsageError> {
  try {
    await execute(args, { cwd, env, stdout: screen, stderr: screen, onInterrupt: () => () => undefined });
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('There was no mistake.');
}

const TARGET = 'http://127.0.0.1:1/v1';
const KEY = { WIRECHECK_API_KEY: 'sk-service-not-a-real-one' };

it('A key that is not set hides no other mistake', async () => {
  const { message } = await mistake(['run', TARGET, '--api-key-env', 'NOT_SET', '--only', 'nothing/*']);
  expect(message).toMatch(/^The variable NOT_SET, .*\n--only nothing\/\* matches no case\./);
});

describe('every mistake has a stable code', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>?]>([
    ['KEY_MISSING', ['run', TARGET]],
    ['KEY_MISSING', ['run', TARGET, '--api-key-env', 'NOT_SET']],
    ['KEY_INVALID', ['run', TARGET], { WIRECHECK_API_KEY: 'sk-service-two words' }],
    ['KEY_EXPOSED', ['run', TARGET, '--api-key', 'x']],
    ['KEY_EXPOSED', ['run', 'http://gateway.example/v1'], KEY],
    ['KEY_EXPOSED', ['run', 'https://user:secret@gateway.example/v1'], KEY],
    ['BASE_URL_MISSING', ['run'], KEY],
    ['VALUE_MISSING', ['run', TARGET, '--model'], KEY],
    ['VALUE_MISSING', ['explain']],
    ['VALUE_MISSING', ['load', TARGET], KEY],
    ['VALUE_MISSING', ['load', 'https://gateway.example/v1', '--max-completions', '9'], KEY],
    ['BAD_VALUE', ['run', TARGET, '--retries', 'often'], KEY],
    ['BAD_VALUE', ['run', 'gateway'], KEY],
    ['CONFLICT', ['run', TARGET, '--quiet', '--verbose'], KEY],
    ['CONFLICT', ['run', TARGET, '--profile-digest', 'a'.repeat(64)], KEY],
    ['BAD_VALUE', ['run', TARGET, '--header', 'Authorization: x'], KEY],
    ['TOO_MANY_ARGUMENTS', ['demo', 'one', 'two']],
    ['UNKNOWN_FLAG', ['run', '--nothing']],
    ['UNKNOWN_COMMAND', ['walk']],
    ['UNKNOWN_NAME', ['list', 'nothing']],
    ['UNKNOWN_NAME', ['explain', 'nothing']],
    ['UNKNOWN_NAME', ['run', TARGET, '--reporter', 'nothing=x'], KEY],
    ['UNKNOWN_COMMAND', ['selftest', 'nothing']],
    ['UNKNOWN_NAME', ['explain', 'nothing']],
    ['NO_CASES', ['run', TARGET, '--only', 'nothing/*'], KEY],
    ['BAD_VALUE', ['run', TARGET, '--only', 'nothing/*']],
    ['FILE_MISSING', ['render', 'nothing.json']],
    ['FILE_MISSING', ['board', 'empty']],
    ['FILE_UNREADABLE', ['judge', '.']],
    ['FILE_UNWRITABLE', ['run', TARGET, '--out', 'text.json/below'], KEY],
    ['FILE_EXISTS', ['run', TARGET, '--record', 'text.json'], KEY],
    ['FILE_INVALID', ['render', 'text.json']],
    ['CANNOT_LISTEN', ['gateway', '--host', '192.0.2.1']],
  ])('%s: %j', async (code, args, env) => {
    expect((await mistake(args, env)).code).toBe(`WIRECHECK_E_${code}`);
  });

  it('also in a file: the place is in the message, and in JSON on its own', async () => {
    const error = await mistake(['run', TARGET, '--config', 'wrong.yaml'], KEY);
    expect([error.kind, error.code]).toEqual(['FILE_INVALID', 'WIRECHECK_E_FILE_INVALID']);
    expect(JSON.parse(usageErrorJson(error))).toEqual({
      error: { code: 'WIRECHECK_E_FILE_INVALID', message: error.message, at: 'wrong.yaml:1' },
    });
  });
});

describe('the codes', () => {
  const documented = readFileSync(join(packageRoot(), 'docs/settings.md'), 'utf8');
  const root = join(packageRoot(), 'src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

  it.each(CODES)('%s is used and documented', (code) => {
    expect(documented).toContain(`| \`WIRECHECK_E_${code}\` | ${USAGE_CODES[code]} |`);
    expect(sources).toMatch(new RegExp(`'${code}'|usageError\\.${code}\\(`));
  });

  it('follow the sentence in brackets', () => {
    expect(formatUsageError(new UsageError('No.', { code: 'CONFLICT' }))).toBe('No. [WIRECHECK_E_CONFLICT]');
    expect(new UsageError('no.').code).toBe('WIRECHECK_E_BAD_VALUE');
    expect(new UsageError('no.', { file: 'a.yaml', line: 3 })).toMatchObject({
      code: 'WIRECHECK_E_FILE_INVALID',
      at: 'a.yaml:3',
    });
  });
});
