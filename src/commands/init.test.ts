import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkFile } from '../contract/file-schema.ts';
import { parseYaml } from '../contract/yaml-document.ts';
import { type InitOptions, initCommand } from './init.ts';
import type { Screen, Surroundings } from './surroundings.ts';

function surroundings(answers?: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-init-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  let text = '';
  const questions: string[] = [];
  const left = [...(answers ?? [])];
  const screen: Screen = { write: (more) => void (text += more), colour: false, live: false, columns: undefined };
  const around: Surroundings = {
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
  return { around, cwd, questions, read, said: () => text };
}

const FLAGS: InitOptions = { baseUrl: 'https://staging.example/v1/', keyEnv: 'STAGING_KEY', ci: 'none' };

describe('wirecheck init', () => {
  it('writes a configuration and a waiver file that fit their schemas', async () => {
    const { around, read, cwd, said } = surroundings();
    expect(await initCommand(FLAGS, around)).toBe(0);
    expect(readdirSync(cwd).toSorted()).toEqual(['wirecheck.config.yaml', 'wirecheck.waivers.yaml']);
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
    expect(said()).toContain('Try it here: STAGING_KEY=… npx wirecheck run');
  });

  it('asks for what was not given, and again after a wrong answer', async () => {
    const answers = ['gateway', 'https://a.example/v1', 'sk-service-hush!', '', 'jenkins', 'GitHub'];
    const { around, questions, read, said } = surroundings(answers);
    await initCommand({}, around);
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
The variable that holds the key is a name such as WIRECHECK_API_KEY, not the key itself.
The CI is one of github, gitlab, none.
`,
    );
    expect(read('wirecheck.config.yaml')).not.toContain('apiKeyEnv');
    expect(read('.github/workflows/wirecheck.yml')).toContain('WIRECHECK_API_KEY: ${{ secrets.WIRECHECK_API_KEY }}');
    expect(said()).toContain('Secrets and variables > Actions > WIRECHECK_API_KEY');
  });

  it('proposes the CI that the repository seems to have', async () => {
    const { around, questions, cwd } = surroundings(['']);
    mkdirSync(join(cwd, '.github'));
    await initCommand({ baseUrl: 'https://a.example/v1', keyEnv: 'KEY' }, around);
    expect(questions).toEqual(['CI (github, gitlab, none) [github]: ']);
    expect(existsSync(join(cwd, '.github/workflows/wirecheck.yml'))).toBe(true);
  });

  it('needs flags where there is nobody to ask', async () => {
    const { around, cwd } = surroundings();
    await expect(initCommand({}, around)).rejects.toThrow(
      'There is no terminal to ask questions on: give --base-url URL',
    );
    await expect(initCommand({ ...FLAGS, keyEnv: 'sk-service-hush' }, around)).rejects.toThrow(/^(?!.*hush)/);
    await expect(initCommand({ ...FLAGS, ci: 'jenkins' }, around)).rejects.toThrow(
      'The CI is one of github, gitlab, none.',
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('overwrites nothing, and writes nothing beside what is there, unless it is forced to', async () => {
    const { around, cwd, read } = surroundings();
    writeFileSync(join(cwd, 'wirecheck.waivers.yaml'), 'mine');
    await expect(initCommand(FLAGS, around)).rejects.toThrow(
      'wirecheck.waivers.yaml is there already: nothing was written. Replace with --force.',
    );
    expect(readdirSync(cwd)).toEqual(['wirecheck.waivers.yaml']);
    expect(read('wirecheck.waivers.yaml')).toBe('mine');
    await initCommand({ ...FLAGS, force: true }, around);
    expect(read('wirecheck.waivers.yaml')).toContain('waivers: []');
  });

  it('leaves the pipeline of a GitLab project alone, and says how to add the job', async () => {
    const { around, cwd, read, said } = surroundings();
    writeFileSync(join(cwd, '.gitlab-ci.yml'), 'mine');
    await initCommand({ ...FLAGS, ci: 'gitlab', force: true }, around);
    expect(read('.gitlab-ci.yml')).toBe('mine');
    expect(read('wirecheck.gitlab-ci.yml')).toContain('junit: wirecheck-report/junit.xml');
    expect(said()).toContain('include: [{ local: wirecheck.gitlab-ci.yml }]');
  });
});
