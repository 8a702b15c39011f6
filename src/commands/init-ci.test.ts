import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../contract/package-root.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { UsageError } from '../usage-error.ts';
import { initCommand } from './init.ts';
import { commandIo, FLAGS } from '../../test/kit/init.ts';

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
    const { io, questions, cwd } = commandIo(['']);
    mkdirSync(join(cwd, '.github'));
    await initCommand({ options: { baseUrl: 'https://a.example/v1', keyEnv: 'KEY' }, io });
    expect(questions).toEqual(['CI (github, gitlab, none) [github]: ']);
    expect(existsSync(join(cwd, '.github/workflows/wirecheck.yml'))).toBe(true);
  });

  it('adds only the CI file to a folder with a config file, and does not prompt for its values', async () => {
    const { io, cwd, questions, read, said } = commandIo(['github']);
    const config = 'baseUrl: https://a.example/v1\napiKeyEnv: STAGING_KEY\nwaivers: known.yaml\n';
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), config);
    writeFileSync(join(cwd, 'known.yaml'), 'waivers: []\n');
    await initCommand({ options: {}, io });
    expect(questions).toEqual(['CI (github, gitlab, none) [none]: ']);
    expect(read('wirecheck.config.yaml')).toBe(config);
    expect(read('.github/workflows/wirecheck.yml')).toContain('STAGING_KEY: ${{ secrets.STAGING_KEY }}');
    expect(readdirSync(cwd).toSorted()).toEqual(['.github', '.gitignore', 'known.yaml', 'wirecheck.config.yaml']);
    expect(said()).toContain(
      'Kept wirecheck.config.yaml, which already exists; --force overwrites it\nKept known.yaml, which is never overwritten\nWrote .github/workflows/wirecheck.yml\n',
    );
  });

  it('leaves an existing GitLab pipeline unchanged, and says how to add the job', async () => {
    const { io, cwd, read, said } = commandIo();
    writeFileSync(join(cwd, '.gitlab-ci.yml'), 'mine');
    await initCommand({ options: { ...FLAGS, ci: 'gitlab', force: true }, io });
    expect(read('.gitlab-ci.yml')).toBe('mine');
    expect(read('wirecheck.gitlab-ci.yml')).toContain('junit: wirecheck-report/junit.xml');
    expect(said()).toContain('include: [{ local: wirecheck.gitlab-ci.yml }]');
  });

  const COMMIT = '0123456789abcdef0123456789abcdef01234567';
  const NPM = 'npm install --no-save --no-audit --no-fund';

  it.each([
    ['./wirecheck-0.1.0.tgz', `${NPM} --ignore-scripts './wirecheck-0.1.0.tgz'`, 'Commit ./wirecheck-0.1.0.tgz'],
    [
      'vendor/wirecheck.tar.gz',
      `${NPM} --ignore-scripts './vendor/wirecheck.tar.gz'`,
      'Commit ./vendor/wirecheck.tar.gz',
    ],
    ['../up@1.tgz', `${NPM} --ignore-scripts '../up@1.tgz'`, 'Commit ../up@1.tgz'],
    ['@acme/wirecheck@0.1.0', `${NPM} --ignore-scripts '@acme/wirecheck@0.1.0'`, 'names the registry of @acme'],
    ['@acme/gate@1.0.0-rc.1+b', `${NPM} --ignore-scripts '@acme/gate@1.0.0-rc.1+b'`, 'names the registry of @acme'],
    // Its scripts have to run: `prepare` builds it.
    ...['git+https://git.example:8443/a/b.git', 'git+ssh://git@git.example/a/b.git', 'git+file:///srv/b'].map(
      (address) =>
        [`${address}#${COMMIT}`, `${NPM} '${address}#${COMMIT}'`, 'can read the git repository'] satisfies [
          string,
          string,
          string,
        ],
    ),
  ] satisfies [string, string, string][])('writes jobs that install %s', async (install, command, step) => {
    for (const ci of ['github', 'gitlab']) {
      const { io, read, said } = commandIo();
      await initCommand({ options: { ...FLAGS, ci, install }, io });
      const file = ci === 'github' ? '.github/workflows/wirecheck.yml' : 'wirecheck.gitlab-ci.yml';
      expect(commandsOf(parseYaml(read(file), file).value)).toEqual([
        ci === 'github'
          ? command
          : `(unset STAGING_KEY WIRECHECK_RESTRICTED_KEY WIRECHECK_EXHAUSTED_KEY WIRECHECK_LIMITED_KEY WIRECHECK_REVOKED_KEY WIRECHECK_SECOND_KEY\n${command})\n`,
        'npx --no-install wirecheck run --out wirecheck-report',
      ]);
      expect(read(file).match(/wirecheck\.tgz/g) ?? []).toEqual([]);
      expect(said()).toContain(step);
      expect(said()).not.toContain('SPEC');
    }
  });

  it.each([
    ['', 'is empty: give a tarball'],
    ["./a.tgz'; touch owned; '", 'has a character that is unsafe'],
    ['./a.tgz\nrun: owned', 'has a character that is unsafe'],
    ['./${{secrets.KEY}}.tgz', 'has a character that is unsafe'],
    ['./my wirecheck.tgz', 'has a character that is unsafe'],
    ['--registry=http://evil.example/a.tgz', 'has a character that is unsafe'],
    ['-g.tgz', 'starts with a dash'],
    ['wirecheck', 'names a package without a scope. wirecheck is not published under such a name'],
    ['wirecheck@0.1.0', 'whoever registers it would get your key'],
    ['wirecheck@npm:@acme/wirecheck@0.1.0', 'names a package without a scope'],
    ['wirechek@0.1.0', 'names a package without a scope'],
    ['@acme/wirecheck', 'has no exact version'],
    ['@acme/wirecheck@latest', 'has no exact version'],
    ['git+https://git.example/a/b.git', 'has no full commit'],
    ['git+https://git.example/a/b.git#main', 'has no full commit'],
    ['git+https://git.example/a/b.git#0123456', 'has no full commit'],
    [`git+https://hush:hush@git.example/a/b.git#${COMMIT}`, 'has a user name or a password'],
    [`git+ssh://git:hush@git.example/a/b.git#${COMMIT}`, 'has a user name or a password'],
    [`git+file://elsewhere/b.git#${COMMIT}`, 'has an invalid host'],
    [`git+http://git.example/a/b.git#${COMMIT}`, 'is not a package that wirecheck can be installed from'],
    ['https://hush@evil.example/a.tgz', 'is not a package that wirecheck can be installed from'],
    ['./folder', 'is not a package that wirecheck can be installed from'],
  ])('refuses to install %j', async (install, problem) => {
    const { io, cwd } = commandIo();
    const refused = initCommand({ options: { ...FLAGS, ci: 'github', install }, io });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(problem);
    await expect(refused).rejects.toThrow(/^(?!.*(?:hush|evil))/s);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('explains how the job can install wirecheck if --install is missing', async () => {
    const { io, cwd, read, said } = commandIo();
    await initCommand({ options: { ...FLAGS, keyEnv: 'WIRECHECK_API_KEY', ci: 'github' }, io });
    const template = readFileSync(join(packageRoot(), 'templates/github-workflow.yml'), 'utf8');
    expect(read('.github/workflows/wirecheck.yml')).toBe(template);
    expect(template).toContain("--ignore-scripts './wirecheck.tgz'");
    expect(said()).toContain(`
  - Commit ./wirecheck.tgz, which the job installs. To make it, run \`npm ci && npm pack\` in a clone of wirecheck.

wirecheck is not on a public registry. To install it in a different way, delete
.github/workflows/wirecheck.yml and run \`npx --no-install wirecheck init --ci github --install SPEC\`.
SPEC is one of:
  ./wirecheck-VERSION.tgz           a tarball that you commit
  git+https://HOST/REPO.git#COMMIT  a git repository, at a full commit
  @acme/wirecheck@VERSION           a package that you published in a scope of your own
`);
    // As it says.
    rmSync(join(cwd, '.github'), { recursive: true });
    await initCommand({ options: { ci: 'github', install: '@acme/wirecheck@0.1.0' }, io });
    expect(read('.github/workflows/wirecheck.yml')).toContain("--ignore-scripts '@acme/wirecheck@0.1.0'\n");
  });

  it('says so if --install had no effect', async () => {
    const { io, said } = commandIo();
    await initCommand({ options: { ...FLAGS, install: './a.tgz' }, io });
    expect(said()).toContain(
      'Note  --install had no effect because no CI job was written: add --ci github or --ci gitlab.',
    );
    await initCommand({ options: { ci: 'github' }, io });
    await initCommand({ options: { ci: 'github', install: './a.tgz' }, io });
    expect(said()).toContain(
      'Note  --install had no effect because .github/workflows/wirecheck.yml was kept: edit that file, or add --force.',
    );
    expect(said()).not.toContain('Commit ./a.tgz');
  });

  it('does not suggest adding a job that the pipeline already has', async () => {
    const { io, said } = commandIo();
    await initCommand({ options: { ...FLAGS, ci: 'gitlab' }, io });
    await initCommand({ options: { ...FLAGS, ci: 'gitlab' }, io });
    expect(said()).not.toContain('Add the job');
  });
});
