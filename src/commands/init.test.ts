import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkFile } from '../contract/file-schema.ts';
import { packageRoot } from '../contract/package-root.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { UsageError } from '../usage-error.ts';
import { initCommand } from './init.ts';
import type { InitOptions } from './init-notes.ts';
import type { Screen, CommandIo } from './command-io.ts';

function commandIo(answers?: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-init-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  let text = '';
  const questions: string[] = [];
  const left = [...(answers ?? [])];
  const screen: Screen = { write: (more) => void (text += more), colour: false, live: false, columns: undefined };
  const io: CommandIo = {
    cwd,
    env: {},
    stdout: screen,
    stderr: screen,
    onInterrupt: () => () => undefined,
    ...(answers && {
      ask: (question: string) => {
        questions.push(question);
        const answer = left.shift();
        return answer === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(answer);
      },
    }),
  };
  const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
  return { io, cwd, questions, read, said: () => text };
}

/** The shell commands of a GitHub or GitLab job, in order. */
function commandsOf(file: unknown): readonly string[] {
  const { jobs, wirecheck } = file as {
    readonly jobs?: { readonly wirecheck: { readonly steps: readonly { readonly run?: string }[] } };
    readonly wirecheck?: { readonly script: readonly string[] };
  };
  return wirecheck?.script ?? jobs?.wirecheck.steps.flatMap(({ run }) => run ?? []) ?? [];
}

const FLAGS: InitOptions = { baseUrl: 'https://staging.example/v1/', keyEnv: 'STAGING_KEY', ci: 'none' };

