import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { IS_POSIX } from '../../test/kit/platform.ts';
import { describeSettings } from '../report/make-report.ts';
import { repeatByCase } from '../report/repeat/repeat-command.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readInputs, toSettings } from './settings/read-settings.ts';
import { SETTING_NAMES } from '../settings/setting-names.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

const screen = { write: () => undefined, colour: false, live: false, columns: undefined };
const ENV = { WIRECHECK_PROXY: 'http://me:hush-hush@proxy.example:8080', GATE: 'hush-hush-hush' };

/** As a shell hands them to the program. */
function argumentsOf(command: string): readonly string[] {
  const env = { ...ENV, PATH: process.env['PATH'] };
  const text = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { env, encoding: 'utf8' });
  return text.trimEnd().split('\n');
}

function flagsIn(args: readonly string[]): Flags {
  const flags: Record<string, true | string[]> = {};
  for (const [index, name] of args.entries()) {
    if (!name.startsWith('--')) continue;
    const next = args[index + 1];
    const before = flags[name.slice(2)];
    if (next === undefined || next.startsWith('--')) flags[name.slice(2)] = true;
    else flags[name.slice(2)] = [...(typeof before === 'object' ? before : []), next];
  }
  return flags;
}

it.runIf(IS_POSIX)('The command that repeats a case restores every setting that the case depends on', () => {
  for (const file of ['ca.pem', 'client.pem', 'client.key', 'openapi.yaml', 'own cases.yaml'])
    writeFileSync(join(cwd, file), '');
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    baseUrl: 'http://gateway.example/v1',
    apiKeyFile: 'my key.txt',
    model: "it's a model",
    forbiddenModel: 'large-1',
    replyTokens: 8,
    streamTokens: 9,
    modelsSample: 1,
    strict: true,
    suites: ['auth', join(cwd, 'own cases.yaml')],
    only: ['auth/unknown-key[models]'],
    headers: [
      { name: 'X-Team', value: 'blue $HOME', secret: false },
      { name: 'X-Gate', value: ENV.GATE, secret: true, variable: 'GATE' },
    ],
    userAgent: 'gate/2',
    tls: {
      insecure: true,
      ca: join(cwd, 'ca.pem'),
      clientCert: join(cwd, 'client.pem'),
      clientKey: join(cwd, 'client.key'),
    },
    proxy: ENV.WIRECHECK_PROXY,
    allowHttp: true,
    timeouts: { ...DEFAULT_SETTINGS.timeouts, attempt: 1500, connect: 2, firstByte: 3, idle: 4 },
    retries: 0,
    maxRetryWait: 5,
    limits: { ...DEFAULT_SETTINGS.limits, body: 1, stream: 2, total: 3, line: 4, headers: 5, events: 6, depth: 7 },
    openapi: join(cwd, 'openapi.yaml'),
    seed: 12,
  };
  const described = { baseUrl: settings.baseUrl, settings: describeSettings(settings), seed: settings.seed };
  const words = argumentsOf(repeatByCase(described, settings.only[0] ?? ''));
  const [command, rest] = [words.slice(0, 5), words.slice(5)];
  expect(command).toEqual(['npx', '--no-install', 'wirecheck', 'run', settings.baseUrl]);
  expect(flagsIn(rest)['out']).toEqual(['none']);
  const io = { cwd, env: ENV, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  expect(toSettings(readInputs(SETTING_NAMES, flagsIn(rest), io), settings.baseUrl)).toEqual(settings);
});
