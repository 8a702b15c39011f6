/** The jobs for GitHub and GitLab, run as their runners run them: each script in bash, with the environment of the job. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/contract/package-root.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { DEFAULT_FILES } from '../../src/settings/format-names.ts';
import { CLI, gatewayFor, makeJob } from '../kit/ci-job.ts';
import type { Step } from '../kit/github-action.ts';
import { runBash } from '../kit/run-program.ts';
import { IS_POSIX } from '../kit/platform.ts';

describe.runIf(IS_POSIX)('the GitLab job', () => {
  const { wirecheck: job } = parse(readFileSync(join(packageRoot(), 'templates/gitlab-ci.yml'), 'utf8')) as {
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
      expect((await runBash(job.script.join('\n'), cwd, { ...env, ...set })).exit).toBe(exit);
      expect(job.artifacts.when).toBe('always');
      expect(job.artifacts.paths).toEqual(['wirecheck-report/']);
      expect(job.artifacts.reports.junit).toBe(`wirecheck-report/${DEFAULT_FILES.junit}`);
      expect(readFileSync(join(cwd, job.artifacts.reports.junit), 'utf8')).toContain('<testsuites');
    },
  );
});

describe.runIf(IS_POSIX)('the job from wirecheck init', () => {
  const init = (cwd: string, env: Record<string, string>, ...flags: string[]) =>
    runBash(`node '${CLI}' init ${flags.join(' ')}`, cwd, env);

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
    const installed = await runBash(install?.run ?? '', cwd, { ...env, ...github });
    expect(installed.exit, installed.text).toBe(0);
    const ended = await runBash(check?.run ?? '', cwd, { ...env, ...github, STAGING_KEY: keys.full });
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
    expect((await runBash(script, cwd, { ...env, ...key })).exit).toBe(1);
    await runBash('npx --no-install wirecheck waive errors.code --reason known --until 2999-12-31', cwd, env);
    const waived = await runBash(script, cwd, { ...env, ...key });
    expect(waived.exit, waived.text).toBe(0);
    expect(waived.text).toContain('CONFORMS EXCEPT FOR 1 WAIVED');
  });
});
