import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../contract/file-schema.ts';
import { packageRoot } from '../contract/package-root.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import { initCommand } from './init.ts';
import { commandIo, FLAGS, TARBALL } from '../../test/kit/init.ts';

describe('wirecheck init', () => {
  it('writes a config file and a waiver file that match their schemas', async () => {
    const { io, read, cwd, said } = commandIo();
    expect(await initCommand({ options: FLAGS, io })).toBeUndefined();
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
    ['wirecheck-report/\nwirecheck-rerun/\n', undefined],
    ['node_modules\n/wirecheck-report\nwirecheck-rerun\n', undefined],
    ['node_modules\n/wirecheck-report\n', 'node_modules\n/wirecheck-report\nwirecheck-rerun/\n'],
    ['node_modules', 'node_modules\nwirecheck-report/\nwirecheck-rerun/\n'],
    [undefined, 'wirecheck-report/\nwirecheck-rerun/\n'],
  ])('keeps reports out of the repository, with %j in .gitignore', async (before, after) => {
    const { io, cwd, read, said } = commandIo();
    if (before !== undefined) writeFileSync(join(cwd, '.gitignore'), before);
    await initCommand({ options: FLAGS, io });
    expect(read('.gitignore')).toBe(after ?? before);
    expect(/^Added .*wirecheck-rerun\/ to \.gitignore$/m.test(said())).toBe(after !== undefined);
  });

  it.each([
    ['beside the files', '', 'node_modules/'],
    ['in a folder above them', 'packages/gateway', '../../node_modules/'],
  ])('names schemas that are there if wirecheck is installed %s', async (_where, folder, start) => {
    const { io, cwd } = commandIo();
    const { name } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { name: string };
    mkdirSync(join(cwd, 'node_modules', name, 'schemas', 'files'), { recursive: true });
    mkdirSync(join(cwd, folder), { recursive: true });
    await initCommand({ options: FLAGS, io: { ...io, cwd: join(cwd, folder) } });
    for (const file of ['config', 'waivers']) {
      const [first] = readFileSync(join(cwd, folder, `wirecheck.${file}.yaml`), 'utf8').split('\n');
      expect(first).toBe(`# yaml-language-server: $schema=${start}${name}/schemas/files/${file}.schema.json`);
    }
  });

  it('names no schema if wirecheck is not installed there', async () => {
    const { io, read } = commandIo();
    await initCommand({ options: FLAGS, io });
    expect(read('wirecheck.config.yaml')).not.toContain('$schema');
  });

  it('says that it wrote no CI job, unless that was chosen', async () => {
    const silent = commandIo();
    await initCommand({ options: FLAGS, io: silent.io });
    expect(silent.said()).not.toContain('No CI job');
    const { io, said } = commandIo();
    await initCommand({ options: { baseUrl: 'https://staging.example/v1' }, io });
    expect(said()).toContain('Note  No CI job was written, since the folder has neither .github nor .gitlab-ci.yml');
  });

  it('prompts for missing values, and again after a wrong answer', async () => {
    const answers = ['gateway', 'https://a.example/v1', 'sk-service-hush!', '', 'jenkins', 'GitHub'];
    const { io, questions, read, said } = commandIo(answers, TARBALL);
    await initCommand({ options: {}, io });
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

  it('requires flags if it cannot prompt', async () => {
    const { io, cwd } = commandIo();
    await expect(initCommand({ options: {}, io })).rejects.toThrow('No terminal to ask questions: give --base-url URL');
    await expect(initCommand({ options: { ...FLAGS, keyEnv: 'sk-service-hush' }, io })).rejects.toThrow(/^(?!.*hush)/);
    await expect(initCommand({ options: { ...FLAGS, ci: 'jenkins' }, io })).rejects.toThrow(
      'Unknown CI "jenkins": choose one of github, gitlab, none.',
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('keeps and names existing files, and writes the rest', async () => {
    const { io, cwd, read, said } = commandIo();
    writeFileSync(join(cwd, 'wirecheck.waivers.yaml'), 'mine');
    expect(await initCommand({ options: FLAGS, io })).toBeUndefined();
    expect(read('wirecheck.waivers.yaml')).toBe('mine');
    expect(said()).toContain('Wrote wirecheck.config.yaml\nKept wirecheck.waivers.yaml, which is never overwritten\n');
  });

  it('names the flags that have no effect because the config file is kept', async () => {
    const { io, cwd, said } = commandIo();
    writeFileSync(join(cwd, 'wirecheck.config.yaml'), 'baseUrl: https://staging.example/v1\napiKeyEnv: STAGING_KEY\n');
    await initCommand({ options: FLAGS, io });
    expect(said()).not.toContain('Note');
    await initCommand({ options: { ...FLAGS, keyEnv: 'OTHER' }, io });
    expect(said()).toContain(
      'Note  --base-url and --key-env had no effect because wirecheck.config.yaml was kept: edit that file, or add --force.',
    );
  });

  it('replaces the config file and the CI file with --force, but never waivers', async () => {
    const { io, cwd, read, said } = commandIo(undefined, TARBALL);
    const waivers = 'waivers: [{ clause: errors.code, reason: known, until: 2030-12-31 }]\n';
    mkdirSync(join(cwd, '.github/workflows'), { recursive: true });
    for (const file of ['wirecheck.config.yaml', '.github/workflows/wirecheck.yml'])
      writeFileSync(join(cwd, file), 'old: 1');
    writeFileSync(join(cwd, 'wirecheck.waivers.yaml'), waivers);
    await initCommand({ options: { ...FLAGS, ci: 'github', force: true }, io });
    expect(read('wirecheck.waivers.yaml')).toBe(waivers);
    expect(read('wirecheck.config.yaml')).toContain('baseUrl: https://staging.example/v1');
    expect(read('.github/workflows/wirecheck.yml')).toContain('STAGING_KEY');
    expect(said()).toContain('Kept wirecheck.waivers.yaml, which is never overwritten');
  });

  it('accepts plain http to another machine only if allowed, and writes that to the config file', async () => {
    const { io, cwd, read, said } = commandIo();
    const flags = { ...FLAGS, baseUrl: 'http://gateway.example/v1' };
    await expect(initCommand({ options: flags, io })).rejects.toThrow(
      'The key would go to gateway.example over plain http, where anyone on the network can read it: use https, or allow it with --allow-http.',
    );
    expect(readdirSync(cwd)).toEqual([]);
    await initCommand({ options: { ...flags, allowHttp: true }, io });
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
    await initCommand({ options: { ...FLAGS, baseUrl }, io });
    expect(said().includes('Note  The address does not end in v1')).toBe(isSaid);
    expect(read('wirecheck.config.yaml')).not.toContain('allowHttp');
  });

  it('writes all files or none, and names the obstacle', async () => {
    const { io, cwd } = commandIo(undefined, TARBALL);
    writeFileSync(join(cwd, '.github'), 'a file');
    await expect(initCommand({ options: { ...FLAGS, ci: 'github' }, io })).rejects.toThrow(
      /^Cannot write \.github\/workflows\/wirecheck\.yml \(\w+\): run this in a folder that you may write to\. Nothing was written\.$/,
    );
    expect(readdirSync(cwd)).toEqual(['.github', 'package-lock.json', 'package.json']);
  });

  it('prints exactly what the guide shows', async () => {
    const answers = ['https://staging.example/v1', 'STAGING_KEY', 'github'];
    const { io, questions, said } = commandIo(answers, TARBALL);
    await initCommand({ options: {}, io });
    const asked = questions.map((question, at) => `${question}${answers[at]}`.trimEnd()).join('\n');
    const guide = readFileSync(join(packageRoot(), 'docs/ci-gate.md'), 'utf8');
    expect(guide).toContain(`\`\`\`\n${asked}\n${said()}\`\`\``);
  });
});