describe('wirecheck init', () => {
  it('writes a config file and a waiver file that match their schemas', async () => {
    const { io, read, cwd, said } = commandIo();
    expect(await initCommand(FLAGS, io)).toBe(0);
    expect(readdirSync(cwd).toSorted()).toEqual(['.gitignore', 'wirecheck.config.yaml', 'wirecheck.waivers.yaml']);
    const config = parseYaml(read('wirecheck.config.yaml'), 'c');
    checkFile('config', config);
    expect(config.value).toMatchObject({
      baseUrl: 'https://staging.example/v1',
      apiKeyEnv: 'STAGING_KEY',
      waivers: 'wirecheck.waivers.yaml',
    });
    const waivers = parseYaml(read('wirecheck.waivers.yaml'), 'w');
    checkFile('waivers', waivers);
    expect(waivers.value).toEqual({ waivers: [] });
    expect(said()).toContain('Try it here: STAGING_KEY=… npx --no-install wirecheck run');
  });

  it.each([
    ['wirecheck-report/\n', undefined],
    ['node_modules\n/wirecheck-report\n', undefined],
    ['node_modules', 'node_modules\nwirecheck-report/\n'],
    [undefined, 'wirecheck-report/\n'],
  ])('keeps reports out of the repository, with %j in .gitignore', async (before, after) => {
    const { io, cwd, read, said } = commandIo();
    if (before !== undefined) writeFileSync(join(cwd, '.gitignore'), before);
    await initCommand(FLAGS, io);
    expect(read('.gitignore')).toBe(after ?? before);
    expect(said().includes('Added wirecheck-report/ to .gitignore')).toBe(after !== undefined);
  });

  it.each([
    ['beside the files', '', 'node_modules/'],
    ['in a folder above them', 'packages/gateway', '../../node_modules/'],
  ])('names schemas that are there if wirecheck is installed %s', async (_where, folder, start) => {
    const { io, cwd } = commandIo();
    const { name } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { name: string };
    mkdirSync(join(cwd, 'node_modules', name, 'schemas', 'files'), { recursive: true });
    mkdirSync(join(cwd, folder), { recursive: true });
    await initCommand(FLAGS, { ...io, cwd: join(cwd, folder) });
    for (const file of ['config', 'waivers']) {
      const [first] = readFileSync(join(cwd, folder, `wirecheck.${file}.yaml`), 'utf8').split('\n');
      expect(first).toBe(`# yaml-language-server: $schema=${start}${name}/schemas/files/${file}.schema.json`);
    }
  });

  it('names no schema if wirecheck is not installed there', async () => {
    const { io, read } = commandIo();
    await initCommand(FLAGS, io);
    expect(read('wirecheck.config.yaml')).not.toContain('$schema');
  });

  it('says that it wrote no CI job, unless that was chosen', async () => {
    const silent = commandIo();
    await initCommand(FLAGS, silent.io);
    expect(silent.said()).not.toContain('No CI job');
    const { io, said } = commandIo();
    await initCommand({ baseUrl: 'https://staging.example/v1' }, io);
    expect(said()).toContain('Note  No CI job was written, since the folder has neither .github nor .gitlab-ci.yml');
  });

  it('prompts for missing values, and again after a wrong answer', async () => {
    const answers = ['gateway', 'https://a.example/v1', 'sk-service-hush!', '', 'jenkins', 'GitHub'];
    const { io, questions, read, said } = commandIo(answers);
    await initCommand({}, io);
    expect(questions).toEqual([
      'Address of the gateway, such as https://gateway.example/v1: ',
      'Address of the gateway, such as https://gateway.example/v1: ',
      'Variable that holds the key [WIRECHECK_API_KEY]: ',
      'Variable that holds the key [WIRECHECK_API_KEY]: ',
      'CI (github, gitlab, none) [none]: ',
      'CI (github, gitlab, none) [none]: ',
    ]);
    expect(said()).toContain(
      `The base URL is not an http or https address (gateway): give one such as https://gateway.example/v1.
The variable of the key is not a valid name: give one such as WIRECHECK_API_KEY, not the key itself.
Unknown CI "jenkins": choose one of github, gitlab, none.
`,
    );
    expect(read('wirecheck.config.yaml')).not.toContain('apiKeyEnv');
    expect(read('.github/workflows/wirecheck.yml')).toContain('WIRECHECK_API_KEY: ${{ secrets.WIRECHECK_API_KEY }}');
    expect(said()).toContain('Secrets and variables > Actions > WIRECHECK_API_KEY');
  });

  it('suggests the CI system that the repository seems to use', async () => {
    const { io, questions, cwd } = commandIo(['']);
    mkdirSync(join(cwd, '.github'));
    await initCommand({ baseUrl: 'https://a.example/v1', keyEnv: 'KEY' }, io);
    expect(questions).toEqual(['CI (github, gitlab, none) [github]: ']);
    expect(existsSync(join(cwd, '.github/workflows/wirecheck.yml'))).toBe(true);
  });

  it('requires flags if it cannot prompt', async () => {
    const { io, cwd } = commandIo();
    await expect(initCommand({}, io)).rejects.toThrow('No terminal to ask questions: give --base-url URL');
    await expect(initCommand({ ...FLAGS, keyEnv: 'sk-service-hush' }, io)).rejects.toThrow(/^(?!.*hush)/);
    await expect(initCommand({ ...FLAGS, ci: 'jenkins' }, io)).rejects.toThrow(
      'Unknown CI "jenkins": choose one of github, gitlab, none.',
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('keeps and names existing files, and writes the rest', async () => {
    const { io, cwd, read, said } = commandIo();
    writeFileSync(join(cwd, 'wirecheck.waivers.yaml'), 'mine');
    expect(await initCommand(FLAGS, io)).toBe(0);
    expect(read('wirecheck.waivers.yaml')).toBe('mine');
    expect(said()).toContain('Wrote wirecheck.config.yaml\nKept wirecheck.waivers.yaml, which is never overwritten\n');
  });

  it('adds only the CI file to a folder with a config file, and does not prompt for its values', async () => {
    const { io, cwd, questions, read, said } = commandIo(['github']);
    const config = 'baseUrl: https://a.example/v1\napiKeyEnv: STAGING_KEY\nwaivers: known.yaml\n';
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), config);
    writeFileSync(join(cwd, 'known.yaml'), 'waivers: []\n');
    await initCommand({}, io);
    expect(questions).toEqual(['CI (github, gitlab, none) [none]: ']);
    expect(read('wirecheck.config.yaml')).toBe(config);
    expect(read('.github/workflows/wirecheck.yml')).toContain('STAGING_KEY: ${{ secrets.STAGING_KEY }}');
    expect(readdirSync(cwd).toSorted()).toEqual(['.github', '.gitignore', 'known.yaml', 'wirecheck.config.yaml']);
    expect(said()).toContain(
      'Kept wirecheck.config.yaml, which already exists; --force overwrites it\nKept known.yaml, which is never overwritten\nWrote .github/workflows/wirecheck.yml\n',
    );
  });

  it('names the flags that have no effect because the config file is kept', async () => {
    const { io, cwd, said } = commandIo();
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'baseUrl: https://staging.example/v1\napiKeyEnv: STAGING_KEY\n');
    await initCommand(FLAGS, io);
    expect(said()).not.toContain('Note');
    await initCommand({ ...FLAGS, keyEnv: 'OTHER' }, io);
    expect(said()).toContain(
      'Note  --base-url and --key-env had no effect because wirecheck.config.yaml was kept: edit that file, or add --force.',
    );
  });

  it('replaces the config file and the CI file with --force, but never waivers', async () => {
    const { io, cwd, read, said } = commandIo();
    const waivers = 'waivers: [{ clause: errors.code, reason: known, until: 2030-12-31 }]\n';
    mkdirSync(join(cwd, '.github/workflows'), { recursive: true });
    for (const file of ['wirecheck.config.yaml', '.github/workflows/wirecheck.yml'])
      writeFileSync(join(cwd, file), 'old: 1');
    writeFileSync(join(cwd, 'wirecheck.waivers.yaml'), waivers);
    await initCommand({ ...FLAGS, ci: 'github', force: true }, io);
    expect(read('wirecheck.waivers.yaml')).toBe(waivers);
    expect(read('wirecheck.config.yaml')).toContain('baseUrl: https://staging.example/v1');
    expect(read('.github/workflows/wirecheck.yml')).toContain('STAGING_KEY');
    expect(said()).toContain('Kept wirecheck.waivers.yaml, which is never overwritten');
  });

  it('accepts plain http to another machine only if allowed, and writes that to the config file', async () => {
    const { io, cwd, read, said } = commandIo();
    const flags = { ...FLAGS, baseUrl: 'http://gateway.example/v1' };
    await expect(initCommand(flags, io)).rejects.toThrow(
      'The key would go to gateway.example over plain http, where anyone on the network can read it: use https, or allow it with --allow-http.',
    );
    expect(readdirSync(cwd)).toEqual([]);
    await initCommand({ ...flags, allowHttp: true }, io);
    const config = parseYaml(read('wirecheck.config.yaml'), 'c');
    checkFile('config', config);
    expect(config.value).toMatchObject({ allowHttp: true });
    expect(said()).toContain('Note  The key will go over plain http');
  });

  it.each([
    ['http://127.0.0.1:8080/v1', false],
    ['https://a.example', true],
    ['https://a.example/v2', true],
  ])('of %s says that it does not end in v1: %s', async (baseUrl, isSaid) => {
    const { io, read, said } = commandIo();
    await initCommand({ ...FLAGS, baseUrl }, io);
    expect(said().includes('Note  The address does not end in v1')).toBe(isSaid);
    expect(read('wirecheck.config.yaml')).not.toContain('allowHttp');
  });

  it('writes all files or none, and names the obstacle', async () => {
    const { io, cwd } = commandIo();
    writeFileSync(join(cwd, '.github'), 'a file');
    await expect(initCommand({ ...FLAGS, ci: 'github' }, io)).rejects.toThrow(
      /^Cannot write \.github\/workflows\/wirecheck\.yml \(\w+\), so nothing was written: run this in a folder that you may write to\.$/,
    );
    expect(readdirSync(cwd)).toEqual(['.github']);
  });

  it('prints exactly what the guide shows', async () => {
    const answers = ['https://staging.example/v1', 'STAGING_KEY', 'github'];
    const { io, questions, said } = commandIo(answers);
    await initCommand({ install: './wirecheck-VERSION.tgz' }, io);
    const asked = questions.map((question, at) => `${question}${answers[at]}`.trimEnd()).join('\n');
    const guide = readFileSync(join(packageRoot(), 'docs/ci-gate.md'), 'utf8');
    expect(guide).toContain(`\`\`\`\n${asked}\n${said()}\`\`\``);
  });

  it('leaves an existing GitLab pipeline unchanged, and says how to add the job', async () => {
    const { io, cwd, read, said } = commandIo();
    writeFileSync(join(cwd, '.gitlab-ci.yml'), 'mine');
    await initCommand({ ...FLAGS, ci: 'gitlab', force: true }, io);
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
      await initCommand({ ...FLAGS, ci, install }, io);
      const file = ci === 'github' ? '.github/workflows/wirecheck.yml' : 'wirecheck.gitlab-ci.yml';
      expect(commandsOf(parseYaml(read(file), file).value)).toEqual([
        ci === 'github'
          ? command
          : `(unset STAGING_KEY WIRECHECK_RESTRICTED_KEY WIRECHECK_EXHAUSTED_KEY WIRECHECK_LIMITED_KEY\n${command})\n`,
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
    const refused = initCommand({ ...FLAGS, ci: 'github', install }, io);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(problem);
    await expect(refused).rejects.toThrow(/^(?!.*(?:hush|evil))/s);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('explains how the job can install wirecheck if --install is missing', async () => {
    const { io, cwd, read, said } = commandIo();
    await initCommand({ ...FLAGS, keyEnv: 'WIRECHECK_API_KEY', ci: 'github' }, io);
    const template = readFileSync(join(packageRoot(), 'templates/github-workflow.yml'), 'utf8');
    expect(read('.github/workflows/wirecheck.yml')).toBe(template);
    expect(template).toContain("--ignore-scripts './wirecheck.tgz'");
    expect(said()).toContain(`
  - Commit ./wirecheck.tgz, which the job installs. To make it, run \`npm ci && npm pack\` in a clone of wirecheck.

wirecheck is not on a public registry. To install it in a different way, delete
.github/workflows/wirecheck.yml and run \`wirecheck init --ci github --install SPEC\`. SPEC is one of:
  ./wirecheck-VERSION.tgz           a tarball that you commit
  git+https://HOST/REPO.git#COMMIT  a git repository, at a full commit
  @acme/wirecheck@VERSION           a package that you published in a scope of your own
`);
    // As it says.
    rmSync(join(cwd, '.github'), { recursive: true });
    await initCommand({ ci: 'github', install: '@acme/wirecheck@0.1.0' }, io);
    expect(read('.github/workflows/wirecheck.yml')).toContain("--ignore-scripts '@acme/wirecheck@0.1.0'\n");
  });

  it('says so if --install had no effect', async () => {
    const { io, said } = commandIo();
    await initCommand({ ...FLAGS, install: './a.tgz' }, io);
    expect(said()).toContain(
      'Note  --install had no effect because no CI job was written: add --ci github or --ci gitlab.',
    );
    await initCommand({ ci: 'github' }, io);
    await initCommand({ ci: 'github', install: './a.tgz' }, io);
    expect(said()).toContain(
      'Note  --install had no effect because .github/workflows/wirecheck.yml was kept: edit that file, or add --force.',
    );
    expect(said()).not.toContain('Commit ./a.tgz');
  });

  it('does not suggest adding a job that the pipeline already has', async () => {
    const { io, said } = commandIo();
    await initCommand({ ...FLAGS, ci: 'gitlab' }, io);
    await initCommand({ ...FLAGS, ci: 'gitlab' }, io);
    expect(said()).not.toContain('Add the job');
  });
});
