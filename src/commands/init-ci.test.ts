import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { UsageError } from '../usage-error.ts';
import { initCommand } from './init.ts';
import { checkWorkflows } from '../../test/kit/check-workflow.ts';
import { commandIo, FLAGS, TARBALL } from '../../test/kit/init.ts';

/** The shell commands of a GitHub or GitLab job, in order. */
function commandsOf(file: unknown): readonly string[] {
  const { jobs, wirecheck } = file as {
    readonly jobs?: { readonly wirecheck: { readonly steps: readonly { readonly run?: string }[] } };
    readonly wirecheck?: { readonly script: readonly string[] };
  };
  return wirecheck?.script ?? jobs?.wirecheck.steps.flatMap(({ run }) => run ?? []) ?? [];
}

describe('wirecheck init', () => {
  it('suggests the CI system that the repository seems to use', async () => {
    const { io, questions, cwd } = commandIo([''], TARBALL);
    mkdirSync(join(cwd, '.github'));
    await initCommand({ options: { baseUrl: 'https://a.example/v1', keyEnv: 'KEY' }, io });
    expect(questions).toEqual(['CI (github, gitlab, none) [github]: ']);
    expect(existsSync(join(cwd, '.github/workflows/wirecheck.yml'))).toBe(true);
  });

  it('adds only the CI file to a folder with a config file, and does not prompt for its values', async () => {
    const { io, cwd, questions, read, said } = commandIo(['github'], TARBALL);
    const config = 'baseUrl: https://a.example/v1\napiKeyEnv: STAGING_KEY\nwaivers: known.yaml\n';
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), config);
    writeFileSync(join(cwd, 'known.yaml'), 'waivers: []\n');
    await initCommand({ options: {}, io });
    expect(questions).toEqual(['CI (github, gitlab, none) [none]: ']);
    expect(read('wirecheck.config.yaml')).toBe(config);
    expect(read('.github/workflows/wirecheck.yml')).toContain('STAGING_KEY: ${{ secrets.STAGING_KEY }}');
    expect(readdirSync(cwd)).not.toContain('wirecheck.waivers.yaml');
    expect(said()).toContain(
      'Kept wirecheck.config.yaml, which already exists; --force overwrites it\nKept known.yaml, which is never overwritten\nWrote .github/workflows/wirecheck.yml\n',
    );
  });

  it('leaves an existing GitLab pipeline unchanged, and says how to add the job', async () => {
    const { io, cwd, read, said } = commandIo(undefined, TARBALL);
    writeFileSync(join(cwd, '.gitlab-ci.yml'), 'mine');
    await initCommand({ options: { ...FLAGS, ci: 'gitlab', force: true }, io });
    expect(read('.gitlab-ci.yml')).toBe('mine');
    expect(read('wirecheck.gitlab-ci.yml')).toContain('junit: wirecheck-report/junit.xml');
    expect(said()).toContain('include: [{ local: wirecheck.gitlab-ci.yml }]');
  });

  const NPM = 'npm ci --no-audit --no-fund';

  it.each([
    ['file:wirecheck-wirecheck-0.1.0.tgz', `${NPM} --ignore-scripts`],
    ['https://files.example/wirecheck-wirecheck-0.1.0.tgz', `${NPM} --ignore-scripts`],
    // Its scripts have to run: `prepare` builds it.
    ['git+ssh://git@git.example/a/b.git#0123456789abcdef0123456789abcdef01234567', NPM],
    ['github:acme/wirecheck#v1', NPM],
  ])('writes jobs that install %s as the lock file pins it', async (installed, command) => {
    for (const ci of ['github', 'gitlab']) {
      const { io, read } = commandIo(undefined, installed);
      await initCommand({ options: { ...FLAGS, ci }, io });
      const file = ci === 'github' ? '.github/workflows/wirecheck.yml' : 'wirecheck.gitlab-ci.yml';
      expect(commandsOf(parseYaml(read(file), file).value)).toEqual([
        ci === 'github'
          ? command
          : `(unset STAGING_KEY WIRECHECK_RESTRICTED_KEY WIRECHECK_EXHAUSTED_KEY WIRECHECK_LIMITED_KEY WIRECHECK_REVOKED_KEY WIRECHECK_EXPIRED_KEY WIRECHECK_SECOND_KEY\n${command})\n`,
        'npx --no-install wirecheck run --out wirecheck-report',
      ]);
    }
  });

  it.each([
    [
      undefined,
      'the job installs @wirecheck/wirecheck from package.json, which does not list it. Add it with `npm install',
    ],
  ])('refuses a job if package.json has %j', async (installed, problem) => {
    const { io, cwd } = commandIo(undefined, installed);
    const before = readdirSync(cwd);
    const refused = initCommand({ options: { ...FLAGS, ci: 'github' }, io });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(problem);
    expect(readdirSync(cwd)).toEqual(before);
  });

  it('refuses a job without a lock file, and one that is to install something else', async () => {
    const { io, cwd } = commandIo(undefined, TARBALL);
    rmSync(join(cwd, 'package-lock.json'));
    await expect(initCommand({ options: { ...FLAGS, ci: 'gitlab' }, io })).rejects.toThrow(
      'the job installs what package-lock.json pins, and that file is missing.',
    );
    await expect(initCommand({ options: { ...FLAGS, install: './a.tgz' }, io })).rejects.toThrow('--install is gone');
  });

  it('writes no job that nobody asked for where it could not install wirecheck, and says why', async () => {
    const { io, cwd, said } = commandIo();
    mkdirSync(join(cwd, '.github'));
    await initCommand({ options: { baseUrl: 'https://a.example/v1' }, io });
    expect(said()).toContain(
      'Note  No CI job was written: the job installs @wirecheck/wirecheck from package.json, which does not list it',
    );
  });

  it('writes a workflow that GitHub reads, with pull requests and a schedule to choose', async () => {
    const { io, cwd, read } = commandIo(undefined, TARBALL);
    await initCommand({ options: { ...FLAGS, ci: 'github' }, io });
    const file = '.github/workflows/wirecheck.yml';
    const chosen = join(cwd, 'chosen.yml');
    writeFileSync(chosen, read(file).replaceAll(/^ {2}# (?=pull_request:|schedule:| +- cron)/gm, '  '));
    expect(parseYaml(readFileSync(chosen, 'utf8'), chosen).value).toMatchObject({
      on: { pull_request: null, schedule: [{ cron: '17 5 * * 1' }], push: {}, workflow_dispatch: null },
    });
    expect(checkWorkflows(join(cwd, file), chosen)).toEqual(['', '']);
  });

  it('writes a GitLab job with merge requests to choose', async () => {
    const { io, read } = commandIo(undefined, TARBALL);
    await initCommand({ options: { ...FLAGS, ci: 'gitlab' }, io });
    const text = read('wirecheck.gitlab-ci.yml').replaceAll(/^ {2}# (?=rules:| +- if)/gm, '  ');
    const rules = [
      { if: '$CI_PIPELINE_SOURCE == "merge_request_event"' },
      { if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' },
    ];
    expect(parseYaml(text, 'chosen.yml').value).toMatchObject({ wirecheck: { image: 'node:22', rules } });
  });

  it('does not suggest adding a job that the pipeline already has', async () => {
    const { io, said } = commandIo(undefined, TARBALL);
    await initCommand({ options: { ...FLAGS, ci: 'gitlab' }, io });
    await initCommand({ options: { ...FLAGS, ci: 'gitlab' }, io });
    expect(said()).not.toContain('Add the job');
  });
});
