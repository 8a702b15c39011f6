import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { broken, conforming } from '../../test/kit/sample-reports.ts';
import type { Report } from '../report/report.ts';
import { UsageError } from '../usage-error.ts';
import { failedCases, readSelected } from './choose-cases.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readInputs } from './settings/read-settings.ts';
import { SETTING_NAMES } from '../settings/setting-names.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'))));
afterEach(() => rmSync(cwd, { recursive: true }));

const screen = { write: () => undefined, colour: false, live: false, columns: undefined };

function complaint(config: string, flags: Flags = {}, env: Record<string, string> = {}): string {
  writeFileSync(join(cwd, 'wirecheck.config.yaml'), config);
  const io = { cwd, env, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  try {
    readSelected(readInputs(SETTING_NAMES, flags, io), 'https://gateway.example/v1');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'nothing was wrong';
}

it('An unknown clause is reported with its line', () => {
  expect(complaint('levels:\n  errors.json: should\n  erors.code: must\n')).toBe(
    'wirecheck.config.yaml:3: unknown clause "erors.code". Did you mean "errors.code"?',
  );
});

it('The id of a clause chooses the cases that judge it', () => {
  const io = { cwd, env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  const chosen = (only: readonly string[]) =>
    readSelected(readInputs(SETTING_NAMES, { only }, io), 'https://gateway.example/v1').only;
  expect(chosen(['errors.code'])).toContain('errors/every-error-body[code]');
  expect(chosen(['limits.temp*'])).toContain('streaming/sampling[temperature]');
  expect(chosen(['limits.temp*']).every((id) => /^(parameters|streaming)\//.test(id))).toBe(true);
  expect(chosen(['auth/*', 'list.unique'])).toEqual(['auth/*', 'models/every-list']);
  expect(complaint('{}', { only: ['erors.code'] })).toBe(
    '--only erors.code matches no case. Did you mean "errors.code"?',
  );
});

it('A selection without cases is refused', () => {
  const sentence = 'No cases to run: --skip matches every selected case.';
  expect(complaint('only: [auth/*]\n', { skip: ['auth/*', 'chat/*'] })).toBe(sentence);
  expect(complaint('{}', { skip: ['*'] })).toBe(sentence);
});

it('A glob that matches nothing is reported with its source', () => {
  const sentence = 'auht/* matches no case. Did you mean "auth/*"?';
  expect(complaint('skip:\n  - chat/*\n  - auht/*\n')).toBe(`wirecheck.config.yaml:3: skip ${sentence}`);
  expect(complaint('{}', { only: ['chat/*', 'auht/*'] })).toBe(`--only ${sentence}`);
  expect(complaint('{}', {}, { WIRECHECK_ONLY: 'auht/*' })).toBe(`WIRECHECK_ONLY ${sentence}`);
  expect(complaint('{}', { only: ['auth'] })).toBe('--only auth matches no case. Did you mean "auth/*"?');
});

it('Every glob that matches nothing is reported, also beside other mistakes', () => {
  const config = ['only:', '  - erors.code', '  - auht/*', 'waivers: none.yaml', 'levels:', '  errors.cod: must'];
  expect(complaint(config.join('\n')).split('\n')).toEqual([
    'wirecheck.config.yaml:2: only erors.code matches no case. Did you mean "errors.code"?',
    'wirecheck.config.yaml:3: only auht/* matches no case. Did you mean "auth/*"?',
    'wirecheck.config.yaml:4: Cannot read the waiver file none.yaml: there is no such file. Check the name and the folder.',
    'wirecheck.config.yaml:6: unknown clause "errors.cod". Did you mean "errors.code"?',
  ]);
  expect(complaint('profile: none.yaml\nonly: [erors.code]')).not.toContain('erors.code');
  const form = [
    'retries: 1.5',
    'levels: { errors.cod: must, errors.code: msut, usage.sum: must }',
    'skip: [chat/nothing]',
  ];
  expect(complaint(form.join('\n')).split('\n')).toEqual([
    'wirecheck.config.yaml:1: retries must be a whole number from 0 to 10, not 1.5.',
    'wirecheck.config.yaml:2: errors.code must be one of must, should, observe, not "msut". Did you mean "must"?',
    'wirecheck.config.yaml:2: unknown clause "errors.cod". Did you mean "errors.code"?',
    'wirecheck.config.yaml:2: unknown clause "usage.sum". `npx --no-install wirecheck list clauses` lists the ids.',
    'wirecheck.config.yaml:3: skip chat/nothing matches no case. `npx --no-install wirecheck list cases` lists the ids.',
  ]);
});

it('Cases of a suite that this run does not load are not left out silently', () => {
  const { cases, provenance, ...rest } = broken();
  const own = cases.map((each) => (each.id === 'chat/slow' ? { ...each, id: 'house/slow', suite: 'house' } : each));
  const settings = { ...provenance.settings, suites: ['house.yaml', 'auth'] };
  const older = { ...rest, cases: own, provenance: { ...provenance, settings } };
  writeFileSync(join(cwd, 'older.json'), JSON.stringify(older));
  expect(complaint('{}', { 'rerun-failed': 'older.json' })).toBe(
    'house/slow failed in older.json, but this run does not have it: add --suite house.yaml,auth, as that run did.',
  );
  const bare = { ...older, provenance };
  writeFileSync(join(cwd, 'older.json'), JSON.stringify(bare));
  expect(complaint('{}', { 'rerun-failed': 'older.json' })).toMatch(/: give the --profile of that run\.$/);
});

function failedIn(report: Report): readonly string[] {
  return failedCases(report, 'report.json');
}

describe('the cases to run again', () => {
  it('are those that were broken or could not be judged', () => {
    expect(failedIn(broken())).toEqual(['auth/unknown-key[models]', 'parameters/temperature-above-range', 'chat/slow']);
  });

  it('include warnings if they failed the older run', () => {
    expect(failedIn(broken({ strict: true }))).toContain('chat/label');
  });

  it('are refused if there are none: a run without cases is never a pass', () => {
    expect(() => failedIn(conforming())).toThrow('No cases to run again');
  });
});
