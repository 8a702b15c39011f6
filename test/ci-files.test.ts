/** The CI files, run as their runners run them: each shell step in bash, with the environment that the file gives it. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../src/contract/package-root.ts';
import { type GatewayOptions, startGateway } from '../src/gateway/index.ts';
import { FORMATS } from '../src/render/index.ts';
import type { Report } from '../src/report/report.ts';
import { IS_POSIX } from './kit/platform.ts';

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Record<string, string | number>;
  readonly env?: Record<string, string>;
  readonly run?: string;
}

const readYaml = (path: string): unknown => parse(readFileSync(join(packageRoot(), path), 'utf8'));

const CLI = join(packageRoot(), 'dist/cli.js');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecheck-ci-'));
  mkdirSync(join(folder, 'bin'));
  // In place of `npm install`, which would need a network: installs what was built here, and refuses to do so with a key.
  const npm = `#!/bin/bash
[ "$*" = "install --no-save --no-audit --no-fund --ignore-scripts ./wirecheck.tgz" ] || exit 99
[ -z "$WIRECHECK_API_KEY$STAGING_KEY$WIRECHECK_LIMITED_KEY" ] || exit 98
mkdir -p node_modules/.bin
ln -sf '${CLI}' node_modules/.bin/wirecheck
`;
  writeFileSync(join(folder, 'bin/npm'), npm);
  chmodSync(join(folder, 'bin/npm'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A working folder of the job, with what its runner gives to every step. */
function makeJob(only = 'models/*,auth/unknown-key*') {
  const cwd = mkdtempSync(join(folder, 'job-'));
  const output = join(cwd, 'github-output');
  const summary = join(cwd, 'github-summary');
  for (const file of [output, summary]) writeFileSync(file, '');
  const env = {
    WIRECHECK_ONLY: only,
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: cwd,
    npm_config_update_notifier: 'false',
  };
  const github = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
  return { cwd, output, summary, env, github };
}

/** GitHub and GitLab both stop at the first command that fails. */
function bash(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ exit: number | null; text: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  child.stderr.on('data', (data: Buffer) => (text += data.toString()));
  return new Promise((resolve) => child.on('close', (exit) => resolve({ exit, text })));
}

