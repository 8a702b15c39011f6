/** The GitHub Action against real gateways. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { gatewayFor, makeJob, putProgram } from '../kit/ci-job.ts';
import { ACTION, useAction } from '../kit/github-action.ts';
import { IS_POSIX } from '../kit/platform.ts';

describe.runIf(IS_POSIX)('the GitHub Action', () => {
  it('interpolates no input into a script', () => {
    expect(ACTION.runs.using).toBe('composite');
    for (const { run = '' } of ACTION.runs.steps) expect(run).not.toContain('${{');
  });

  it('passes for a conforming gateway, keeps the report and writes the summary', async () => {
    const { baseUrl, keys } = await gatewayFor();
    const { exit, outputs, uploads, job } = await useAction({ 'base-url': baseUrl, 'api-key': keys.full }, makeJob(''));
    expect(exit).toBe(0);
    expect(outputs).toEqual({ verdict: 'conforms', 'exit-code': '0', report: 'wirecheck-report/report.json' });
    expect(uploads).toEqual([{ name: 'wirecheck-report', path: 'wirecheck-report' }]);
    expect(existsSync(join(job.cwd, 'wirecheck-report/report.json'))).toBe(true);
    expect(readFileSync(job.summary, 'utf8')).toContain('CONFORMS');
  });

  it('treats an empty out as the default folder, whatever the config file says', async () => {
    const { baseUrl, keys } = await gatewayFor();
    const job = makeJob();
    writeFileSync(join(job.cwd, 'wirecheck.config.yaml'), 'out: elsewhere\n');
    const { exit, outputs, uploads } = await useAction({ 'base-url': baseUrl, 'api-key': keys.full, out: '' }, job);
    expect(exit).toBe(0);
    expect(outputs['report']).toBe('wirecheck-report/report.json');
    expect(uploads).toEqual([{ name: 'wirecheck-report', path: 'wirecheck-report' }]);
    expect(existsSync(join(job.cwd, 'wirecheck-report/report.json'))).toBe(true);
  });

  it.each([
    ['another --out in args', { args: '--out=other' }, 'args contains --out'],
    ['another --out in args on two lines', { args: '--out\nother' }, 'args contains --out'],
    ['no folder at all', { out: 'none' }, 'out is "none"'],
    ['an out of two lines', { out: 'x\nverdict=conforms' }, 'out contains a line break'],
    ['args that check nothing', { args: '--help' }, 'No report was written'],
  ])('refuses %s, since its outputs come from the report in out', async (_what, inputs, sentence) => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'error-code-integer' });
    const job = makeJob();
    mkdirSync(join(job.cwd, 'wirecheck-report'));
    writeFileSync(join(job.cwd, 'wirecheck-report/report.json'), '{"outcome":{"name":"conforms"}}');
    const { exit, outputs, uploads, text } = await useAction(
      { 'base-url': baseUrl, 'api-key': keys.full, ...inputs },
      job,
    );
    expect(text).toContain(`::error::${sentence}`);
    expect(outputs).toEqual({ verdict: '', 'exit-code': '2', report: '' });
    expect([exit, uploads]).toEqual([2, []]);
  });

  it('never reads a report from another run', async () => {
    const { baseUrl, keys } = await gatewayFor();
    const job = makeJob();
    mkdirSync(join(job.cwd, 'old'));
    writeFileSync(join(job.cwd, 'old/report.json'), '{"outcome":{"name":"conforms"}}');
    // In place of a run that ended before it wrote anything, and not with one of the codes for that.
    const ended = putProgram(job, 'node', `#!/bin/bash\n[ "$1" = -p ] && exec '${process.execPath}' "$@"\nexit 1\n`);
    const { exit, outputs } = await useAction({ 'base-url': baseUrl, 'api-key': keys.full, out: 'old' }, ended);
    expect(outputs).toEqual({ verdict: '', 'exit-code': '1', report: '' });
    expect(exit).toBe(1);
  });

  it('fails for a broken gateway, and still keeps the report', async () => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'error-code-integer' });
    const { exit, outputs, uploads, text } = await useAction({
      'base-url': baseUrl,
      'api-key': keys.full,
      out: 'kept',
      artifact: 'named',
    });
    expect(exit).toBe(1);
    expect(outputs).toEqual({ verdict: 'does-not-conform', 'exit-code': '1', report: 'kept/report.json' });
    expect(uploads).toEqual([{ name: 'named', path: 'kept' }]);
    expect(text).toContain('::error ');
  });

  it('passes each line of args as one argument, whatever it contains', async () => {
    const { baseUrl, keys } = await gatewayFor();
    const args = '--header=X-Note: a b; $(touch owned) `touch owned` \'"\n\n  --only=models/*\r\n--strict\r\n';
    const { exit, outputs, job } = await useAction({
      'base-url': baseUrl,
      'api-key': keys.full,
      model: 'sea-large',
      args,
    });
    expect(exit).toBe(0);
    expect(outputs['verdict']).toBe('conforms-in-part');
    expect(existsSync(join(job.cwd, 'owned'))).toBe(false);
    const report = JSON.parse(readFileSync(join(job.cwd, 'wirecheck-report/report.json'), 'utf8')) as {
      cases: { id: string; partial?: true }[];
    };
    expect(report.cases.every(({ id, partial }) => partial ?? id.startsWith('models/'))).toBe(true);
    expect(JSON.stringify(report)).toContain('$(touch owned)');
  });

  it('leaves omitted inputs to the config file, and overrides it with the others', async () => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'stream-no-done' });
    const key = { 'base-url': baseUrl, 'api-key': keys.full };
    const job = makeJob('streaming/*');
    writeFileSync(join(job.cwd, 'wirecheck.config.yaml'), 'strict: true\nmodel: sea-small\napiKeyEnv: OTHER_KEY\n');
    const modelOf = () =>
      (JSON.parse(readFileSync(join(job.cwd, 'wirecheck-report/report.json'), 'utf8')) as Report).target.model;
    expect((await useAction(key, job)).outputs['verdict']).toBe('does-not-conform');
    expect(modelOf()).toBe('sea-small');
    const given = await useAction({ ...key, strict: 'false', model: 'sea-large' }, job);
    expect(given.outputs['verdict']).toBe('conforms-in-part');
    expect(modelOf()).toBe('sea-large');
  });

  it.each([
    ['v18.20.4', 1],
    ['v20.18.3', 1],
    ['v20.19.0', 0],
    ['v22.1.0', 0],
    [undefined, 1],
  ])('installs Node beside %s: %i times', async (version, times) => {
    const script = version === undefined ? 'exit 127' : `echo ${version}`;
    const job = putProgram(makeJob(), 'node', `#!/bin/bash\n[ "$1" = --version ] || exit 1\n${script}\n`);
    const { used } = await useAction({ 'base-url': 'http://127.0.0.1:1/v1', 'api-key': 'sk-service-x' }, job);
    expect(used.filter((name) => name.startsWith('actions/setup-node@'))).toHaveLength(times);
  });

  it('takes waivers and a baseline from the repository', async () => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'error-code-integer' });
    const job = makeJob();
    writeFileSync(join(job.cwd, 'w.yaml'), 'waivers: [{ clause: errors.code, reason: known, until: 2999-12-31 }]\n');
    const key = { 'base-url': baseUrl, 'api-key': keys.full, artifact: '' };
    const waived = await useAction({ ...key, waivers: 'w.yaml' }, job);
    expect(waived.outputs['verdict']).toBe('conforms-but-waived');
    expect([waived.exit, waived.uploads]).toEqual([0, []]);
    const known = await useAction({ ...key, baseline: 'wirecheck-report/report.json', out: 'now' }, job);
    expect(known.outputs['verdict']).toBe('no-new-violations');
  });

  it('fails without a base URL, and does not take an older report for its own', async () => {
    const job = makeJob();
    mkdirSync(join(job.cwd, 'wirecheck-report'));
    writeFileSync(join(job.cwd, 'wirecheck-report/report.json'), '{}');
    const { exit, outputs, uploads, text } = await useAction({ 'base-url': '', 'api-key': 'sk-service-x' }, job);
    expect(exit).toBe(2);
    expect(outputs).toEqual({ verdict: '', 'exit-code': '2', report: '' });
    expect(uploads).toEqual([]);
    expect(text).toContain('No base URL: give one');
  });
});
