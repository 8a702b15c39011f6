/** Someone with house rules: clauses, levels and cases of their own, through every command that shows them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../src/gateway/index.ts';
import { DEFAULT_SETTINGS } from '../src/settings.ts';
import { contractOf } from '../src/contract/profile/apply-profile.ts';
import { loadSuites } from '../src/suite/read-suites.ts';
import type { Report } from '../src/report/report.ts';
import { sealReport } from '../src/report/seal-report.ts';
import { runCommand } from './kit/command.ts';

const HOUSE = `suite: house
title: House rules
clauses:
  - id: house.request-id
    level: must
    summary: Every answer has the header x-request-id.
    hurts: Support cannot find a call.
cases:
  - id: request-id
    title: Every answer has the header x-request-id
    over: ['*']
    expect:
      - { clause: house.request-id, check: header-present, name: x-request-id }
  - id: temperature
    title: temperature 1.5 is not answered here
    control: chat
    set: { /temperature: 1.5 }
    expect:
      - { clause: limits.temperature, check: refused, level: LEVEL }
`;

let cwd: string;
let gateway: Gateway;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'wirecheck-house-'));
  gateway = await startGateway({ eventGapMs: 1 });
  writeFileSync(join(cwd, 'house.yaml'), HOUSE.replace('LEVEL', 'should'));
  writeFileSync(
    join(cwd, 'strict.yaml'),
    HOUSE.replace('limits.temperature', 'completion.id-present').replace('LEVEL', 'must'),
  );
});
afterAll(async () => {
  await gateway.close();
  rmSync(cwd, { recursive: true });
});

const wirecheck = (...args: readonly string[]) => runCommand(args, cwd, { WIRECHECK_API_KEY: gateway.keys.full });
const run = (...args: readonly string[]) => wirecheck('run', gateway.baseUrl, '--suite', 'house.yaml', ...args);
const reportIn = (file: string) => JSON.parse(readFileSync(join(cwd, file), 'utf8')) as Report;

it('A clause of a suite is judged, named and counted like any other, live and from a recording', async () => {
  const live = await run('--record', 'run.ndjson', '--out', 'live');
  expect(live.exit).toBe(1);
  expect(live.stdout).toMatch(/✗ house\/request-id +must/);
  expect(live.stdout).toContain('Who is hurt  Support cannot find a call.');
  // Not in answers to other paths and methods, which the check leaves out.
  expect(live.stdout).toMatch(/Expected +the header x-request-id, not empty\n/);
  expect(live.stdout).toContain('Actual       no such header, or an empty one');
  expect(live.stdout).toMatch(/^DOES NOT CONFORM TO v1 WITH 1 CHANGE: 1 must clause broken \(\d+ of 79 judged\)/m);
  const report = reportIn('live/report.json');
  expect(report.clauses.find(({ id }) => id === 'house.request-id')).toMatchObject({ level: 'must', verdict: 'fail' });
  expect(readFileSync(join(cwd, 'live/report.html'), 'utf8')).toContain('house.request-id');
  const again = await wirecheck('judge', 'run.ndjson', '--out', 'again');
  expect(again.exit).toBe(1);
  expect(reportIn('again/report.json').cases).toEqual(report.cases);
  expect((await wirecheck('verify', 'live/report.json', 'run.ndjson')).exit).toBe(0);
});

it('A comparison explains a clause of a suite with the suite, as the report does', async () => {
  const explain = `npx --no-install wirecheck explain house.request-id --suite ${join(cwd, 'house.yaml')}`;
  const promising = await startGateway({ eventGapMs: 1, promises: { headers: ['x-request-id'] } });
  try {
    const kept = await runCommand(
      ['run', promising.baseUrl, '--suite', 'house.yaml', '--only', 'house/request-id', '--record', 'kept.ndjson'],
      cwd,
      { WIRECHECK_API_KEY: promising.keys.full },
    );
    expect(kept.exit).toBe(0);
  } finally {
    await promising.close();
  }
  const broken = await run('--only', 'house/request-id', '--record', 'broken.ndjson');
  expect(broken.stdout).toContain(explain);
  const compared = await wirecheck(
    'compare',
    'kept.ndjson',
    'broken.ndjson',
    '--reporter',
    'agent',
    '--reporter',
    'html=c.html',
  );
  expect(compared.stdout).toContain(`\nExplain: ${explain}\n`);
  expect(readFileSync(join(cwd, 'c.html'), 'utf8').replaceAll(/<[^>]*>/g, '')).toContain(explain);
  expect((await wirecheck(...explain.split(' ').slice(3))).exit).toBe(0);
});

it('A suite file that has changed since the run cannot verify its report, and a report cannot claim one', async () => {
  const suite = HOUSE.replace('LEVEL', 'should');
  const write = (file: string, report: Report): void =>
    writeFileSync(join(cwd, file), JSON.stringify(sealReport(report)));
  await run('--record', 'own.ndjson', '--out', 'own', '--only', 'house/*');
  const report = reportIn('own/report.json');
  write('forged.json', { ...report, notices: [...report.notices, { kind: 'suite-changed', file: 'house.yaml' }] });
  expect((await wirecheck('verify', 'forged.json', 'own.ndjson')).stdout).toMatch(/^NOT VERIFIED/);
  try {
    writeFileSync(join(cwd, 'house.yaml'), `${suite}# A comment.\n`);
    const same = await wirecheck('verify', 'own/report.json', 'own.ndjson');
    expect([same.exit, same.stdout]).toEqual([
      0,
      expect.stringMatching(/^VERDICTS VERIFIED.*\sA suite file has\schanged/s),
    ]);
    writeFileSync(join(cwd, 'house.yaml'), suite.replace('name: x-request-id', 'name: content-type'));
    const other = await wirecheck('verify', 'own/report.json', 'own.ndjson');
    expect([other.exit, other.stdout]).toEqual([
      2,
      expect.stringMatching(/^NOT COMPARABLE.* the\ssuite file of the run/s),
    ]);
  } finally {
    writeFileSync(join(cwd, 'house.yaml'), suite);
  }
});

it('An expectation at a lower level warns, and leaves its must clause open', async () => {
  await run('--out', 'level', '--only', 'house/temperature');
  const { cases, outcome } = reportIn('level/report.json');
  const judged = cases.find(({ id }) => id === 'house/temperature')?.expectations[0];
  expect(judged).toMatchObject({ clause: 'limits.temperature', level: 'should', verdict: 'warn' });
  expect(outcome.name).toBe('conforms-in-part');
  const strict = await run('--out', 'level', '--only', 'house/temperature', '--strict');
  expect([strict.exit, strict.stdout]).toEqual([1, expect.stringContaining(': 1 should clause (--strict) broken')]);
});

it('An expectation cannot raise the level of its clause', async () => {
  const { exit, stderr } = await wirecheck('plan', '--suite', 'strict.yaml');
  expect([exit, stderr]).toEqual([
    2,
    expect.stringMatching(/strict\.yaml:19: completion\.id-present is only should, and level can only lower that\. /),
  ]);
});

it('No expectation of wirecheck has a level of its own: severity comes from the clause', () => {
  const contract = contractOf(DEFAULT_SETTINGS);
  const cases = loadSuites([], contract).flatMap((suite) => suite.cases);
  expect(cases.filter(({ expect: expected }) => expected.some(({ level }) => level !== undefined))).toEqual([]);
});

it('waive finds the clause of a profile, by flag or by config file', async () => {
  const own = mkdtempSync(join(cwd, 'profile-'));
  writeFileSync(join(own, 'house.yaml'), HOUSE.replace('LEVEL', 'should'));
  const changes = '  - { clause: auth.key-prefix, level: observe, why: Ours start with acme. }';
  const profile = `profile: acme\nversion: '1'\nbasedOn: v1\nsuite: house.yaml\nchanges:\n${changes}\n`;
  writeFileSync(join(own, 'acme.yaml'), profile);
  const waive = (...more: readonly string[]) =>
    runCommand(['waive', 'house.request-id', '--reason', 'Soon.', '--until', '2100-01-01', ...more], own);
  expect((await waive()).stderr).toContain('No clause, case or fingerprint "house.request-id"');
  expect((await waive('--profile', 'acme.yaml')).exit).toBe(0);
  writeFileSync(join(own, 'wirecheck.config.yaml'), 'profile: acme.yaml\n');
  expect((await waive('--waivers', 'other.yaml')).exit).toBe(0);
});

it('list, explain, plan and waive know the clause', async () => {
  expect((await wirecheck('list', 'clauses', '--suite', 'house.yaml')).stdout).toMatch(/^house\.request-id .*must/m);
  const explained = await wirecheck('explain', 'house.request-id', '--suite', 'house.yaml');
  expect(explained.stdout).toMatch(/Who is hurt +Support cannot find a call\.\n +Cases +house\/request-id/);
  expect((await wirecheck('plan', '--suite', 'house.yaml')).stdout).toContain('Contract: v1 with 1 change');
  const waived = ['house.request-id', '--suite', 'house.yaml', '--reason', 'Soon.', '--until', '2100-01-01'];
  expect((await wirecheck('waive', ...waived)).exit).toBe(0);
  const excused = await run('--waivers', 'wirecheck.waivers.yaml', '--out', 'waived');
  expect([excused.exit, excused.stdout]).toEqual([0, expect.stringContaining('EXCEPT FOR 1 WAIVED')]);
  const known = await run('--baseline', 'live/report.json', '--out', 'known');
  expect([known.exit, known.stdout]).toEqual([0, expect.stringContaining('NO NEW VIOLATIONS')]);
});