async function gatewayFor(options: GatewayOptions = {}) {
  const gateway = await startGateway({ eventGapMs: 1, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
}

describe.runIf(IS_POSIX)('the GitHub Action', () => {
  const action = readYaml('action.yml') as {
    readonly inputs: Record<string, { readonly default?: string; readonly required?: boolean }>;
    readonly outputs: Record<string, { readonly value: string }>;
    readonly runs: { readonly using: string; readonly steps: readonly Step[] };
  };

  type Scope = Record<string, string>;

  /** `${{ name }}`, and nothing that would need more of the language. */
  const evaluate = (text: string, scope: Scope): string =>
    text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_whole, name: string) => {
      const value = scope[name];
      if (value === undefined) throw new Error(`${name} is not known to the test`);
      return value;
    });

  /** The one condition there is: `a != '' && b != ''`. */
  const isMet = (condition: string, scope: Scope): boolean =>
    condition.split('&&').every((part) => {
      const [, name = ''] = /^ *([\w.-]+) != '' *$/.exec(part) ?? [];
      if (!(name in scope)) throw new Error(`the test cannot decide ${part}`);
      return scope[name] !== '';
    });

  async function use(inputs: Record<string, string>, job = makeJob()) {
    const scope: Scope = { 'github.action_path': packageRoot() };
    for (const [name, { default: usual = '' }] of Object.entries(action.inputs))
      scope[`inputs.${name}`] = inputs[name] ?? usual;
    const uploads: Record<string, string>[] = [];
    const used: string[] = [];
    let exit: number | null = 0;
    let text = '';
    for (const step of action.runs.steps) {
      if (step.if !== undefined && !isMet(step.if, scope)) continue;
      if (step.uses !== undefined) used.push(step.uses);
      if (step.uses?.startsWith('actions/upload-artifact@')) {
        const given = Object.entries(step.with ?? {}).map(([name, value]) => [name, evaluate(String(value), scope)]);
        uploads.push(Object.fromEntries(given) as Record<string, string>);
      }
      if (step.run === undefined) continue;
      const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, evaluate(value, scope)]);
      const ended = await bash(step.run, job.cwd, { ...job.env, ...job.github, ...Object.fromEntries(own) });
      text += ended.text;
      exit = ended.exit;
      for (const line of readFileSync(job.output, 'utf8').split('\n').filter(Boolean)) {
        const [, name = '', value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
        scope[`steps.${step.id}.outputs.${name}`] = value;
      }
      if (exit !== 0) break;
    }
    const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluate(value, scope)]);
    return { exit, text, uploads, used, job, outputs: Object.fromEntries(outputs) as Record<string, string> };
  }

  it('interpolates no input into a script', () => {
    expect(action.runs.using).toBe('composite');
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
  });

  it('passes for a conforming gateway, keeps the report and writes the summary', async () => {
    const { baseUrl, keys } = await gatewayFor();
    const { exit, outputs, uploads, job } = await use({ 'base-url': baseUrl, 'api-key': keys.full }, makeJob(''));
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
    const { exit, outputs, uploads } = await use({ 'base-url': baseUrl, 'api-key': keys.full, out: '' }, job);
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
    const { exit, outputs, uploads, text } = await use({ 'base-url': baseUrl, 'api-key': keys.full, ...inputs }, job);
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
    writeFileSync(join(folder, 'bin/node'), '#!/bin/bash\n[ "$1" = -p ] && exec "$REAL_NODE" "$@"\nexit 1\n');
    chmodSync(join(folder, 'bin/node'), 0o755);
    onTestFinished(() => rmSync(join(folder, 'bin/node')));
    const env = { ...job.env, REAL_NODE: process.execPath };
    const { exit, outputs } = await use({ 'base-url': baseUrl, 'api-key': keys.full, out: 'old' }, { ...job, env });
    expect(outputs).toEqual({ verdict: '', 'exit-code': '1', report: '' });
    expect(exit).toBe(1);
  });

  it('fails for a broken gateway, and still keeps the report', async () => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'error-code-integer' });
    const { exit, outputs, uploads, text } = await use({
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
    const { exit, outputs, job } = await use({ 'base-url': baseUrl, 'api-key': keys.full, model: 'sea-large', args });
    expect(exit).toBe(0);
    expect(outputs['verdict']).toBe('conforms-in-part');
    expect(existsSync(join(job.cwd, 'owned'))).toBe(false);
    const report = JSON.parse(readFileSync(join(job.cwd, 'wirecheck-report/report.json'), 'utf8')) as {
      cases: { id: string; partial?: true }[];
    };
    expect(report.cases.every(({ id, partial }) => partial ?? id.startsWith('models/'))).toBe(true);
    expect(JSON.stringify(report)).toContain('$(touch owned)');
  });

  it('leaves what was not given to the config file, and overrides it with what was', async () => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'stream-no-done' });
    const key = { 'base-url': baseUrl, 'api-key': keys.full };
    const job = makeJob('streaming/*');
    writeFileSync(join(job.cwd, 'wirecheck.config.yaml'), 'strict: true\nmodel: sea-small\n');
    const modelOf = () =>
      (JSON.parse(readFileSync(join(job.cwd, 'wirecheck-report/report.json'), 'utf8')) as Report).target.model;
    expect((await use(key, job)).outputs['verdict']).toBe('does-not-conform');
    expect(modelOf()).toBe('sea-small');
    const given = await use({ ...key, strict: 'false', model: 'sea-large' }, job);
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
    const job = makeJob();
    const bin = join(job.cwd, 'bin');
    mkdirSync(bin);
    const script = version === undefined ? 'exit 127' : `echo ${version}`;
    writeFileSync(join(bin, 'node'), `#!/bin/bash\n[ "$1" = --version ] || exit 1\n${script}\n`, { mode: 0o755 });
    const env = { ...job.env, PATH: `${bin}:${job.env.PATH}` };
    const { used } = await use({ 'base-url': 'http://127.0.0.1:1/v1', 'api-key': 'sk-service-x' }, { ...job, env });
    expect(used.filter((name) => name.startsWith('actions/setup-node@'))).toHaveLength(times);
  });

  it('takes waivers and a baseline from the repository', async () => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'error-code-integer' });
    const job = makeJob();
    writeFileSync(join(job.cwd, 'w.yaml'), 'waivers: [{ clause: errors.code, reason: known, until: 2999-12-31 }]\n');
    const key = { 'base-url': baseUrl, 'api-key': keys.full, artifact: '' };
    const waived = await use({ ...key, waivers: 'w.yaml' }, job);
    expect(waived.outputs['verdict']).toBe('conforms-but-waived');
    expect([waived.exit, waived.uploads]).toEqual([0, []]);
    const standing = await use({ ...key, baseline: 'wirecheck-report/report.json', out: 'now' }, job);
    expect(standing.outputs['verdict']).toBe('no-new-violations');
  });

  it('fails without a base URL, and does not take an older report for its own', async () => {
    const job = makeJob();
    mkdirSync(join(job.cwd, 'wirecheck-report'));
    writeFileSync(join(job.cwd, 'wirecheck-report/report.json'), '{}');
    const { exit, outputs, uploads, text } = await use({ 'base-url': '', 'api-key': 'sk-service-x' }, job);
    expect(exit).toBe(2);
    expect(outputs).toEqual({ verdict: '', 'exit-code': '2', report: '' });
    expect(uploads).toEqual([]);
    expect(text).toContain('No base URL: give one');
  });
});

