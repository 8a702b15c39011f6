import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/kit/command.ts';

let cwd: string;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'wirecheck-'));
  await runCommand(['demo', '--only', 'models/*', '--out', 'a', '--record', 'a.ndjson'], cwd);
});
afterAll(() => rmSync(cwd, { recursive: true }));

describe('--json prints nothing but one JSON value on stdout', () => {
  it.each<[readonly string[]]>([
    [['list']],
    [['list', 'clauses']],
    [['explain', 'errors.code']],
    [['plan']],
    [['load', 'https://gateway.example/v1', '--plan', '--max-completions', '200']],
    [['profile']],
    [['explain', 'common-servers']],
    [['list', 'editions']],
    [['list', 'profiles']],
    [['schema', '--list']],
    [['schema', 'openapi']],
    [['demo', '--only', 'models/*', '--out', 'none']],
    [['render', 'a/report.json']],
    [['judge', 'a.ndjson']],
    [['compare', 'a/report.json', 'a/report.json']],
    [['verify', 'a/report.json', 'a.ndjson']],
    [['board', 'a', '--out', 'none']],
  ])('%j', { timeout: 60_000 }, async (args) => {
    const { exit, stdout } = await runCommand([...args, '--json'], cwd);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toBeTypeOf('object');
    expect(stdout.endsWith('\n')).toBe(true);
  });

  it('plan needs no key, even if the config file names one that is not there', async () => {
    writeFileSync(join(cwd, 'keys.yaml'), 'apiKeyEnv: NOT_HERE\n');
    writeFileSync(join(cwd, 'file.yaml'), 'apiKeyFile: not-here\n');
    for (const config of ['keys.yaml', 'file.yaml']) {
      expect((await runCommand(['plan', '--config', config], cwd)).exit).toBe(0);
    }
  });

  it('run, relay, client and load take it as well', async () => {
    for (const command of ['run', 'relay', 'client', 'load']) {
      expect((await runCommand([command, '--help'], cwd)).stdout).toMatch(/--json +short for --reporter json/);
    }
  });
});

describe('output for agents', () => {
  const AGENT = { AI_AGENT: 'one' };

  it('says first why it is there, and the files are those of any other run', async () => {
    const { exit, stdout, stderr } = await runCommand(
      ['demo', '--only', 'errors/*', '--fault', 'error-code-integer', '--out', 'b'],
      cwd,
      AGENT,
    );
    expect(exit).toBe(1);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Output for agents (AI_AGENT is set); --reporter terminal for people');
    expect(lines[1]).toMatch(/^DOES NOT CONFORM: /);
    expect(stdout).toContain(`Full report: ${join('b', 'report.json')}`);
    expect(lines.at(-2)).toBe('Exit code 1: does not conform');
    expect(stderr).not.toContain('Requirement');
  });

  it('also of a stored report, a recording, a comparison and a board', async () => {
    for (const args of [
      ['render', 'a/report.json'],
      ['judge', 'a.ndjson'],
      ['compare', 'a/report.json', 'a.ndjson'],
      ['board', 'a'],
    ]) {
      const { stdout } = await runCommand(args, cwd, AGENT);
      expect(stdout).toMatch(/^Output for agents \(AI_AGENT is set\); --reporter terminal for people\n[A-Z]/);
      expect(stdout).toMatch(/\nExit code 0: .+\n$/);
    }
  });

  it('names the line of the config file that changes the level of a broken clause, and of a waiver that is over', async () => {
    writeFileSync(join(cwd, 'levels.yaml'), '# Ours.\nlevels:\n  stream.done: must\n');
    writeFileSync(
      join(cwd, 'waivers.yaml'),
      'waivers:\n  - clause: errors.code\n    reason: old\n    until: 2020-01-01\n',
    );
    const { stdout } = await runCommand(
      ['demo', '--fault', 'stream-no-done', '--fault', 'error-code-integer', '--out', 'none'].concat(
        ['--only', 'streaming/every-stream', '--only', 'errors/*'],
        ['--config', 'levels.yaml', '--waivers', 'waivers.yaml'],
      ),
      cwd,
      AGENT,
    );
    expect(stdout).toMatch(/^Level: must by levels\.yaml:3 \(should in the contract\)$/m);
    expect(stdout).toMatch(/^Waiver: waivers\.yaml:2 \(expired\)$/m);
  });

  it.each(['0', 'false', 'off'])('is switched off by WIRECHECK_AGENT=%s', async (value) => {
    const { stdout, stderr } = await runCommand(['render', 'a/report.json'], cwd, { ...AGENT, WIRECHECK_AGENT: value });
    expect(stdout).not.toContain('Output for agents');
    expect(stderr).toBe('');
  });

  it('names a full report only if one was written', async () => {
    const only = ['demo', '--only', 'models/*', '--reporter', 'agent'];
    const metrics = await runCommand(
      [...only, '--reporter', 'prometheus=c/w.prom', '--reporter', 'badge=c/b.json'],
      cwd,
    );
    expect(metrics.stdout).not.toContain('Full report');
    const page = await runCommand([...only, '--reporter', 'badge=c/b.json', '--reporter', 'html=c/page.html'], cwd);
    expect(page.stdout).toContain(`Full report: ${join('c', 'page.html')}, which holds text`);
    expect((await runCommand(['render', 'a/report.json'], cwd, AGENT)).stdout).toContain('Full report: a/report.json');
  });
});
