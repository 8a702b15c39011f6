import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { readChosen } from './choose-cases.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readInputs } from './settings/read-settings.ts';
import { SETTING_NAMES } from '../settings/setting-names.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

const screen = { write: () => undefined, colour: false, live: false, columns: undefined };

function complaint(config: string, flags: Flags = {}, env: Record<string, string> = {}): string {
  writeFileSync(join(cwd, 'wirecheck.config.yaml'), config);
  const around = { cwd, env, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  try {
    readChosen(readInputs(SETTING_NAMES, flags, around), 'https://gateway.example/v1');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'nothing was wrong';
}

it('A clause that is not there is shown on its very line', () => {
  expect(complaint('levels:\n  errors.json: should\n  erors.code: must\n')).toBe(
    'wirecheck.config.yaml:3: there is no clause "erors.code". Did you mean "errors.code"?',
  );
});

it('A choice that leaves no case is refused', () => {
  const sentence = 'No case is left: --skip takes away every case that was chosen.';
  expect(complaint('only: [auth/*]\n', { skip: ['auth/*', 'chat/*'] })).toBe(sentence);
  expect(complaint('{}', { skip: ['*'] })).toBe(sentence);
});

it('A glob that matches nothing is shown where it was written', () => {
  const sentence = 'auht/* matches no case. Did you mean "auth/*"?';
  expect(complaint('skip:\n  - chat/*\n  - auht/*\n')).toBe(`wirecheck.config.yaml:3: skip ${sentence}`);
  expect(complaint('{}', { only: ['chat/*', 'auht/*'] })).toBe(`--only ${sentence}`);
  expect(complaint('{}', {}, { WIRECHECK_ONLY: 'auht/*' })).toBe(`WIRECHECK_ONLY ${sentence}`);
  expect(complaint('{}', { only: ['auth'] })).toBe('--only auth matches no case. Did you mean "auth/*"?');
});