describe.runIf(IS_POSIX)('the GitLab job', () => {
  const { wirecheck: job } = readYaml('templates/gitlab-ci.yml') as {
    readonly wirecheck: {
      readonly script: readonly string[];
      readonly artifacts: {
        readonly when: string;
        readonly paths: readonly string[];
        readonly reports: { readonly junit: string };
      };
    };
  };

  it.each([
    [{}, 0],
    [{ fault: 'error-code-integer' }, 1],
  ] satisfies [GatewayOptions, number][])(
    'for a gateway %j exits with %i and leaves its artifacts',
    async (options, exit) => {
      const { baseUrl, keys } = await gatewayFor(options);
      const { cwd, env } = makeJob();
      // What the job keeps does not depend on what a configuration says.
      writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'out: elsewhere\nreporters: [html=page.html]\n');
      const set = { WIRECHECK_BASE_URL: baseUrl, WIRECHECK_API_KEY: keys.full };
      expect((await bash(job.script.join('\n'), cwd, { ...env, ...set })).exit).toBe(exit);
      expect(job.artifacts.when).toBe('always');
      expect(job.artifacts.paths).toEqual(['wirecheck-report/']);
      expect(job.artifacts.reports.junit).toBe(`wirecheck-report/${FORMATS.junit.defaultFile}`);
      expect(readFileSync(join(cwd, job.artifacts.reports.junit), 'utf8')).toContain('<testsuites');
    },
  );
});

describe.runIf(IS_POSIX)('the job from wirecheck init', () => {
  const init = (cwd: string, env: Record<string, string>, ...flags: string[]) =>
    bash(`node '${CLI}' init ${flags.join(' ')}`, cwd, env);

  it('runs on GitHub unchanged', async () => {
    const { baseUrl, keys } = await gatewayFor();
    const { cwd, env, github, summary } = makeJob();
    const { exit, text } = await init(cwd, env, '--base-url', baseUrl, '--key-env', 'STAGING_KEY', '--ci', 'github');
    expect(exit, text).toBe(0);
    const workflow = parse(readFileSync(join(cwd, '.github/workflows/wirecheck.yml'), 'utf8')) as {
      readonly jobs: { readonly wirecheck: { readonly steps: readonly Step[] } };
    };
    const { steps } = workflow.jobs.wirecheck;
    const [install, check] = steps.filter(({ run }) => run !== undefined);
    expect(install?.env).toBeUndefined();
    expect(check?.env).toEqual({ STAGING_KEY: '${{ secrets.STAGING_KEY }}' });
    expect(steps.at(-1)).toMatchObject({ if: 'always()', with: { path: 'wirecheck-report/' } });
    const installed = await bash(install?.run ?? '', cwd, { ...env, ...github });
    expect(installed.exit, installed.text).toBe(0);
    const ended = await bash(check?.run ?? '', cwd, { ...env, ...github, STAGING_KEY: keys.full });
    expect(ended.exit, ended.text).toBe(0);
    expect(readFileSync(summary, 'utf8')).toContain('CONFORMS');
    expect(existsSync(join(cwd, 'wirecheck-report/report.json'))).toBe(true);
  });

  it('runs on GitLab unchanged, and its waiver file accepts a waiver', async () => {
    const { baseUrl, keys } = await gatewayFor({ fault: 'error-code-integer' });
    const { cwd, env } = makeJob();
    expect((await init(cwd, env, '--base-url', baseUrl, '--ci', 'gitlab')).exit).toBe(0);
    const pipeline = parse(readFileSync(join(cwd, '.gitlab-ci.yml'), 'utf8')) as {
      readonly include: { readonly local: string }[];
    };
    const file = pipeline.include[0]?.local ?? '';
    const { wirecheck } = parse(readFileSync(join(cwd, file), 'utf8')) as {
      readonly wirecheck: { readonly script: string[] };
    };
    const script = wirecheck.script.join('\n');
    const key = { WIRECHECK_API_KEY: keys.full };
    expect((await bash(script, cwd, { ...env, ...key })).exit).toBe(1);
    await bash('npx --no-install wirecheck waive errors.code --reason known --until 2999-12-31', cwd, env);
    const waived = await bash(script, cwd, { ...env, ...key });
    expect(waived.exit, waived.text).toBe(0);
    expect(waived.text).toContain('CONFORMS BUT FOR 1 WAIVED');
  });
});
