import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand as wirecheck } from '../../../test/kit/command.ts';
import { locateSuites } from './read-settings.ts';

const SUITE = `suite: house
title: House rules
cases:
  - id: list
    title: The list is answered
    request: models
    expect:
      - { clause: endpoint.models-answers, check: answered }
`;

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'wirecheck-suites-'));
  mkdirSync(join(cwd, 'ci'));
  writeFileSync(join(cwd, 'ci', 'house.yaml'), SUITE);
  writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'suites: [ci/house.yaml]\n');
});
afterAll(() => rmSync(cwd, { recursive: true }));

it.each([
  [['list', 'cases', '--suite', 'ci/house.yaml']],
  [['explain', '--suite', 'ci/house.yaml', 'house/list']],
  [['plan', '--suite', 'ci/house.yaml', '--only', 'house/list', '--json']],
  [['plan', '--only', 'house/list', '--json']],
  [['demo', '--suite', 'ci/house.yaml', '--out', 'none', '--verbose']],
  [['waive', 'house/list', '--suite', 'ci/house.yaml', '--reason', 'known', '--until', '2999-12-31']],
])('A suite file is read from the folder of the command: %j', async (args) => {
  const { exit, stdout, stderr } = await wirecheck(args, cwd);
  expect([exit, stderr.includes('Cannot find')]).toEqual([0, false]);
  expect(stdout).toContain('house/list');
});

it('A name stays as it was typed if the process runs in the same folder', () => {
  expect(locateSuites(['auth', './own.yaml'], process.cwd())).toEqual(['auth', './own.yaml']);
});
